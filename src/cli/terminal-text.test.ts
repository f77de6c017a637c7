import assert from "node:assert/strict";
import { test } from "node:test";
import { terminalJson, terminalLine } from "./terminal-text.ts";

const HOSTILE = "a\u001b[2J\u009b31m\r\nb\u007f\u202eevil\u2066\u200f";

test("a line for a terminal has nothing that the terminal obeys", () => {
  assert.equal(terminalLine(HOSTILE), "a\\u001b[2J\\u009b31m\\u000d\\u000ab\\u007f\\u202eevil\\u2066\\u200f");
  assert.equal(terminalLine("Bäckerei 東京 👩‍🍳"), "Bäckerei 東京 👩‍🍳");
});

test("JSON for a terminal has the same value", () => {
  const json = terminalJson(JSON.stringify({ name: HOSTILE }));
  assert.deepEqual(JSON.parse(json), { name: HOSTILE });
  assert.equal(terminalLine(json), json);
});
