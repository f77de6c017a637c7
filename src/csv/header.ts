import { closestWord } from "../did-you-mean.ts";

/** The columns that a table may have. */
export interface TableColumns<Name extends string> {
  readonly names: readonly Name[];
  /** Of each of these lists, the table has at least one column. */
  readonly required: readonly (readonly Name[])[];
}

/** Found names are shown shortened: the file may be no table at all. */
const NAMES_SHOWN = 20;
const NAME_CHARS_SHOWN = 40;

/**
 * Returns the place of each column in the rows, or what is wrong with the header, in one sentence for each error. Names
 * are the same in any letter case, with spaces, hyphens and underscores or without. `ignored` are names of columns that
 * the table may have beside them; `others`: of any name. Otherwise a column of another name is an error: most are
 * misspelt, and their data would be lost in silence.
 */
export function columnsOf<Name extends string>(
  header: readonly string[],
  { names, required }: TableColumns<Name>,
  ignored: readonly string[] | "others",
): { places: ReadonlyMap<Name, number> } | { errors: string[] } {
  const known = new Map(names.map((name) => [plain(name), name]));
  const skipped = new Set(ignored === "others" ? [] : ignored.map(plain));
  const places = new Map<Name, number>();
  const errors: string[] = [];
  for (const [place, given] of header.entries()) {
    const name = known.get(plain(given));
    if (skipped.has(plain(given)) || (name === undefined && ignored === "others")) continue;
    if (name === undefined) {
      const closest = given.length > NAME_CHARS_SHOWN ? null : closestWord(given.trim(), names);
      errors.push(`there is no column ${shown(given)}${closest === null ? "" : `; did you mean ${closest}?`}`);
    } else if (places.has(name)) errors.push(`the column ${name} is there twice`);
    else places.set(name, place);
  }
  for (const list of required) {
    if (!list.some((name) => places.has(name))) errors.push(`the column ${list.join(" or ")} is missing`);
  }
  if (errors.length === 0) return { places };
  const more = errors.length - NAMES_SHOWN;
  return { errors: [...errors.slice(0, NAMES_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])] };
}

function plain(name: string): string {
  return name.replaceAll(/[\uFEFF\s_-]/g, "").toLowerCase();
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, NAME_CHARS_SHOWN));
}
