import type { Module, Platform } from "../module.ts";
import { openApiRoutes } from "./routes.ts";

/** Creates the module of the interface's description: `/openapi.json` and `/docs`. */
export function createOpenApi({ publicUrl }: Pick<Platform, "publicUrl">): Module {
  return { routes: (server) => openApiRoutes(server, { publicUrl }) };
}
