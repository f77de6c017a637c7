import assert from "node:assert/strict";
import { test } from "node:test";
import { personalIn } from "./support/privacy-run.ts";
import { createSearch } from "./support/privacy-search.ts";

// What `npm run test:privacy` finds in the logs, metrics and traces of all tests.

const sent = personalIn(
  JSON.stringify({
    email: "ada@example.org",
    ingredients: [{ name: "Quincunx lentils", unit: "gram" }],
    redirectUrl: "https://rewards.test/enroll?sessionId=M5G9sGbrPDoaAPfWp2WEvQ2a",
    status: "receipt_completed",
    merchantName: "Migros",
    reason: "tea",
  }),
);

test("what is personal in a body is known by its members and links, at any depth", () => {
  assert.deepEqual(sent, [
    ["link", "M5G9sGbrPDoaAPfWp2WEvQ2a"],
    ["email", "ada@example.org"],
    ["name", "Quincunx lentils"],
    ["merchantName", "Migros"],
    ["reason", "tea"],
  ]);
  assert.deepEqual(personalIn(Buffer.from("{}")), []);
  const deep = `${'{"a":['.repeat(50_000)}{"name":"Quincunx"}${"]}".repeat(50_000)}`;
  assert.deepEqual(personalIn(deep), [["name", "Quincunx"]]);
  assert.deepEqual(personalIn("decision=accept"), []);
});

test("an id of the service is nobody's", () => {
  const transactionId = "0198f4a2-6c1e-7d3b-9b57-0f2a6f1f3c11";
  assert.deepEqual(personalIn({ transactionId, reference: transactionId }), [["reference", transactionId]]);
  assert.deepEqual(personalIn({ transactionId: "till 4, 1187" }), [["transactionId", "till 4, 1187"]]);
});

test("a personal value in a line is found in any letter case, the product's own words and short ones are not", () => {
  const { count, findingsIn } = createSearch(
    new Map(sent.map(([name, value]) => [value, name])),
    'const CHAINS = ["Migros", "Coop"];',
  );
  assert.equal(count, 3);
  const line = '{"level":30,"msg":"of ADA@example.org: quincunx Lentils, tea, Migros"}';
  assert.deepEqual(
    findingsIn(line).map(({ name, value }) => [name, value]),
    [
      ["email", "ada@example.org"],
      ["name", "quincunx lentils"],
    ],
  );
  assert.deepEqual(findingsIn('{"msg":"request","url":"/users/:id"}'), []);
});
