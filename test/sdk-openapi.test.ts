import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "../sdk/generate.ts";
import type { Document } from "../sdk/generate.ts";
import { PROBLEMS } from "../src/problems.ts";
import { documentAt } from "./conformance.ts";

const SDK = join(import.meta.dirname, "../sdk/src");
const document = documentAt("http://rewards.test") as unknown as Document;

/** Without comments: a reworded description is no other interface. */
function codeOf(text: string): string {
  return text.replaceAll(/^ *\/\*\*.*\*\/\n/gm, "");
}

test("the SDK's types and operations are those of the OpenAPI document; else: npm run generate -w sdk", () => {
  for (const [file, text] of Object.entries(generate(document))) {
    assert.equal(codeOf(readFileSync(join(SDK, file), "utf8")), codeOf(text), file);
  }
});

/** A document as these changes see it. */
interface Changeable {
  readonly components: { readonly schemas: Record<string, { readonly properties: Record<string, object> }> };
  readonly paths: Record<string, Record<string, { readonly parameters: object[] }>>;
  readonly webhooks: Record<string, object>;
}

test("a member added to an answer, a body, a query or an event changes the SDK's types", () => {
  const types = codeOf(generate(document)["api.d.ts"]!);
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
    assert.notEqual(codeOf(generate(changed)["api.d.ts"]!), types);
  }
});

test("the SDK knows the code of every problem", () => {
  const types = readFileSync(join(SDK, "api.d.ts"), "utf8");
  for (const { code } of Object.values(PROBLEMS)) assert.ok(types.includes(`"${code}"`), code);
});
