import assert from "node:assert/strict";
import { test } from "node:test";
import { filtersOf } from "./filters.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "./page.ts";

const read = (query: string) => filtersOf(new URLSearchParams(query));

test("a time may have its + unescaped, and has its zone", () => {
  assert.deepEqual(read("since=2026-01-31T12:00:00+01:00").time("since"), new Date("2026-01-31T11:00:00Z"));
  const filters = read("since=2026-01-31T12:00:00");
  assert.equal(filters.time("since"), null);
  assert.deepEqual(Object.keys(filters.errors), ["since"]);
});

test("a text has 1 to 255 characters, not only spaces, and none that the database cannot store", () => {
  assert.equal(read(`merchant=${"x".repeat(255)}`).text("merchant")?.length, 255);
  for (const wrong of ["", " ", "a%00b", "x".repeat(256)]) {
    const filters = read(`merchant=${wrong}`);
    assert.equal(filters.text("merchant"), null, wrong);
    assert.deepEqual(Object.keys(filters.errors), ["merchant"], wrong);
  }
});

test("what was not sent is null and no error; a page has its default and its most entries", () => {
  const filters = read("");
  assert.deepEqual([filters.id("a", "a user"), filters.word("b", ["x"]), filters.time("c")], [null, null, null]);
  assert.deepEqual([filters.pageSize(), read("pageSize=0").pageSize()], [PAGE_SIZE_DEFAULT, PAGE_SIZE_DEFAULT]);
  assert.equal(read("pageSize=1000").pageSize(), PAGE_SIZE_MAX);
  assert.deepEqual(filters.errors, {});
});
