import type { Module, Platform } from "../module.ts";
import { aliasRoutes, customWordRoutes } from "./aliases/routes.ts";
import { foodGroupsOf } from "./catalogue/groups.ts";
import type { FoodGroups } from "./catalogue/groups.ts";
import type { SearchableCatalogue } from "./kept-catalogue.task.ts";
import type { RaterFor } from "./lookup/item-rater.ts";
import { createResolver } from "./lookup/resolve.ts";
import { matchRoutes } from "./lookup/routes.ts";
import { lookUp } from "./lookup/store.ts";

/** The module of foods: other domains rate their items by it. */
export interface Foods extends Module {
  readonly rating: Rating;
  readonly groups: FoodGroups;
}

/** How items are rated. */
export interface Rating {
  /** One lookup for all items of a batch. */
  readonly raterFor: RaterFor;
  readonly catalogueVersion: string;
}

/** Creates the module of foods on the catalogue and its index. */
export function createFoods(platform: Platform, { catalogue, matcher }: SearchableCatalogue): Foods {
  const { database } = platform;
  const resolver = createResolver(catalogue, matcher);
  return {
    rating: {
      raterFor: async (items) => {
        const found = await lookUp(database, items);
        return (applicationId) => resolver.raterFor(found, applicationId);
      },
      catalogueVersion: catalogue.version,
    },
    groups: foodGroupsOf(catalogue),
    apiRoutes: (scope) => {
      matchRoutes(scope, { database, resolver });
      aliasRoutes(scope, { ...platform, catalogue });
      customWordRoutes(scope, { ...platform, catalogue });
    },
  };
}
