import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { getOpenApi } from "../http/service-operations.ts";
import { WEBHOOKS } from "../webhooks/webhooks.ts";
import { openApiDocument } from "./document.ts";
import { OPERATIONS } from "./operations.ts";
import { referencePage } from "./reference-page.ts";

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` and `/docs`: the interface as this process serves it, for tools and for people. Open to everyone. */
export function openApiRoutes(server: Server, { publicUrl }: { publicUrl: string }): void {
  const apiVersion = server.apiVersions.at(-1)!;
  const interfaces = { publicUrl, operations: OPERATIONS, webhooks: WEBHOOKS };
  const document = openApiDocument({ ...interfaces, apiVersion });
  const css = readFileSync(join(import.meta.dirname, "assets/reference.css"));
  const stylesheet = `docs/reference.css?v=${createHash("sha256").update(css).digest("hex").slice(0, 12)}`;
  // Made when they are first asked for: a worker never is.
  const json = once(() => JSON.stringify(document));
  const page = once(() => referencePage({ ...interfaces, version: apiVersion.version, document, stylesheet }).text);

  server.get(getOpenApi.path, routeOf(getOpenApi), (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(json()),
  );
  server.get("/docs", (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .header("content-security-policy", POLICY)
      .send(page()),
  );
  server.get("/docs/reference.css", (_request, reply) =>
    reply.type("text/css; charset=utf-8").header("cache-control", "public, max-age=31536000, immutable").send(css),
  );
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
