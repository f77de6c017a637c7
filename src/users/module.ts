import type { Module, Platform } from "../module.ts";
import { userRoutes } from "./routes.ts";

/** Creates the module of users. */
export function createUsers(platform: Platform): Module {
  return { apiRoutes: (scope) => userRoutes(scope, platform) };
}
