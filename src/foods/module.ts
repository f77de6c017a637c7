import type { Module, Platform } from "../module.ts";
import { aliasRoutes, customWordRoutes } from "./aliases/routes.ts";
import { createAlternatives } from "./alternatives/alternatives.ts";
import type { AlternativesOf } from "./alternatives/alternatives.ts";
import { alternativesRoutes } from "./alternatives/routes.ts";
import { readUses } from "./alternatives/uses.store.ts";
import { readCatalogue } from "./catalogue/store.ts";
import type { RaterFor } from "./lookup/item-rater.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { createResolver } from "./lookup/resolve.ts";
import type { Resolver } from "./lookup/resolve.ts";
import { matchRoutes } from "./lookup/routes.ts";
import { lookUp } from "./lookup/store.ts";

/** The module of foods: other domains rate their items by it. */
export interface Foods extends Module {
  readonly rating: Rating;
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

/** Creates the module of foods. Reads the catalogue and builds its index, which takes most of a second. */
export function createFoods(platform: Platform): Foods {
  const { database } = platform;
  const catalogue = readCatalogue();
  const resolver = createResolver(catalogue);
  const alternativesOf = createAlternatives(catalogue, readUses(catalogue), resolver.rateFood);
  return {
    rating: {
      raterFor: async (items) => {
        const found = await lookUp(database, items);
        return (applicationId) => resolver.raterFor(found, applicationId);
      },
      catalogueVersion: catalogue.version,
    },
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
