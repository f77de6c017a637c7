import assert from "node:assert/strict";
import { test } from "node:test";
import { deprecationHeaders } from "./deprecation.ts";

const SOON = { since: "2026-01-01T00:00:00Z", sunset: "2026-12-31T23:59:59Z" };
const LATER = { since: "2025-06-01T00:00:00Z", sunset: "2027-06-30T00:00:00Z" };

test("what is deprecated says since when, until when and where it is explained, in the forms of RFC 9745 and RFC 8594", () => {
  assert.deepEqual(deprecationHeaders([SOON], "https://x.test/docs", null), {
    deprecation: "@1767225600",
    sunset: "Thu, 31 Dec 2026 23:59:59 GMT",
    link: '<https://x.test/docs>; rel="deprecation"; type="text/html"',
  });
});

test("of two deprecations the one that ends first is told, beside the links that an answer has", () => {
  const headers = deprecationHeaders([LATER, SOON], "https://x.test/docs", '<https://x.test/2>; rel="next"');
  assert.equal(headers?.sunset, "Thu, 31 Dec 2026 23:59:59 GMT");
  assert.equal(
    headers?.link,
    '<https://x.test/2>; rel="next", <https://x.test/docs>; rel="deprecation"; type="text/html"',
  );
});

test("what is not deprecated says nothing", () => {
  assert.equal(deprecationHeaders([], "https://x.test/docs", null), null);
});
