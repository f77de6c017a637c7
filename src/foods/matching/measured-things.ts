/**
 * Measures that only things nobody eats are sold by: washes, layers, sun protection, lamps and batteries. Of 6,135
 * names of foods none has one of these or those below, of 956 of things 16; of 680,420 products with nutrients some ten
 * have one that is no `cm`. Batteries `R6`, `R14` and `R20` are prices in South Africa (`AVOS 4 FOR R20`).
 */
const OF_THINGS = [
  String.raw`\d ?(?:wash|washes|wl|lavaggi|lav|lavages?|lavados?)`,
  String.raw`\d[ -]?(?:ply|veli|lagig|plis)`,
  String.raw`(?:spf|lsf|fps) ?\d{2}`,
  String.raw`r03|lr(?:03|0?6|14|20)|cr\d{4}|e14|e27|gu10|\d+ ?(?:mah|watt|lumen)`,
];

/**
 * Rolls in other languages than English (which has bread rolls), sheets and centimetres: dough and sweets are sold by
 * them, too (`BLÄTTERTEIG 42X26CM`, `MENTOS 4 ROLLEN`).
 */
const OF_PAPER = [
  // `4 rouleaux de printemps` are eaten, and apples of grade 2 are `KL 2 ROT`.
  String.raw`\d ?(?:rl|rls|rotoli|rlx|roul|rouleaux(?! de)|rollos|rollen)|\drot`,
  // Ten sheets are of nori.
  String.raw`(?:[5-9]|\d\d)\d ?(?:sheets|shts|strappi)`,
  String.raw`\d ?x ?\d{1,3} ?cm`,
];

/** Groups of foods that are rolled up, or laid out in sheets: dough and noodles, sweets, spring rolls. */
const ROLLED = new Set(["grain", "sweet", "ready-meal"]);

const THING = anyOf(OF_THINGS);
const THING_OR_PAPER = anyOf([...OF_THINGS, ...OF_PAPER]);

function anyOf(measures: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d])\d{0,4}?(?:${measures.join("|")})(?![\p{L}\d])`, "iu");
}

/** True where a till's name has a measure that no food of a group is sold by. */
export function isMeasuredAsThing(name: string, group: string): boolean {
  return /\d/.test(name) && (ROLLED.has(group) ? THING : THING_OR_PAPER).test(name);
}
