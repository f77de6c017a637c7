// What Citus refuses of statements on tables of a distributed schema, or does in another way than PostgreSQL. From its
// planner (TargetlistAndFunctionsSupported, MasterIrreducibleExpression) and from the statements that it refused when
// the service was tried on it. It is not installed here, so this takes its place: see docs/operations.md.
import type { Client } from "pg";
import { isNode, nodesOf } from "./parse-trees.ts";
import type { TreeNode, TreeValue } from "./parse-trees.ts";

/** i: immutable, s: stable, v: volatile. */
type Volatility = "i" | "s" | "v";
interface Called {
  readonly name: string;
  readonly volatility: Volatility;
}
/** Functions by oid, those that read and write the text of types by the type's oid, tables by oid. */
export interface Catalog {
  readonly functions: ReadonlyMap<string, Called>;
  readonly types: ReadonlyMap<string, Volatility>;
  readonly tables: ReadonlyMap<string, string>;
}

export async function readCatalog(client: Client): Promise<Catalog> {
  const functions = await client.query<{ oid: string; name: string; volatility: Volatility }>(
    "SELECT oid::text, proname AS name, provolatile AS volatility FROM pg_proc",
  );
  const types = await client.query<{ oid: string; volatility: Volatility }>(
    `SELECT t.oid::text, greatest(i.provolatile::text COLLATE "C", o.provolatile::text COLLATE "C") AS volatility
     FROM pg_type t JOIN pg_proc i ON i.oid = t.typinput JOIN pg_proc o ON o.oid = t.typoutput`,
  );
  const tables = await client.query<{ oid: string; name: string }>(
    "SELECT oid::text, relname AS name FROM pg_class WHERE relkind IN ('r', 'p')",
  );
  return {
    functions: new Map(functions.rows.map(({ oid, ...rest }) => [oid, rest])),
    types: new Map(types.rows.map(({ oid, volatility }) => [oid, volatility])),
    tables: new Map(tables.rows.map(({ oid, name }) => [oid, name])),
  };
}

const COMMANDS: Record<string, string> = { "2": "UPDATE", "3": "INSERT", "4": "DELETE" };
/** The fields that name the function of a node. */
const CALLED_IN = ["funcid", "opfuncid", "aggfnoid", "winfnoid"];
const TYPED_IN = ["vartype", "consttype", "paramtype", "funcresulttype", "opresulttype", "resulttype", "coalescetype"];
/** They compute only some of what they are made of. */
const LAZY = new Set(["CASEEXPR", "COALESCEEXPR"]);
/** Where a row is: its place in a table, and its table, which is a shard. */
const PLACES = new Set(["-1", "-6"]);
const ALWAYS_MATERIALIZED = "1";
/** PostgreSQL's own relations have lower ones (FirstNormalObjectId in its source). */
const FIRST_OID_OF_OTHERS = 16_384;
const RTE = { relation: "0", subquery: "1", cte: "6" };
/** They would be called on the server that has the schema: nobody listens there, and others lock elsewhere. */
const OF_THE_COORDINATOR = /^(?:pg_notify|pg_(?:try_)?advisory_.*|current_schemas?)$/;

function* within(value: TreeValue | undefined): Generator<TreeNode> {
  if (Array.isArray(value)) for (const each of value as readonly TreeValue[]) yield* within(each);
  else if (isNode(value)) {
    yield value;
    for (const field of Object.values(value.fields)) yield* within(field);
  }
}

function calledBy(node: TreeNode, catalog: Catalog): Called[] {
  const called = CALLED_IN.flatMap((field) => catalog.functions.get(node.fields[field] as string) ?? []);
  if (node.type === "SQLVALUEFUNCTION") return [{ name: "current_…", volatility: "s" }];
  if (node.type !== "COERCEVIAIO") return called;
  const [from] = nodesOf(node, "arg");
  const types = [node.fields.resulttype, ...TYPED_IN.map((field) => from?.fields[field])];
  return types.flatMap((oid) => {
    const volatility = catalog.types.get(oid as string);
    return volatility === undefined ? [] : [{ name: "a cast by text", volatility }];
  });
}

/** The first function that is at least `volatility`, also in sub-selects; null: there is none. */
function mutableIn(value: TreeValue | undefined, catalog: Catalog, volatility: "s" | "v" = "s"): string | null {
  for (const node of within(value)) {
    for (const called of calledBy(node, catalog)) {
      if (called.volatility === "v" || called.volatility === volatility) return called.name;
    }
  }
  return null;
}

/** What of an expression Citus can compute neither before it sends a change nor on the shard. */
function irreducibleIn(value: TreeValue | undefined, catalog: Catalog): string[] {
  if (Array.isArray(value)) return (value as readonly TreeValue[]).flatMap((each) => irreducibleIn(each, catalog));
  if (!isNode(value) || value.type === "QUERY") return [];
  if (LAZY.has(value.type)) {
    const name = mutableIn(value, catalog);
    return name === null ? [] : [`${name} in CASE or COALESCE`];
  }
  const called = calledBy(value, catalog).find(({ volatility }) => volatility === "s");
  const hasColumn = [...within(value)].some(({ type }) => type === "VAR");
  if (called && hasColumn) return [`${called.name} of a column`];
  return Object.values(value.fields).flatMap((field) => irreducibleIn(field, catalog));
}

