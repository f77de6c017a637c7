import { isHeadFirst } from "./words.ts";
import type { NameMatch } from "./name-index.ts";

/**
 * A logistic regression over 7,100 names of which none stands in the catalogue word for word: of hand-labelled lines (half a of the
 * evaluation's own names among them), of Open Food Facts' categories, ingredients and products (coarser labels, so they weigh less).
 * The constant is 0.4 above the fit's, which the coarse labels pull down: hand-labelled names came out eight points too low.
 * The price: on product names, with labels no finer than their category, it is too sure (docs/data.md, "Matching").
 */
const CONFIDENCE = {
  constant: -4.55,
  score: 1.08,
  lead: 2.18,
  groupLead: 1.71,
  similarity: -0.52,
  nameShare: 2.99,
  queryShare: 2.28,
};
const LEAD_MAX = 0.3;
const GROUP_LEAD_MAX = 0.2;

/**
 * What is taken off, as logits, where an unknown word stands in the place of the one that says what the thing is (`tartelette
 * abricot`, `garlic chahan`). Of products of Open Food Facts whose figures lie far from the matched food's there were 41 % among
 * those given 0.8 and more whose first word in French or Spanish was unknown and whose food is a flavour, 35 % where it is another
 * food, 39 and 18 % where the last word was unknown in English or German; 15 % where every word was known.
 */
const UNKNOWN_HEAD_DOUBT = { headFirst: { flavour: 2, other: 0.9 }, headLast: { flavour: 1.3, other: 0.4 } };
/** People who type what they ate leave brands out: a word that nobody knows names a dish (`beef Wellington`). */
const UNKNOWN_DISH_DOUBT = 0.8;

/** A guessed word that fits foods of several groups alike (`VOLLKORN.`: rice, bread, flour or pasta) tells none of them. */
const SURE_SPELLING = 0.97;
const TIE = 0.02;
const TIE_DOUBT = 1.2;

/** Groups that name what something tastes of, sweet or any. */
export const FLAVOURS: ReadonlySet<string> = new Set(
  "fruit fruit-preserved vegetable nut herb-spice sweetener".split(" "),
);
/** Groups of what dishes and products are made of. */
export const INGREDIENTS: ReadonlySet<string> = new Set([
  ...FLAVOURS,
  ..."cheese cream egg fish grain legume meat-beef meat-lamb meat-pork meat-poultry potato".split(" "),
]);

/** How well a name fits, 0..1: what it explains of the query, less so what the query says of it, and whether they speak of the same thing. */
export function scoreOf(match: NameMatch): number {
  const heads = match.headsAgree ? 1 : (match.nameHeadFound ? 0.9 : 0.72) * (match.queryHeadFound ? 0.97 : 0.8);
  return match.queryShare ** 0.9 * Math.sqrt(match.nameShare) * heads;
}

/**
 * The chance that a match is right, by how well it fits, and how far it is ahead of other foods and of those of other groups.
 * `isTyped`: a person wrote the name, and no till.
 */
export function confidenceOf(
  match: NameMatch,
  fit: { score: number; lead: number; groupLead: number; isTyped: boolean },
): number {
  const logit =
    CONFIDENCE.constant +
    CONFIDENCE.score * fit.score +
    CONFIDENCE.lead * Math.max(-LEAD_MAX, Math.min(LEAD_MAX, fit.lead)) +
    CONFIDENCE.groupLead * Math.max(-GROUP_LEAD_MAX / 2, Math.min(GROUP_LEAD_MAX, fit.groupLead)) +
    CONFIDENCE.similarity * match.similarity +
    CONFIDENCE.nameShare * match.nameShare +
    CONFIDENCE.queryShare * match.queryShare -
    doubtOf(match, fit.isTyped) -
    (match.similarity < SURE_SPELLING && fit.groupLead < TIE ? TIE_DOUBT : 0);
  return 1 / (1 + Math.exp(-logit));
}

function doubtOf(match: NameMatch, isTyped: boolean): number {
  if (!match.isHeadUnknown) return 0;
  const { group } = match.name.food;
  if (isHeadFirst(match.name.language))
    return FLAVOURS.has(group) ? UNKNOWN_HEAD_DOUBT.headFirst.flavour : UNKNOWN_HEAD_DOUBT.headFirst.other;
  if (FLAVOURS.has(group)) return UNKNOWN_HEAD_DOUBT.headLast.flavour;
  return isTyped && INGREDIENTS.has(group) ? UNKNOWN_DISH_DOUBT : UNKNOWN_HEAD_DOUBT.headLast.other;
}
