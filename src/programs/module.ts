import type { FoodGroups } from "../foods/catalogue/groups.ts";
import type { Module, Platform } from "../module.ts";
import { programRoutes } from "./routes.ts";
import { createTerms } from "./terms.task.ts";
import type { ProgramTerms } from "./terms.task.ts";

/** The module of programmes: the points rules of applications. */
export interface Programs extends Module {
  readonly terms: ProgramTerms;
}

/** Creates the module of programmes. */
export function createPrograms(platform: Platform, { foodGroups }: { readonly foodGroups: FoodGroups }): Programs {
  const { database, now } = platform;
  const known = { foodGroups: foodGroups.names, foods: foodGroups.foods };
  return {
    terms: createTerms({ database, groupOf: foodGroups.groupOf, now }),
    apiRoutes: (scope) => programRoutes(scope, { ...platform, known }),
  };
}
