import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { getOpenApi } from "../http/service-operations.ts";
import { WEBHOOKS } from "../webhooks/webhooks.ts";
import { openApiDocument } from "./document.ts";
import { OPERATIONS } from "./operations.ts";

/** `/openapi.json`: the interface as this process serves it. Made once, wanted by everyone. */
export function openApiRoutes(server: Server, { publicUrl }: { publicUrl: string }): void {
  const document = openApiDocument({
    publicUrl,
    apiVersion: server.apiVersions.at(-1)!,
    operations: OPERATIONS,
    webhooks: WEBHOOKS,
  });
  const json = JSON.stringify(document);

  server.get(getOpenApi.path, routeOf(getOpenApi), (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(json),
  );
}
