// Writes the types of the interface and the table of its operations from the service's OpenAPI document, so that the SDK
// says what the service says: npm run generate -w sdk -- http://127.0.0.1:8080/openapi.json
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declaration, IMAGE_TYPE, memberOf, namesIn, typeOf } from "./json-schema.ts";
import type { Schema } from "./json-schema.ts";

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
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Webhooks = Readonly<Record<string, { readonly post: Operation }>>;

/** The little of OpenAPI that is read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Webhooks;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const METHODS = ["get", "post", "patch", "delete", "put"];
const NOTICE = "// Written by generate.ts from the service's OpenAPI document: change that, not this.";
/** The folder of the schemas' types; nothing else is in it. */
export const SCHEMAS = "schemas";
const EVENTS = "events";
const SHARED = "shared";
/** Operations whose schemas are many enough for a file beside that of their tag. */
const FILE_OF_ITS_OWN: Readonly<Record<string, string>> = { explainTransaction: "explanations" };

/** The content of each file under src that follows from the document. */
export function generate(document: Document): Readonly<Record<string, string>> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, ...item[method] }] : [])),
  );
  const homes = homesOf(document, operations);
  return {
    ...schemaFiles(document, homes),
    "api.d.ts": apiFile(operations, homes),
    "operations.js": `${NOTICE}\nexport const OPERATIONS = /** @type {const} */ ({\n${operations.map(rowOf).join("\n")}\n});\n`,
  };
}

type Found = Operation & { readonly path: string; readonly method: string };

/** The file of each schema: that of the operations, or the events, that use it; what several use is shared. */
function homesOf({ components, webhooks = {} }: Document, operations: readonly Found[]): ReadonlyMap<string, string> {
  const usedBy = new Map(Object.keys(components.schemas).map((name) => [name, new Set<string>()]));
  const use = (part: unknown, file: string): void => {
    for (const name of namesIn(part)) {
      const files = usedBy.get(name)!;
      if (files.has(file)) continue;
      files.add(file);
      use(components.schemas[name], file);
    }
  };
  for (const operation of operations) {
    use(operation, FILE_OF_ITS_OWN[operation.operationId] ?? fileOfTag(operation.tags[0]!));
  }
  use(webhooks, EVENTS);
  return new Map([...usedBy].map(([name, files]) => [name, files.size === 1 ? [...files][0]! : SHARED]));
}

function fileOfTag(tag: string): string {
  return tag.toLowerCase().replaceAll(/\W+/g, "-");
}

/** The types of the schemas, one file for each of their homes, and beside the events' their names. */
function schemaFiles({ components, webhooks = {} }: Document, homes: ReadonlyMap<string, string>) {
  const files = filesOf(homes).map((home) => {
    const schemas = Object.entries(components.schemas).filter(([name]) => homes.get(name) === home);
    const types = schemas.map(([name, schema]) => declaration(name, schema));
    const names = namesIn(schemas).filter((name) => homes.get(name) !== home);
    const isImageNeeded = types.some((type) => type.includes(IMAGE_TYPE));
    const blocks = [
      NOTICE,
      [...(isImageNeeded ? [importOf([IMAGE_TYPE], "../sdk.d.ts")] : []), ...importsOf(names, homes, ".")].join("\n"),
      ...types,
      ...(home === EVENTS ? [eventsOf(webhooks)] : []),
    ];
    return [`${SCHEMAS}/${home}.d.ts`, textOf(blocks)];
  });
  return Object.fromEntries(files) as Record<string, string>;
}

/** What is asked for in each query, and every operation as a method; the types of the schemas go out with them. */
function apiFile(operations: readonly Found[], homes: ReadonlyMap<string, string>): string {
  const names = operations.flatMap((operation) => [
    ...namesIn(bodyOf(operation)),
    ...namesIn(answersOf(operation)),
    ...namesIn(queryOf(operation.parameters)),
  ]);
  return textOf([
    NOTICE,
    [importOf(["CallOptions"], "./sdk.d.ts"), ...importsOf(names, homes, `./${SCHEMAS}`)].join("\n"),
    filesOf(homes)
      .map((file) => `export type * from "./${SCHEMAS}/${file}.d.ts";`)
      .join("\n"),
    ...operations.filter(({ parameters }) => queryOf(parameters).length > 0).map(queryInterface),
    `/** Every operation of the interface: the ids of its path, what it sends or asks for, and options of the call. */\n` +
      `export interface Api {\n${operations.map(methodOf).join("\n")}\n}`,
  ]);
}

function textOf(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function filesOf(homes: ReadonlyMap<string, string>): string[] {
  return [...new Set(homes.values())].sort();
}

/** What imports these schemas from their homes in `folder`. */
function importsOf(names: readonly string[], homes: ReadonlyMap<string, string>, folder: string): string[] {
  return filesOf(homes).flatMap((home) => {
    const ofHome = [...new Set(names)].filter((name) => homes.get(name) === home);
    return ofHome.length > 0 ? [importOf(ofHome.sort(), `${folder}/${home}.d.ts`)] : [];
  });
}

function importOf(names: readonly string[], file: string): string {
  return `import type { ${names.join(", ")} } from "${file}";`;
}

function queryInterface({ operationId, summary, parameters }: Found): string {
  const members = queryOf(parameters).map(({ name, required, description, schema }) =>
    memberOf(name, { ...schema, ...(description !== undefined && { description }) }, required ?? false, "  "),
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
function eventsOf(webhooks: Webhooks): string {
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

function pascal(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

if (import.meta.main) {
  const [address = "http://127.0.0.1:8080/openapi.json"] = process.argv.slice(2);
  const document = (await (await fetch(address)).json()) as Document;
  const folder = join(import.meta.dirname, "src");
  rmSync(join(folder, SCHEMAS), { recursive: true, force: true });
  mkdirSync(join(folder, SCHEMAS));
  for (const [file, text] of Object.entries(generate(document))) writeFileSync(join(folder, file), text);
}
