import { readFileSync } from "node:fs";
import { parseCatalogue } from "./catalogue.ts";
import type { Catalogue } from "./catalogue.ts";

const DATA = new URL("../../data/", import.meta.url);

/** Reads the reference catalogue that ships with the service; once, at start. Throws where the files are broken. */
export function readCatalogue(): Catalogue {
  return parseCatalogue({ foods: readData("foods.csv"), words: readData("receipt-words.csv") });
}

function readData(name: string): string {
  return readFileSync(new URL(name, DATA), "utf8");
}
