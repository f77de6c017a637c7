import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGES } from "../bench/console/pages.ts";
import { consoleRoutes } from "../bench/console/routes.ts";

test("the bench of the console requests every page that there is", async () => {
  const routes = await consoleRoutes();
  assert.ok(routes.includes("/console/:application/overview"));
  assert.deepEqual([...routes].toSorted(), Object.keys(PAGES).toSorted());
});
