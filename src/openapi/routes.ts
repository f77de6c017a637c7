import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IMMUTABLE, staticAsset, sendStaticAsset } from "../http/static-asset.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { getOpenApi } from "../http/service-operations.ts";
import { API_VERSIONS } from "../http/version.ts";
import { WEBHOOKS } from "../webhooks/webhooks.ts";
import { openApiDocument } from "./document.ts";
import { OPERATIONS } from "./operations.ts";
import { referencePage } from "./reference-page.ts";

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` and `/docs`: the interface as this process serves it, for tools and for people. Open to everyone. */
export function openApiRoutes(server: Server, { publicUrl }: { publicUrl: string }): void {
  const apiVersion = API_VERSIONS.at(-1)!;
  const interfaces = { publicUrl, operations: OPERATIONS, webhooks: WEBHOOKS };
  const document = openApiDocument({ ...interfaces, apiVersion });
  const css = readFileSync(join(import.meta.dirname, "assets/reference.css"), "utf8");
  const stylesheet = `docs/reference.css?v=${createHash("sha256").update(css).digest("hex").slice(0, 12)}`;
  // Made when they are first asked for: a worker never is.
  const json = once(() => staticAsset(JSON.stringify(document)));
  const page = once(() =>
    staticAsset(referencePage({ ...interfaces, version: apiVersion, document, stylesheet }).text),
  );
  const style = staticAsset(css);

  server.get(getOpenApi.path, routeOf(getOpenApi), (request, reply) =>
    sendStaticAsset(request, reply, json(), { type: "application/json; charset=utf-8", cacheControl: "no-cache" }),
  );
  server.get("/docs", (request, reply) => {
    reply.header("content-security-policy", POLICY);
    return sendStaticAsset(request, reply, page(), { type: "text/html; charset=utf-8", cacheControl: "no-cache" });
  });
  server.get("/docs/reference.css", (request, reply) =>
    sendStaticAsset(request, reply, style, { type: "text/css; charset=utf-8", cacheControl: IMMUTABLE }),
  );
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
