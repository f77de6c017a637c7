// The trees that PostgreSQL makes of SQL, read from what it prints of them (debug_print_parse).
import { Client } from "pg";

/** A node with its fields; what has several values, as a list or the bytes of a constant, is an array. */
export interface TreeNode {
  readonly type: string;
  readonly fields: Readonly<Record<string, TreeValue>>;
}
export type TreeValue = string | TreeNode | readonly TreeValue[];

const TOKENS = /[(){}]|\[[^\]]*\]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}])+/gs;

/** Reads a printed tree. */
export function treeOf(printed: string): TreeNode {
  const tokens = printed.match(TOKENS) ?? [];
  let at = 0;
  const node = (): TreeNode => {
    const type = tokens[at++]!;
    const fields: Record<string, TreeValue> = {};
    while (tokens[at] !== "}") {
      const name = tokens[at++]!.slice(1);
      const values: TreeValue[] = [];
      while (tokens[at] !== "}" && !tokens[at]!.startsWith(":")) values.push(value());
      fields[name] = values.length === 1 ? values[0]! : values;
    }
    at++;
    return { type, fields };
  };
  const list = (): TreeValue[] => {
    const values: TreeValue[] = [];
    while (tokens[at] !== ")") values.push(value());
    at++;
    return values;
  };
  const value = (): TreeValue => {
    const token = tokens[at++];
    if (token === undefined) throw new Error("the printed tree ends early");
    if (token === "{") return node();
    return token === "(" ? list() : token;
  };
  const tree = value();
  if (!isNode(tree)) throw new Error("not a node");
  return tree;
}

export function isNode(value: TreeValue | undefined): value is TreeNode {
  return typeof value === "object" && "type" in value;
}

/** The nodes of a field, none if it is empty. */
export function nodesOf(node: TreeNode, field: string): TreeNode[] {
  const value = node.fields[field];
  if (value === undefined || value === "<>") return [];
  return [value].flat(1).filter((each): each is TreeNode => isNode(each));
}

/** Parses statements by the schema of a database. */
export async function openParser(
  connectionString: string,
): Promise<{ client: Client; parse(text: string): Promise<TreeNode>; close(): Promise<void> }> {
  const client = new Client({ connectionString });
  await client.connect();
  let printed = "";
  client.on("notice", ({ message, detail }) => {
    if (message === "parse tree:") printed = detail ?? "";
  });
  await client.query("SET debug_print_parse = on; SET debug_pretty_print = off; SET client_min_messages = log");
  return {
    client,
    parse: async (text) => {
      printed = "";
      await client.query(`PREPARE parsed AS ${text}`);
      // The last one is that of the statement itself.
      const tree = treeOf(printed);
      await client.query("DEALLOCATE parsed");
      return tree;
    },
    close: () => client.end(),
  };
}
