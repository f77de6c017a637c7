/** The little of JSON Schema that the document uses. */
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

/** What stands for the bytes of a picture; declared by hand. */
export const IMAGE_TYPE = "ReceiptImage";

/** A named schema as an exported type. */
export function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description, "");
  return schema.properties && !schema.anyOf
    ? `${about}export interface ${name} ${typeOf(schema, "")}`
    : `${about}export type ${name} = ${typeOf(schema, "")};`;
}

/** A schema as TypeScript; `indent` is that of the line on which it begins. */
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

/** A member with its comment. What may be left out may also be undefined, for those whose compiler tells the two apart. */
export function memberOf(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const type = typeOf(schema, indent);
  return (
    comment(schema.description, indent) +
    `${indent}readonly ${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`};`
  );
}

function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n` : "";
}

/** The names of the schemas to which a part of the document refers by itself. */
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
