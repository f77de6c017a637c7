// Writes the types of the interface and the table of its operations from the service's OpenAPI document, so that the SDK
// says what the service says: npm run generate -w sdk -- http://127.0.0.1:8080/openapi.json
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The little of JSON Schema that the document uses. */
interface Schema {
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

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The little of OpenAPI that is read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const METHODS = ["get", "post", "patch", "delete", "put"];
const NOTICE = "// Written by generate.ts from the service's OpenAPI document: change that, not this.";

/** The content of each file under src that follows from the document. */
export function generate(document: Document): Readonly<Record<string, string>> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, ...item[method] }] : [])),
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => declaration(name, schema));
  const queries = operations.filter(({ parameters }) => queryOf(parameters).length > 0).map(queryInterface);
  return {
    "api.d.ts": [
      NOTICE,
      'import type { CallOptions, ReceiptImage } from "./sdk.d.ts";',
      ...schemas,
      ...queries,
      `/** Every operation of the interface: the ids of its path, what it sends or asks for, and options of the call. */\n` +
        `export interface Api {\n${operations.map(methodOf).join("\n")}\n}`,
      eventsOf(document.webhooks ?? {}),
      "",
    ].join("\n\n"),
    "operations.js": `${NOTICE}\nexport const OPERATIONS = /** @type {const} */ ({\n${operations.map(rowOf).join("\n")}\n});\n`,
  };
}

type Found = Operation & { readonly path: string; readonly method: string };

function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description, "");
  return schema.properties && !schema.anyOf
    ? `${about}export interface ${name} ${typeOf(schema, "")}`
    : `${about}export type ${name} = ${typeOf(schema, "")};`;
}

function queryInterface({ operationId, summary, parameters }: Found): string {
  const members = queryOf(parameters).map(
    ({ name, required, description, schema }) =>
      comment(description, "  ") +
      `  readonly ${name}${required ? "" : "?"}: ${member(schema, required ?? false, "  ")};`,
  );
  return `/** ${summary}: what is asked for. */\nexport interface ${pascal(operationId)}Query {\n${members.join("\n")}\n}`;
}

function methodOf(operation: Found): string {
  const { operationId, summary, path, method } = operation;
  const query = queryOf(operation.parameters);
  const body = bodyOf(operation);
  const input = [
    ...(body ? [typeOf(body.schema, "  ")] : []),
    ...(query.length > 0 ? [`${pascal(operationId)}Query`] : []),
  ].join(" & ");
  const isNeeded = body !== null || query.some(({ required }) => required);
  const args = [
    ...pathParameters(path).map((name) => `${name}: string`),
    ...(input ? [`${body ? "body" : "query"}${isNeeded ? "" : "?"}: ${input}`] : []),
    "options?: CallOptions",
  ];
  const answer = [...new Set(answersOf(operation).map(({ schema }) => typeOf(schema, "  ")))].join(" | ");
  const about = `  /** ${summary}: ${method.toUpperCase()} ${path} */\n`;
  return `${about}  ${operationId}(${args.join(", ")}): Promise<${answer}>;`;
}

function rowOf(operation: Found): string {
  const { operationId, path, method, security } = operation;
  const row = {
    method: method.toUpperCase(),
    path,
    query: queryOf(operation.parameters).map(({ name }) => name),
    body: bodyOf(operation)?.kind ?? null,
    answers: answersOf(operation).map(({ status }) => status),
    isOpen: security?.length === 0,
  };
  return `  ${operationId}: ${JSON.stringify(row)},`;
}

/** Each event by its name. */
function eventsOf(webhooks: NonNullable<Document["webhooks"]>): string {
  const members = Object.entries(webhooks).map(([name, { post }]) => {
    const schema = post.requestBody?.content["application/json"]?.schema ?? {};
    return `  /** ${post.summary} */\n  readonly ${JSON.stringify(name)}: ${typeOf(schema, "  ")};`;
  });
  return `/** What each event holds, by its name. */\nexport interface WebhookEvents {\n${members.join("\n")}\n}`;
}

function answersOf({ responses }: Operation): { status: number; schema: Schema }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema ? [{ status: Number(status), schema }] : [];
  });
}

function bodyOf({ requestBody }: Operation): { kind: "json" | "form"; schema: Schema } | null {
  const json = requestBody?.content["application/json"];
  if (json) return { kind: "json", schema: json.schema };
  const form = requestBody?.content["multipart/form-data"];
  return form ? { kind: "form", schema: form.schema } : null;
}

/** The parameters of its own; those of every call are referred to. */
function queryOf(parameters: Operation["parameters"] = []): Parameter[] {
  return parameters.filter(({ $ref, in: place }) => $ref === undefined && place === "query");
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** A schema as TypeScript; `indent` is that of the line on which it begins. */
function typeOf(schema: Schema, indent: string): string {
  const { $ref, type, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.contentMediaType !== undefined) return "ReceiptImage";
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
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return (
      comment(schema.description, inner) +
      `${inner}readonly ${quoted(name)}${isRequired ? "" : "?"}: ${member(schema, isRequired, inner)};`
    );
  });
  return `{\n${members.join("\n")}\n${indent}}`;
}

/** What may be left out may also be undefined, for those whose compiler tells the two apart. */
function member(schema: Schema, isRequired: boolean, indent: string): string {
  return isRequired ? typeOf(schema, indent) : `${typeOf(schema, indent)} | undefined`;
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function pascal(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n` : "";
}

if (import.meta.main) {
  const [address = "http://127.0.0.1:8080/openapi.json"] = process.argv.slice(2);
  const document = (await (await fetch(address)).json()) as Document;
  for (const [file, text] of Object.entries(generate(document))) {
    writeFileSync(join(import.meta.dirname, "src", file), text);
  }
}
