// The stored form of what a completed meal or food keeps of its submission (kept.ts): members that are there by the
// bits of a number, then their values. Of a food with nutrition, 42 bytes instead of 173.
import { createPackedJson } from "../../packed-json/packed-json.ts";

// Stored by their places: append only. What has other members is stored as JSON, as is a meal with metadata.

const namesIn = (text: string): string[] => text.split(" ");
const HEAD = namesIn("reference name imageUrl loggedAt mealType country location metadata merchant ingredients");
const INGREDIENT = namesIn("foodId name imageUrl merchant weight unit quantity amount currency nutrition");
const MERCHANT = namesIn("name logo website domain country");
const NUTRITION = namesIn(
  "energyKcal proteinG carbsG fatG sugarG fiberG saltG saturatedFatG fruitsVegetablesLegumesPct",
);
const WORDS = [
  "",
  ...namesIn("g kg ml l piece portion oz lb cup"),
  ...namesIn("GB DE AT CH FR IT ES PT NL BE IE SE DK NO FI PL CZ US"),
  ...namesIn("GBP EUR CHF SEK DKK NOK PLN CZK USD"),
  ...namesIn("breakfast lunch dinner snack other"),
];

const PACKED = createPackedJson({ shapes: [], words: WORDS });
const NOTHING_KNOWN = { ownerId: "", strings: [] };

type Members = Readonly<Record<string, unknown>>;
type Form = (value: unknown) => unknown;

/** Packs a submission; null: it is stored as JSON. */
export function packSubmission(submission: object): Buffer | null {
  return PACKED.pack(headForm(submission), null, NOTHING_KNOWN);
}

/** Returns a submission as a column of JSON returns it. */
export function unpackSubmission(packed: Buffer): object {
  return headOf(PACKED.unpack(packed, NOTHING_KNOWN)) as object;
}

const formOf =
  (names: readonly string[], nested: Readonly<Record<string, Form>>): Form =>
  (value) => {
    // Any other value stays what it is: null, and what no form is for, which then cannot be packed.
    if (typeof value !== "object" || value === null) return value;
    let bits = 0;
    const values: unknown[] = [0];
    const members = value as Members;
    let known = 0;
    for (const [place, name] of names.entries()) {
      const member = members[name];
      if (member === undefined) continue;
      bits += 2 ** place;
      known++;
      values.push(nested[name] ? nested[name](member) : member);
    }
    values[0] = bits;
    return known === definedIn(members) ? values : UNPACKED;
  };

/** Has no packed form. */
const UNPACKED = { isUnknown: true };

function definedIn(members: Members): number {
  let defined = 0;
  for (const name in members) if (members[name] !== undefined) defined++;
  return defined;
}

const valueOf =
  (names: readonly string[], nested: Readonly<Record<string, Form>>): Form =>
  (form) => {
    if (!Array.isArray(form)) return form;
    const [bits, ...values] = form as [number, ...unknown[]];
    const present = names.filter((_, place) => Math.floor(bits / 2 ** place) % 2 === 1);
    return inStoredOrder(
      Object.fromEntries(present.map((name, i) => [name, nested[name] ? nested[name](values[i]) : values[i]])),
    );
  };

const listOf =
  (form: Form): Form =>
  (list) =>
    Array.isArray(list) ? list.map(form) : list;

const merchantForm = formOf(MERCHANT, {});
const ingredientForm = formOf(INGREDIENT, { merchant: merchantForm, nutrition: formOf(NUTRITION, {}) });
const headForm = formOf(HEAD, { merchant: merchantForm, ingredients: listOf(ingredientForm) });

const merchantOf = valueOf(MERCHANT, {});
const ingredientOf = valueOf(INGREDIENT, { merchant: merchantOf, nutrition: valueOf(NUTRITION, {}) });
const headOf = valueOf(HEAD, { merchant: merchantOf, ingredients: listOf(ingredientOf) });

/** Orders members as a column of JSON returns them, by length and then by name, so that responses stay the same. */
export function inStoredOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}
