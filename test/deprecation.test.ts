import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { routeOf } from "../src/http/operation.ts";
import type { Operation } from "../src/http/operation.ts";
import { apiScope, createServer } from "../src/http/server.ts";
import type { ApiVersion } from "../src/http/version.ts";
import { API_VERSIONS } from "../src/http/version.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { getUserSummary } from "../src/users/schema.ts";
import { at } from "./support/conformance.ts";

const OLD: ApiVersion = {
  version: "1.0",
  deprecation: { since: "2026-01-01T00:00:00Z", sunset: "2027-01-01T00:00:00Z" },
};
const NEW: ApiVersion = { version: "2.0", deprecation: null };
const DEPRECATION_HEADERS = ["deprecation", "sunset", "link"] as const;

/** The headers that an answer to this query has, on a server of these versions with one operation. */
async function headersFor(versions: readonly ApiVersion[], operation: Operation, query: string) {
  const server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "https://rewards.test",
    newRequestId: () => "id",
    versions,
  });
  const find = async () => null;
  apiScope(server, find, (scope) => scope.get(operation.path, routeOf(operation), async () => ({})));
  const { headers } = await server.inject({ url: `/users/1/summary${query}` });
  await server.close();
  return { headers, said: DEPRECATION_HEADERS.map((name) => headers[name]) };
}

const SAID = [
  "@1767225600",
  "Fri, 01 Jan 2027 00:00:00 GMT",
  '<https://rewards.test/docs>; rel="deprecation"; type="text/html"',
];

test("a deprecated version says so in every answer, refusals too; the one after it says nothing", async () => {
  const old = await headersFor([OLD, NEW], getUserSummary, "?api-version=1.0");
  assert.deepEqual(old.said, SAID);
  assert.equal(old.headers["api-supported-versions"], "1.0, 2.0");
  assert.deepEqual((await headersFor([OLD, NEW], getUserSummary, "?api-version=2.0")).said, [
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual((await headersFor([OLD, NEW], getUserSummary, "")).said, [undefined, undefined, undefined]);
});

test("a deprecated operation says so in a version that stays", async () => {
  const { deprecation } = OLD;
  const going: Operation = { ...getUserSummary, deprecation: deprecation! };
  assert.deepEqual((await headersFor([NEW], going, "?api-version=2.0")).said, SAID);
});

test("the document marks what is deprecated, with the day it ends", () => {
  const document = openApiDocument({
    publicUrl: "https://rewards.test",
    apiVersion: OLD,
    operations: OPERATIONS,
    webhooks: [],
  });
  const operation = at(document, "/paths/~1users~1{id}~1summary/get") as Record<string, unknown>;
  assert.deepEqual([operation["deprecated"], operation["x-sunset"]], [true, "2027-01-01T00:00:00Z"]);
});

test("nothing is deprecated now", () => {
  assert.deepEqual(API_VERSIONS, [{ version: "1.0", deprecation: null }]);
  assert.deepEqual(
    OPERATIONS.filter(({ deprecation }) => deprecation),
    [],
  );
});
