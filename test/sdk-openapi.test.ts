import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate, SCHEMAS } from "../sdk/generate.ts";
import type { Document } from "../sdk/generate.ts";
import { PROBLEMS } from "../src/problem-types.ts";
import { documentAt } from "./support/conformance.ts";

const SDK = join(import.meta.dirname, "../sdk/src");
const document = documentAt("http://rewards.test") as unknown as Document;

/** Returns all generated types of a document. */
function typesOf(document: Document): string {
  const files = Object.entries(generate(document)).filter(([file]) => file.endsWith(".d.ts"));
  return codeOf(files.map(([, text]) => text).join("\n"));
}

/** Removes comments: a reworded description is not a change of the API. */
function codeOf(text: string): string {
  return text.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "").replaceAll(/^\/\/ .*\n/gm, "");
}

test("the types and operations of the SDK match the OpenAPI document; to update: npm run generate -w sdk", () => {
  const files = generate(document);
  for (const [file, text] of Object.entries(files)) {
    assert.equal(codeOf(readFileSync(join(SDK, file), "utf8")), codeOf(text), file);
  }
  for (const file of readdirSync(join(SDK, SCHEMAS))) assert.ok(`${SCHEMAS}/${file}` in files, file);
});

/** The parts of a document that the changes modify. */
interface Changeable {
  readonly components: { readonly schemas: Record<string, { readonly properties: Record<string, object> }> };
  readonly paths: Record<string, Record<string, { readonly parameters: object[] }>>;
  readonly webhooks: Record<string, object>;
}

test("a member added to a response, a body, a query or an event changes the types of the SDK", () => {
  const types = typesOf(document);
  const changes: ((changed: Changeable) => void)[] = [
    ({ components }) => Object.assign(components.schemas["User"]!.properties, { shoeSize: { type: "number" } }),
    ({ components }) => Object.assign(components.schemas["Meal"]!.properties, { shoeSize: { type: "number" } }),
    ({ components }) => delete components.schemas["User"]!.properties["email"],
    ({ paths }) =>
      paths["/users/{id}/transactions"]!["get"]!.parameters.push({
        name: "shoeSize",
        in: "query",
        schema: { type: "number" },
      }),
    ({ webhooks }) => Object.assign(webhooks, { "shoe.bought": webhooks["intake.failed"] }),
  ];
  for (const change of changes) {
    const changed = structuredClone(document);
    change(changed as unknown as Changeable);
    assert.notEqual(typesOf(changed), types);
  }
});

test("the SDK knows the code of every problem", () => {
  const types = readFileSync(join(SDK, SCHEMAS, "shared.d.ts"), "utf8");
  for (const { code } of Object.values(PROBLEMS)) assert.ok(types.includes(`"${code}"`), code);
});
