import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { Candidate } from "./candidate.ts";
import { fold } from "./words.ts";

/** How a food is preserved, as the ids of the catalogue begin. */
const FORMS = ["frozen", "tinned"] as const;
type Form = (typeof FORMS)[number];

/**
 * Words and short forms on tills that say how a thing is preserved; what is drained was tinned; `4/4` is the
 * French tin of a litre, and `1/2` at the end of a line that of half a litre.
 */
const WORDS: Readonly<Record<Form, RegExp>> = {
  frozen:
    /\b(?:fro?ze?n|froz|frz|fz|tk|tiefk(?:uhl\w*|\b)|tiefgek\w*|gefroren\w*|surg(?:el\w*)?|(?:ultra)?cong(?:el\w*)?)\b/,
  tinned:
    /\b(?:tin(?:s|ned|nd)?|can(?:s|ned|nd)?|cnd|dosen?|konserven?|boites?|bte|conserv[ae]s?|latas?|latta|scatola|drained|abgetropft\w*|egoutte\w*|escurrid\w+|sgocciolat\w+|scolat\w+)\b|\b4\/4(?!\w)|(?<=\S )1\/[24]$/,
};

/** Foods whose preserved forms are named otherwise: frozen peppers are of any colour, tinned tuna of any cut. */
const NAMED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  peppers: ["sweet-pepper", "red-pepper", "green-pepper", "yellow-pepper"],
  tuna: ["tuna-steak"],
  mandarins: ["clementine"],
  "green-beans": ["flat-beans"],
  asparagus: ["white-asparagus"],
  lentils: ["red-lentils"],
  mussels: ["cooked-mussels"],
};

/** The other forms of a food, as far as the catalogue has them. */
export type PreservedForms = ReadonlyMap<Food, Readonly<Partial<Record<Form, Food>>>>;

/**
 * Finds foods that the catalogue has fresh and frozen, tinned or both: `frozen-leeks` and `leek`, `tinned-lentils` and
 * `dried-lentils`. They often have another carbon grade.
 */
export function findPreservedForms({ foods, byId }: Pick<Catalogue, "foods" | "byId">): PreservedForms {
  const families = new Map<string, Map<string, Food>>();
  for (const food of foods) {
    const [form = "", rest = ""] = /^(frozen|tinned)-(.+)$/.exec(food.id)?.slice(1) ?? [];
    if (form === "") continue;
    const singulars = [rest, rest.replace(/s$/, ""), rest.replace(/ies$/, "y"), rest.replace(/oes$/, "o")];
    const family = families.get(rest) ?? new Map<string, Food>();
    family.set(form, food);
    const same = [...singulars.flatMap((each) => [each, `dried-${each}`, `cooked-${each}`]), ...otherNamesOf(rest)];
    for (const id of new Set(same)) {
      const other = byId.get(id);
      if (other) family.set(id, other);
    }
    families.set(rest, family);
  }
  const forms = new Map<Food, Partial<Record<Form, Food>>>();
  for (const family of families.values())
    for (const [own, food] of family)
      for (const form of FORMS) {
        const other = family.get(form);
        if (other && own !== form) forms.set(food, { ...forms.get(food), [form]: other });
      }
  return forms;
}

function otherNamesOf(rest: string): readonly string[] {
  return NAMED_OTHERWISE[rest] ?? [];
}

/** Puts the frozen or tinned form first where the name says so, with the confidence of the food it is a form of. */
export function preferPreserved(
  candidates: readonly Candidate[],
  name: string,
  forms: PreservedForms,
): readonly Candidate[] {
  const [first] = candidates;
  const others = first && forms.get(first.food);
  if (!first || !others) return candidates;
  const folded = fold(name);
  const said = FORMS.filter((form) => WORDS[form].test(folded));
  const preserved = said.length === 1 ? others[said[0]!] : undefined;
  if (!preserved) return candidates;
  return [{ ...first, food: preserved }, ...candidates.slice(1).filter(({ food }) => food !== preserved)];
}
