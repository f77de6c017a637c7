import { readFileSync } from "node:fs";
import type { Catalogue } from "./catalogue.ts";
import { parseCatalogue } from "./parse.ts";
import type { CatalogueFiles } from "./parse.ts";

const REFERENCE = new URL("../../../reference/", import.meta.url);

let catalogue: Catalogue | undefined;

/** Reads the reference catalogue that ships with the service; once, at start. Throws where the files are broken. */
export function readCatalogue(): Catalogue {
  return (catalogue ??= parseCatalogue(readCatalogueFiles()));
}

/** Reads the texts of the reference catalogue. */
export function readCatalogueFiles(): Required<CatalogueFiles> {
  return {
    foods: readReference("foods.csv"),
    words: readReference("till-abbreviations.csv"),
    brands: readReference("brands.csv"),
    model: readReference("names-model/model.json"),
  };
}

function readReference(name: string): string {
  return readFileSync(new URL(name, REFERENCE), "utf8");
}
