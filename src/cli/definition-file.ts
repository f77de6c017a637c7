import { readFileSync } from "node:fs";
import { foodGroupsOf } from "../foods/catalogue/groups.ts";
import { readCatalogue } from "../foods/catalogue/store.ts";
import type { ProgramDefinition } from "../programs/definition.ts";
import { readDefinition } from "../programs/read-definition.ts";
import { Refusal, refusalOf } from "./command.ts";

const FILE_BYTES_MAX = 1_000_000;

/** Reads the definition of a programme; refuses what is none, with every error. */
export function definitionIn(file: string): ProgramDefinition {
  let json: string;
  try {
    json = readFileSync(file, "utf8");
  } catch {
    throw new Refusal("the file cannot be opened");
  }
  if (json.length > FILE_BYTES_MAX) throw new Refusal("the file is too large for a programme");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Refusal("the file is no JSON");
  }
  const { names: foodGroups, foods } = foodGroupsOf(readCatalogue());
  const read = readDefinition(value, { foodGroups, foods });
  if ("errors" in read) throw refusalOf(read.errors);
  return read;
}
