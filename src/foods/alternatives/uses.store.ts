import { readFileSync } from "node:fs";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { parseUses } from "./uses.ts";
import type { UseForm } from "./uses.ts";

const USES = new URL("../../../reference/uses.csv", import.meta.url);

/** Reads what the foods of the catalogue are used for. Throws where the file that ships with the service is broken. */
export function readUses(catalogue: Catalogue): UseForm[] {
  return parseUses(readFileSync(USES, "utf8"), catalogue);
}
