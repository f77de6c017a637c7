import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ALL_MAX, readPage, slice } from "./page.ts";
import type { ListPage } from "./page.ts";

const NOW = new Date("2027-01-08T12:00:00Z");
const read = (query: string) => readPage(new URLSearchParams(query), NOW);

function pageOf(query: string): ListPage {
  const asked = read(query);
  assert.ok("page" in asked, query);
  return asked.page;
}

function errorsOf(query: string): string[] {
  const asked = read(query);
  assert.ok("errors" in asked, query);
  return Object.keys(asked.errors);
}

test("the default is the first page of 20; 0 means the default; the maximum is 100", () => {
  assert.deepEqual(pageOf(""), { kind: "page", number: 1, size: 20 });
  assert.deepEqual(pageOf("page=0&pageSize=0"), { kind: "page", number: 1, size: 20 });
  assert.deepEqual(pageOf("page=3&pageSize=7"), { kind: "page", number: 3, size: 7 });
  assert.deepEqual(pageOf("pageSize=100"), { kind: "page", number: 1, size: 100 });
  assert.deepEqual(pageOf("page=2147483647&pageSize=2147483647"), { kind: "page", number: 2_147_483_647, size: 100 });
});

test("First overrides All, and All overrides pages", () => {
  assert.deepEqual(pageOf("First=true&All=true&page=9"), { kind: "first" });
  assert.deepEqual(pageOf("First=FALSE&All=True&page=9"), { kind: "all" });
});

test("all errors are returned at once", () => {
  assert.deepEqual(errorsOf("pageSize=-1&page=1.5&First=yes&All=2&timeframe=soon"), [
    "pageSize",
    "page",
    "First",
    "All",
    "timeframe",
  ]);
  for (const value of ["2147483648", "1e3", " 1", "0x1", "+1", ""]) {
    assert.deepEqual(errorsOf(new URLSearchParams({ page: value }).toString()), ["page"], value);
  }
});

test("a slice has the newest matching records", () => {
  const matching = { low: 1, high: 8 };
  const page = (number: number, size: number) => slice({ kind: "page", number, size }, matching);
  assert.deepEqual(
    [page(1, 3), page(2, 3), page(3, 3)],
    [
      { low: 6, high: 8 },
      { low: 3, high: 5 },
      { low: 1, high: 2 },
    ],
  );
  assert.deepEqual(slice({ kind: "first" }, matching), { low: 8, high: 8 });
  assert.deepEqual(slice({ kind: "all" }, matching), matching);
  assert.deepEqual(slice({ kind: "all" }, { low: 1, high: ALL_MAX + 5 }), { low: 6, high: ALL_MAX + 5 });
});

const bounds = fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 300 }));

test("pages cover all matching records, each once", () => {
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 100 }), ([low, count], size) => {
      const high = low + count - 1;
      const seen: number[] = [];
      for (let number = 1; number <= Math.ceil(count / size) + 1; number++) {
        const found = slice({ kind: "page", number, size }, { low, high });
        for (let sequence = found.high; sequence >= found.low; sequence--) seen.push(sequence);
      }
      assert.deepEqual(
        seen,
        Array.from({ length: count }, (_, i) => high - i),
      );
    }),
  );
});

test("all slices of an empty list are empty", () => {
  const pages = fc.constantFrom<ListPage>({ kind: "first" }, { kind: "all" }, { kind: "page", number: 1, size: 20 });
  fc.assert(
    fc.property(pages, fc.integer({ min: 1, max: 500 }), (page, low) => {
      const found = slice(page, { low, high: low - 1 });
      assert.ok(found.high < found.low);
    }),
  );
});

test("the letter case of a name does not matter", () => {
  assert.deepEqual(read("first=TRUE"), read("First=true"));
  assert.deepEqual(read("PAGESIZE=7&Page=2&TimeFrame=month"), read("pageSize=7&page=2&timeframe=month"));
});
