import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isEmail, parseInstant } from "./formats.ts";

const iso = (text: string) => {
  const ms = parseInstant(text);
  return ms === null ? null : new Date(ms).toISOString();
};

test("a time with a zone is parsed to an instant", () => {
  assert.equal(iso("2026-01-31T12:00:00Z"), "2026-01-31T12:00:00.000Z");
  assert.equal(iso("2026-01-31t12:00:00z"), "2026-01-31T12:00:00.000Z");
  assert.equal(iso("2026-01-31 12:00:00+05:30"), "2026-01-31T06:30:00.000Z");
  assert.equal(iso("2026-01-01T00:30:00+01:00"), "2025-12-31T23:30:00.000Z");
  assert.equal(iso("2024-02-29T23:59:59.123456789-11:00"), "2024-03-01T10:59:59.123Z");
  assert.equal(iso("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z", "a leap second is the second after it");
});

test("a time that does not exist, or without a zone, is refused", () => {
  const wrong = ["2025-02-29T12:00:00Z", "2025-13-01T12:00:00Z", "2025-00-01T12:00:00Z", "2025-04-31T12:00:00Z"];
  wrong.push("2025-01-01T24:00:00Z", "2025-01-01T12:60:00Z", "2025-01-01T12:00:61Z", "2025-01-01T12:00:00+24:00");
  wrong.push("2025-01-01T12:00:00", "2025-01-01", "yesterday", "", "1767225600", "2025-1-1T12:00:00Z");
  wrong.push("2025-01-01T12:00:00Z ", "２０２５-01-01T12:00:00Z", "2025-01-01T12:00:00.Z", "+002025-01-01T12:00:00Z");
  for (const text of wrong) assert.equal(parseInstant(text), null, text);
});

test("an offset cannot move an instant out of the years 1 to 9999", () => {
  assert.equal(iso("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00.000Z");
  assert.equal(iso("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
  for (const text of [
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "9999-12-31T23:59:60Z",
  ]) {
    assert.equal(parseInstant(text), null, text);
  }
});

test("each time written as ISO 8601 is parsed to the same instant, in any zone", () => {
  const dates = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9999-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, fc.integer({ min: -1_439, max: 1_439 }), (date, offset) => {
      assert.equal(parseInstant(date.toISOString()), date.getTime());
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const two = (value: number) => String(value).padStart(2, "0");
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      assert.equal(parseInstant(`${local}${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`), date.getTime());
    }),
  );
});

test("no text makes a format throw or hang", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      for (const format of [parseInstant, isEmail]) format(text);
    }),
  );
  const start = performance.now();
  isEmail(`a@${"a.".repeat(50_000)}@`);
  isEmail("a".repeat(100_000));
  assert.ok(performance.now() - start < 500);
});

test("an e-mail address has one @, text on both sides, and no spaces or control characters", () => {
  for (const text of ["a@b", " ada@example.org ", "a+b.c@example.co.uk", "用户@例子.广告"])
    assert.ok(isEmail(text), text);
  for (const text of [
    "",
    "a",
    "@b",
    "a@",
    "a@b@c",
    "a b@c",
    "a@b..c",
    "a@.b",
    "a@b.",
    "a\r\n@b",
    "a\u0001@b",
    "<a@b>",
  ]) {
    assert.ok(!isEmail(text), text);
  }
});
