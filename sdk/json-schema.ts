/** The keywords of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly contentMediaType?: string;
}

/** The type of image bytes; declared in sdk.d.ts. */
export const IMAGE_TYPE = "ReceiptImage";

/** Creates the exported type of a named schema. */
export function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description, "");
  return schema.properties && !schema.anyOf
    ? `${about}export interface ${name} ${typeOf(schema, "")}`
    : `${about}export type ${name} = ${typeOf(schema, "")};`;
}

/** Converts a schema to a TypeScript type; `indent` is the indentation of its first line. */
export function typeOf(schema: Schema, indent: string): string {
  const { $ref, type, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.contentMediaType !== undefined) return IMAGE_TYPE;
  const either = anyOf ?? oneOf;
  if (either) return either.map((each) => typeOf(each, indent)).join(" | ");
  if (allOf) return allOf.map((each) => typeOf(each, indent)).join(" & ");
  if (Array.isArray(type)) return type.map((each: string) => typeOf({ ...schema, type: each }, indent)).join(" | ");
  if (type === "array") return `readonly (${typeOf(items ?? {}, indent)})[]`;
  if (properties) return objectOf(schema, indent);
  if (type === "object") {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
    return `Readonly<Record<string, ${values}>>`;
  }
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) =>
    memberOf(name, schema, required.includes(name), inner),
  );
  return `{\n${members.join("\n")}\n${indent}}`;
}

/** Creates a member with its comment. Optional members may be undefined, also with exactOptionalPropertyTypes. */
export function memberOf(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const type = typeOf(schema, indent);
  return (
    comment(schema.description, indent) +
    `${indent}readonly ${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`};`
  );
}

const LINE_LENGTH_MAX = 120;

/** Creates a comment, on several lines if it is too long for one. */
function comment(text: string | undefined, indent: string): string {
  if (!text) return "";
  const words = text.replaceAll("*/", "*\\/").split(/\s+/);
  const line = `${indent}/** ${words.join(" ")} */`;
  if (line.length <= LINE_LENGTH_MAX) return `${line}\n`;
  const lines = [`${indent} *`];
  for (const word of words) {
    if (lines.at(-1)!.length + 1 + word.length > LINE_LENGTH_MAX) lines.push(`${indent} *`);
    lines[lines.length - 1] += ` ${word}`;
  }
  return `${indent}/**\n${lines.join("\n")}\n${indent} */\n`;
}

/** Returns the names of the schemas that a part of the document references directly. */
export function namesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === "$ref" && typeof value === "string" && value.startsWith(SCHEMAS) ? [nameOf(value)] : namesIn(value),
  );
}

const SCHEMAS = "#/components/schemas/";

function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}
