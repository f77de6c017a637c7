import type { Module, Platform } from "../module.ts";
import type { LookupItem } from "./lookup/lookup.ts";
import { createResolver } from "./lookup/resolve.ts";
import type { RaterFor } from "./lookup/resolve.ts";
import { foodRoutes } from "./routes.ts";
import { lookUp, readCatalogue } from "./store.ts";

/** The module of foods: other domains rate their items by it. */
export interface Foods extends Module {
  readonly rating: Rating;
}

/** How items are rated. */
export interface Rating {
  /** One lookup for all items of a batch. */
  readonly raterFor: RaterFor;
  readonly catalogueVersion: string;
}

/** Creates the module of foods. Reads the catalogue and builds its index, which takes most of a second. */
export function createFoods(platform: Platform): Foods {
  const { database } = platform;
  const catalogue = readCatalogue();
  const resolver = createResolver(catalogue);
  return {
    rating: {
      raterFor: async (items: readonly LookupItem[]) => {
        const found = await lookUp(database, items);
        return (applicationId) => resolver.knowing(found, applicationId);
      },
      catalogueVersion: catalogue.version,
    },
    apiRoutes: (scope) => foodRoutes(scope, { ...platform, catalogue, resolver }),
  };
}