function ofChange(query: TreeNode, command: string, catalog: Catalog): string[] {
  const isUpdate = command === "UPDATE";
  const [conflict] = nodesOf(query, "onConflict");
  const ofConflict = ["arbiterWhere", "onConflictSet", "onConflictWhere"].map((field) => conflict?.fields[field]);
  const sets = nodesOf(query, "targetList");
  const [from] = nodesOf(query, "jointree");
  const wheres = command === "INSERT" ? [] : [...within(from)].map(({ fields }) => fields.quals);
  const isVolatile = [...(isUpdate ? sets : []), ...wheres].map((each) => mutableIn(each, catalog, "v"));
  const isMutable = [query.fields.returningList, ...ofConflict].map((each) => mutableIn(each, catalog));
  const changing = isUpdate ? sets : sets.filter((each) => [...within(each)].some(({ type }) => LAZY.has(type)));
  return [
    ...isVolatile.flatMap((name) => (name === null ? [] : [`${name} is volatile`])),
    ...isMutable.flatMap((name) => (name === null ? [] : [`${name} in RETURNING or ON CONFLICT`])),
    ...[...changing, ...wheres].flatMap((each) => irreducibleIn(each, catalog)),
    ...(command === "INSERT" && sets.some((each) => [...within(each)].some(({ type }) => type === "SUBLINK"))
      ? ["a sub-select in VALUES"]
      : []),
  ].map((what) => `${command}: ${what}`);
}

/** The parts of WITH that an INSERT … SELECT reads: all must be results of changes, or MATERIALIZED. */
function ofSource(query: TreeNode, parts: ReadonlyMap<string, TreeNode>): string[] {
  const sources = nodesOf(query, "rtable").filter(({ fields }) => fields.rtekind === RTE.subquery);
  const read = [...within(sources)].filter(
    ({ type, fields }) => type === "RANGETBLENTRY" && fields.rtekind === RTE.cte,
  );
  return read.flatMap(({ fields }) => {
    const part = parts.get(fields.ctename as string);
    const isSelect = part && nodesOf(part, "ctequery")[0]?.fields.commandType === "1";
    return isSelect && part.fields.ctematerialized !== ALWAYS_MATERIALIZED
      ? [`INSERT from ${fields.ctename as string}, which is not MATERIALIZED`]
      : [];
  });
}

/** Whether a statement reads or changes a table of the service. The catalog of PostgreSQL is the coordinator's own. */
function isTable({ type, fields }: TreeNode): boolean {
  const isRelation = type === "RANGETBLENTRY" && fields.rtekind === RTE.relation;
  return isRelation && Number(fields.relid) >= FIRST_OID_OF_OTHERS;
}

/** What is wrong with a statement, for Citus. */
export function refusals(tree: TreeNode, catalog: Catalog): string[] {
  const nodes = [...within(tree)];
  const parts = new Map(
    nodes.filter(({ type }) => type === "COMMONTABLEEXPR").map((each) => [each.fields.ctename as string, each]),
  );
  const readsTables = nodes.some(isTable);
  const found = nodes.flatMap((node): string[] => {
    if (node.type === "VAR") return PLACES.has(node.fields.varattno as string) ? ["ctid or tableoid"] : [];
    const misplaced = readsTables ? calledBy(node, catalog).filter(({ name }) => OF_THE_COORDINATOR.test(name)) : [];
    if (node.type !== "QUERY") return misplaced.map(({ name }) => `${name} beside tables`);
    const command = COMMANDS[node.fields.commandType as string];
    if (command === undefined) return nodesOf(node, "targetList").length === 0 ? ["SELECT of no column"] : [];
    return [...ofChange(node, command, catalog), ...(command === "INSERT" ? ofSource(node, parts) : [])];
  });
  return [...new Set(found)];
}

/**
 * Tables that a part of WITH, or what follows it, reads after an earlier part has changed them: Citus runs the parts
 * one after the other, and a later one sees what earlier ones did. PostgreSQL shows all of them the same rows.
 */
export function readAfterChange(tree: TreeNode, catalog: Catalog): string[] {
  const changed = new Set<string>();
  const found = new Set<string>();
  const ordered = [
    ...nodesOf(tree, "cteList").flatMap((part) => nodesOf(part, "ctequery")),
    { ...tree, fields: { ...tree.fields, cteList: "<>" } },
  ];
  for (const query of ordered) {
    const target = nodesOf(query, "rtable")[Number(query.fields.resultRelation) - 1];
    const reads = [...within(query)].filter(
      (node) =>
        node.type === "RANGETBLENTRY" &&
        node.fields.rtekind === RTE.relation &&
        node !== target &&
        // What ON CONFLICT calls the new row.
        nodesOf(node, "eref")[0]?.fields.aliasname !== "excluded",
    );
    for (const { fields } of reads) if (changed.has(fields.relid as string)) found.add(fields.relid as string);
    if (target) changed.add(target.fields.relid as string);
  }
  return [...found].map((oid) => catalog.tables.get(oid) ?? oid).toSorted();
}
