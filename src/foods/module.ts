import type { Module, Platform } from "../module.ts";
import { aliasRoutes, customWordRoutes } from "./aliases/routes.ts";
import { createAlternatives } from "./alternatives/alternatives.ts";
import type { AlternativesOf } from "./alternatives/alternatives.ts";
import { alternativesRoutes } from "./alternatives/routes.ts";
import { readUses } from "./alternatives/uses.store.ts";
import { foodGroupsOf } from "./catalogue/groups.ts";
import type { FoodGroups } from "./catalogue/groups.ts";
import type { SearchableCatalogue } from "./kept-catalogue.task.ts";
import type { RaterFor } from "./lookup/item-rater.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { createResolver } from "./lookup/resolve.ts";
import type { Resolver } from "./lookup/resolve.ts";
import { matchRoutes } from "./lookup/routes.ts";
import { lookUp } from "./lookup/store.ts";

/** The module of foods: other domains rate their items by it. */
export interface Foods extends Module {
  readonly rating: Rating;
  readonly groups: FoodGroups;
  readonly alternativesOf: AlternativesOf;
  readonly catalogue: Catalogue;
  readonly resolver: Resolver;
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
  const alternativesOf = createAlternatives(catalogue, readUses(catalogue), resolver.rateFood);
  return {
    rating: {
      raterFor: async (items) => {
        const found = await lookUp(database, items);
        return (applicationId) => resolver.raterFor(found, applicationId);
      },
      catalogueVersion: catalogue.version,
    },
    groups: foodGroupsOf(catalogue),
    alternativesOf,
    catalogue,
    resolver,
    apiRoutes: (scope) => {
      matchRoutes(scope, { database, resolver });
      alternativesRoutes(scope, { database, resolver, alternativesOf });
      aliasRoutes(scope, { ...platform, catalogue });
      customWordRoutes(scope, { ...platform, catalogue });
    },
  };
}
