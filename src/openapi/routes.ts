import { readFileSync } from "node:fs";
import { join } from "node:path";
import { routeOf } from "../http/operation.ts";
import { loadReferenceScript } from "../http/reference-script.ts";
import type { Server } from "../http/server.ts";
import { getOpenApi } from "../http/service-operations.ts";
import { IMMUTABLE, sendStaticAsset, staticAsset } from "../http/static-asset.ts";
import type { StaticAsset } from "../http/static-asset.ts";
import { API_VERSIONS } from "../http/version.ts";
import { EVENT_DESCRIPTIONS } from "../webhooks/event-descriptions.ts";
import { openApiDocument } from "./document.ts";
import { OPERATIONS } from "./operations.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

const JSON_TYPE = { type: "application/json; charset=utf-8", cacheControl: "no-cache" };
const HTML_TYPE = { type: "text/html; charset=utf-8", cacheControl: "no-cache" };
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** `/openapi.json` and `/docs`: the API of this process, for programs and for people. Neither needs credentials. */
export function openApiRoutes(server: Server, { publicUrl }: { publicUrl: string }): void {
  const apiVersion = API_VERSIONS.at(-1)!;
  const describe = () =>
    openApiDocument({ publicUrl, apiVersion, operations: OPERATIONS, webhooks: EVENT_DESCRIPTIONS });
  // Created at the first request: a worker process gets none, and creating it takes 28 ms.
  const json = once(() => staticAsset(JSON.stringify(describe())));
  server.get(getOpenApi.path, routeOf(getOpenApi), (request, reply) =>
    sendStaticAsset(request, reply, json(), JSON_TYPE),
  );
  referenceRoutes(server, publicUrl);
}

function referenceRoutes(server: Server, publicUrl: string): void {
  const start = staticAsset(readFileSync(join(import.meta.dirname, "assets/start-reference.js"), "utf8"));
  const page = staticAsset(referencePage(`docs/start.js?v=${start.hash}`).text);
  const policy = referencePolicy(publicUrl);
  let script: Promise<StaticAsset> | null = null;

  server.get("/docs", (request, reply) => {
    reply.header("content-security-policy", policy);
    return sendStaticAsset(request, reply, page, HTML_TYPE);
  });
  server.get("/docs/start.js", (request, reply) =>
    sendStaticAsset(request, reply, start, { type: SCRIPT_TYPE, cacheControl: IMMUTABLE }),
  );
  server.get("/docs/scalar.js", async (request, reply) => {
    script ??= loadReferenceScript();
    try {
      return sendStaticAsset(request, reply, await script, { type: SCRIPT_TYPE, cacheControl: "no-cache" });
    } catch (error) {
      script = null;
      throw error;
    }
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
