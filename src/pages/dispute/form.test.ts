import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DISPUTE_TEXT_MAX, LINE_KINDS } from "../../receipts/disputes/dispute.ts";
import { RECEIPT_KINDS, readDispute, subjectIn } from "./form.ts";
import type { Subject } from "./form.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const read = (subject: Subject, fields: Record<string, string>) =>
  readDispute(new URLSearchParams(fields), subject, NOW);
const expectedOf = (subject: Subject, fields: Record<string, string>) => {
  const { dispute, errors } = read(subject, fields);
  return dispute ? dispute.expected : errors;
};
const line = { lineId: "r-1" };

test("what is right is read as people type it, by what is wrong", () => {
  assert.equal(expectedOf(line, { kind: "wrong_price", expected: " £1,50 " }), "1.5");
  assert.equal(expectedOf(line, { kind: "wrong_price", expected: "٣٫٢٠" }), "3.2");
  assert.equal(expectedOf(line, { kind: "wrong_quantity", expected: "0,125" }), "0.125");
  assert.equal(expectedOf(line, { kind: "wrong_name", expected: "Green\u2028 lentils\n" }), "Green lentils");
  assert.equal(expectedOf(line, { kind: "not_mine", expected: "anything" }), null);
  assert.equal(expectedOf(line, { kind: "wrong_name", expected: " " }), null);
  assert.equal(expectedOf({ kind: "wrong_date" }, { expected: "2026-11-22" }), "2026-11-22");
  assert.deepEqual(expectedOf({ kind: "wrong_date" }, { expected: "2026-11-23" }), { expected: "date" });
  assert.deepEqual(expectedOf({ kind: "wrong_date" }, { expected: "2026-13-01" }), { expected: "date" });
  assert.deepEqual(expectedOf({ kind: "missing_line" }, {}), { expected: "name" });
});

test("the address says what a form is about; a line's kind is of the form, and no other kind fits a line", () => {
  assert.deepEqual(subjectIn({ line: "r-1", about: "wrong_total" }), { lineId: "r-1" });
  assert.deepEqual(subjectIn({ about: "wrong_total" }), { kind: "wrong_total" });
  for (const query of [{}, { about: "not_mine" }, { about: ["wrong_total"] }]) assert.equal(subjectIn(query), null);
  assert.deepEqual(read(line, { kind: "wrong_total" }).errors, { kind: "kind" });
  assert.equal(read({ kind: "wrong_total" }, { kind: "not_mine" }).dispute?.kind, "wrong_total");
});

test("any form is read or refused, and what is read can be stored", () => {
  const words = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom("1", "2.5", "2026-01-02", "x"));
  const subjects = fc.constantFrom<Subject>(line, ...RECEIPT_KINDS.map((kind) => ({ kind })));
  fc.assert(
    fc.property(
      subjects,
      fc.constantFrom(...LINE_KINDS, ""),
      words,
      words,
      words,
      (subject, kind, expected, price, note) => {
        const { dispute, errors } = read(subject, { kind, expected, price, note });
        assert.equal(dispute === null, Object.keys(errors).length > 0);
        if (!dispute) return;
        assert.equal(dispute.lineId !== null, (LINE_KINDS as readonly string[]).includes(dispute.kind));
        for (const text of [dispute.expected, dispute.note]) {
          assert.ok(text === null || (Array.from(text).length <= DISPUTE_TEXT_MAX && text.isWellFormed()));
          assert.doesNotMatch(text ?? "", /[\p{Cc}]/u);
        }
        const isNumber = ["wrong_price", "wrong_quantity", "wrong_total"].includes(dispute.kind);
        if (isNumber && dispute.expected !== null) assert.ok(Number.isFinite(Number(dispute.expected)));
        if (dispute.price !== null) assert.ok(dispute.price >= 0 && dispute.price <= 1_000_000);
      },
    ),
  );
});
