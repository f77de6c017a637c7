import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import packageJson from "../package.json" with { type: "json" };
import { COMMANDS } from "../src/cli/command-list.ts";
import { SETTINGS } from "../src/settings.ts";
import { uploadReceipt } from "../src/receipts/operations.ts";
import { SAMPLE_OUTCOMES } from "../src/receipts/samples/outcomes.ts";
import { EVENT_TYPES } from "../src/webhooks/event.ts";

const ROOT = join(import.meta.dirname, "..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

test("the README's table of settings is the list of the configuration", () => {
  const rows = Object.entries(SETTINGS).map(
    ([name, { fallback, about }]) => `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${about} |`,
  );
  const table = /^\| Setting \|.*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(readme)?.[1];
  assert.equal(table, `${rows.join("\n")}\n`);
});

test("every npm command of the README is a script", () => {
  const scripts = new Set(Object.keys(packageJson.scripts));
  const named = [
    ...[...readme.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map((match) => match[1]!),
    ...[...readme.matchAll(/npm (start|test)\b/g)].map((match) => match[1]!),
  ];
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !scripts.has(name)),
    [],
  );
});

test("every command that the README gives the operator is one of the CLI", () => {
  const names = new Set(COMMANDS.map(({ name }) => name));
  const named = [...readme.matchAll(/(?:`|-- )((?:app|webhook|user|ledger) [a-z-]+)/g)].map((match) => match[1]!);
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !names.has(name)),
    [],
  );
});

test("every sample of a receipt is named in the README, and no other", () => {
  const sentence = /There is a sample for each outcome:([^.]*)\./.exec(readme)?.[1] ?? "";
  assert.deepEqual(
    [...sentence.matchAll(/`(\w+)`/g)].map((match) => match[1]),
    Object.keys(SAMPLE_OUTCOMES),
  );
});

test("the README's list of events is the list of the service", () => {
  const sentence = /^The events are ([^]*?`)\.$/m.exec(readme)?.[1] ?? "";
  assert.deepEqual(
    [...sentence.matchAll(/`([\w.]+)`/g)].map((match) => match[1]),
    EVENT_TYPES,
  );
});

test("the description of an upload names every event of a receipt", () => {
  const events = EVENT_TYPES.filter((type) => type.startsWith("receipt_") || type === "rewards.awarded");
  assert.deepEqual(
    events.filter((type) => !uploadReceipt.description?.includes(`\`${type}\``)),
    [],
  );
});

test("every file that the README leads to is there", () => {
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]!);
  assert.deepEqual(
    targets.filter((target) => !existsSync(join(ROOT, target))),
    [],
  );
});
