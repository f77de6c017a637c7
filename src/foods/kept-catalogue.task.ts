import { readdirSync, readFileSync } from "node:fs";
import { Deserializer, Serializer } from "node:v8";
import { keptFile } from "../kept-file.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { parseCatalogue } from "./catalogue/parse.ts";
import { readCatalogueFiles } from "./catalogue/store.ts";
import { readNameModel } from "./matching/learned/store.ts";
import { createMatchData } from "./matching/match-data.ts";
import type { MatchData } from "./matching/match-data.ts";
import { createMatcher } from "./matching/match.ts";
import type { Matcher } from "./matching/match.ts";

/** The folders and files of the programs that make the catalogue and its index: all that they import is in them. */
export const PROGRAMS = [
  "catalogue/",
  "matching/",
  "../csv/",
  "../edit-distance.ts",
  "kept-catalogue.task.ts",
] as const;

/** The reference catalogue, and what finds foods in it by their names. */
export interface SearchableCatalogue {
  readonly catalogue: Catalogue;
  readonly matcher: Matcher;
}

/** The reference catalogue with its index, which refers to the same foods. */
interface Kept {
  readonly catalogue: Catalogue;
  readonly data: MatchData;
}

let current: Promise<SearchableCatalogue> | undefined;

/** Returns the reference catalogue of this release, read once in a process. See `readKeptCatalogue`. */
export function keptCatalogue(folder: string): Promise<SearchableCatalogue> {
  return (current ??= readKeptCatalogue(folder));
}

/**
 * Reads the reference catalogue and its index from `folder`. Where it has none of this release (catalogue, programs and
 * Node), makes them and writes the file: that takes half a second of each start otherwise. Throws where the catalogue
 * is broken.
 */
export async function readKeptCatalogue(folder: string): Promise<SearchableCatalogue> {
  const files = readCatalogueFiles();
  const bytes = await keptFile(folder, {
    name: "foods",
    type: "v8",
    from: [
      process.version,
      process.arch,
      files.foods,
      files.words,
      files.brands,
      files.model,
      ...PROGRAMS.flatMap(readPrograms),
    ],
    make: () => {
      const catalogue = parseCatalogue(files);
      return toBytes({ catalogue, data: createMatchData(catalogue) });
    },
  });
  const { catalogue, data } = fromBytes(bytes);
  return { catalogue, matcher: createMatcher(catalogue, data, readNameModel()) };
}

// Not v8.deserialize: its typed arrays are views of the bytes, and would keep all 5 MB in memory.
function toBytes(kept: Kept): Uint8Array {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(kept);
  return serializer.releaseBuffer();
}

function fromBytes(bytes: Uint8Array): Kept {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue() as Kept;
}

/** Returns the texts of the programs of a folder, or of one. */
function readPrograms(path: string): Buffer[] {
  const url = new URL(path, import.meta.url);
  if (!path.endsWith("/")) return [readFileSync(url)];
  const names = readdirSync(url).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return names.sort().map((name) => readFileSync(new URL(name, url)));
}
