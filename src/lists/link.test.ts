import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ALL_MAX, slice } from "./page.ts";
import type { ListPage } from "./page.ts";
import { linkHeader } from "./link.ts";

const PUBLIC_URL = "https://api.example/rewards";

/** The links of a page by their relation. */
function links(url: string, page: ListPage, count: number): Record<string, string> {
  const header = linkHeader(PUBLIC_URL, url, page, count) ?? "";
  return Object.fromEntries([...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map((match) => [match[2]!, match[1]!]));
}

const page = (number: number, size: number): ListPage => ({ kind: "page", number, size });

test("there are links to the first, previous, next and last page, if these exist", () => {
  const at = (number: number) => Object.keys(links("/users/u/transactions?api-version=1.0", page(number, 10), 35));
  assert.deepEqual(at(1), ["first", "next", "last"]);
  assert.deepEqual(at(2), ["first", "prev", "next", "last"]);
  assert.deepEqual(at(4), ["first", "prev", "last"]);
  assert.deepEqual(at(99), ["first", "prev", "last"], "past the end");
});

test("past the end the previous page is the last one; an empty list has one page", () => {
  const far = links("/u?page=99", page(99, 10), 35);
  assert.equal(far["prev"], `${PUBLIC_URL}/u?page=4`);
  assert.deepEqual(links("/u", page(1, 10), 0), { first: `${PUBLIC_URL}/u?page=1`, last: `${PUBLIC_URL}/u?page=1` });
});

test("links start with the public address and keep path, prefix and the other parameters", () => {
  const url = "/issuers/users/u/transactions?api-version=1.0&timeframe=2026-01-01/..&page=2&pageSize=10";
  const { next } = links(url, page(2, 10), 35);
  assert.equal(
    next,
    `${PUBLIC_URL}/issuers/users/u/transactions?api-version=1.0&timeframe=2026-01-01%2F..&page=3&pageSize=10`,
  );
});

test("First has no links; a cut All has a next link, and its pages continue without a gap", () => {
  assert.equal(linkHeader(PUBLIC_URL, "/u?First=true", { kind: "first" }, 35), null);
  assert.equal(linkHeader(PUBLIC_URL, "/u?All=true", { kind: "all" }, ALL_MAX), null);
  const count = ALL_MAX + 250;
  const { next } = links("/u?api-version=1.0&All=true&pageSize=7", { kind: "all" }, count);
  assert.equal(next, `${PUBLIC_URL}/u?api-version=1.0&pageSize=100&page=51`);
  const shown = slice({ kind: "all" }, { low: 1, high: count });
  assert.equal(slice(page(51, 100), { low: 1, high: count }).high, shown.low - 1);
});

test("parameters in another letter case are kept in links", () => {
  const { next } = links("/u?ALL=true&pagesize=7&Page=3", { kind: "all" }, ALL_MAX + 250);
  assert.equal(next, `${PUBLIC_URL}/u?pageSize=100&page=51`);
  assert.equal(links("/u?PAGE=2&PageSize=10", page(2, 10), 35)["next"], `${PUBLIC_URL}/u?page=3&pageSize=10`);
});

test("no parameter can break out of the brackets of its link", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, value) => {
      const header = linkHeader(PUBLIC_URL, `/u?${new URLSearchParams({ [name]: value })}`, page(2, 10), 35)!;
      assert.match(header, /^(<[\x21-\x3b\x3d\x3f-\x7e]+>; rel="\w+"(, |$)){4}$/);
    }),
  );
});
