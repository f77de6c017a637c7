import type { Food } from "../catalogue/catalogue.ts";

/** A unit as a number of mg, µl, pieces, portions or packs. */
interface Unit {
  of: keyof typeof MG_PER;
  size: number;
}

/** The weight of one of each in mg, by the food. */
const MG_PER = {
  mg: () => 1,
  ul: (food: Food) => food.densityGPerMl ?? 1,
  piece: (food: Food) => (food.pieceG ?? food.portionG) * 1_000,
  portion: (food: Food) => food.portionG * 1_000,
  pack: (food: Food) => food.packG * 1_000,
};

const MG_PER_OZ = 28_349.523125;
const MG_PER_LB = 453_592.37;
/**
 * US nutrition labels have 240 ml in a cup, 15 in a tablespoon, 5 in a teaspoon. The fluid ounce is the US one, the
 * pint the imperial one of milk and beer.
 */
const UL_PER_FL_OZ = 29_573.5;
const UL_PER_PINT = 568_261.25;

const mass = (size: number): Unit => ({ of: "mg", size });
const volume = (size: number): Unit => ({ of: "ul", size });

/**
 * Every unit with its spellings, without dots and in lower case. Plural endings are stripped where a spelling is not
 * found.
 */
const SPELLINGS: readonly (readonly [Unit, string])[] = [
  [mass(1), "mg milligram milligramme milligramm"],
  [mass(1_000), "g gr gm gram gramme gramm gms grammo grammi"],
  [mass(100_000), "hg etto etti"],
  [mass(1_000_000), "kg kgs kilo kilogram kilogramme kilogramm chilo chili chilogrammo chilogrammi"],
  [mass(MG_PER_OZ), "oz ounce unze once onza"],
  [mass(MG_PER_LB), "lb lbs pound livre libra"],
  [mass(500_000), "pfund"],
  [volume(1_000), "ml millilitre milliliter millilitro millilitri mil"],
  [volume(10_000), "cl centilitre centiliter zentiliter"],
  [volume(100_000), "dl decilitre deciliter deziliter"],
  [volume(1_000_000), "l lt ltr litre liter litro litri"],
  [volume(UL_PER_FL_OZ), "floz fluidounce usfloz"],
  [volume(UL_PER_PINT), "pt pint"],
  [volume(2 * UL_PER_PINT), "qt quart"],
  [volume(3_785_412), "gal gallon"],
  [volume(240_000), "cup tasse tasses taza tazza tazze becher"],
  [
    volume(15_000),
    "tbsp tbs tblsp tablespoon el esslöffel essloffel cas cuilleresoupe cuillereasoupe cuilleréeàsoupe càs cucharada cucchiaio cucchiai",
  ],
  [
    volume(5_000),
    "tsp teaspoon tl teelöffel teeloffel cac càc cuilleracafe cuillereacafe cucharadita cucchiaino cucchiaini",
  ],
  [
    { of: "piece", size: 1 },
    "piece pc ea each unit item stück stück stuck stk st pièce piece pieza unité unite slice scheibe tranche clove egg whole x ct count pezzo pezzi pz fetta fette spicchio spicchi",
  ],
  [{ of: "piece", size: 12 }, "dozen dz doz dutzend douzaine docena dozzina"],
  [{ of: "portion", size: 1 }, "portion serving serve ration porción porcion porzione porzioni helping bowl plate"],
  [
    { of: "pack", size: 1 },
    "pack pk packet package pkg packung paket paquet tin can dose tüte tute boîte boite bottle flasche bouteille jar glas pot tub confezione confezioni lattina lattine scatola scatoletta bottiglia vasetto vasetti busta",
  ],
];

const UNITS = new Map<string, Unit>(
  SPELLINGS.flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit] as const)),
);

/**
 * Returns the mass in whole mg of `amount` of `unit` of a food, or null where the unit is unknown. Volumes weigh by the
 * food's density (1.0 where it has none), pieces and portions by the catalogue; a food without a piece weight uses its
 * portion. No unit: grams.
 */
export function massMgOf(amount: number, unit: string | null, food: Food): number | null {
  const known = findUnit(unit ?? "g");
  return known && Math.round(amount * known.size * MG_PER[known.of](food));
}

/** Returns the mass in whole mg of an unknown thing: only a mass or a volume (as water) gives one. */
export function bareMassMgOf(amount: number, unit: string | null): number | null {
  const known = findUnit(unit ?? "g");
  return known && (known.of === "mg" || known.of === "ul") ? Math.round(amount * known.size) : null;
}

function findUnit(text: string): Unit | null {
  // Most are sent as they are listed.
  const asListed = UNITS.get(text);
  if (asListed) return asListed;
  const key = text
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[\s.()'’-]/g, "");
  for (const plural of ["", "s", "n", "es", "en"]) {
    const unit = key.endsWith(plural) ? UNITS.get(key.slice(0, key.length - plural.length)) : undefined;
    if (unit) return unit;
  }
  return null;
}

/** A size read out of a product's printed name. */
export interface PrintedSize {
  /** The total of everything printed (6X330ML is 1.98 l). */
  amount: number;
  unit: string;
  /** The amount is a number of pieces: `5PK`, `12CT`, `DZ`. */
  isCount: boolean;
}

const NUMBER = String.raw`(\d{1,2}\s\d\/\d|\d+\/\d|\d+(?:[.,]\d+)?)`;
/** American tills print ounces as `Z`, right behind the number. */
const MEASURE = String.raw`(fl\.?\s?oz|mg|kg|g|gr|grm|ml|cl|dl|ltr|lt|l|oz|lbs?|pt|pints?|gal|kilo|litres?|liter|(?<=\d)z)`;
const COUNT = String.raw`(pk|packs?|pck|ct|count|st|stk|stück|stuck|er|pc|pcs|pieces|ea|rolls?|['’]?s|tr|tranches|sachets|beutel|pz|pezzi|filtri|rotoli|capsule|bustine)`;
const MULTIPLE = new RegExp(String.raw`(?<![\w.,])(\d{1,3})\s?[x×*]\s?${NUMBER}\s?${MEASURE}(?![a-zà-ÿ])`, "gi");
/** A size is never behind `&`: `1/2 & 1/2 PT` is half-and-half. */
const SIZE = new RegExp(String.raw`(?<![\w.,/])(?<!&\s?)(?!0+\s)${NUMBER}\s?${MEASURE}(?![a-zà-ÿ])`, "gi");
/**
 * Italian tills print the unit before the number too: `GR.500`, `LT1,5`, `G 450`. One letter is a unit only where its
 * number looks like a size.
 */
const UNIT_BEFORE =
  /(?<![\w.,/])(?=kg|gr|lt|ml|cl|g\.?\s?\d\d|l\.?\s?\d[.,]\d)(kg|gr|lt|ml|cl|g|l)\.?\s?(\d{1,4}(?:[.,]\d{1,3})?)(?![\w%/]|[.,]\d)/gi;
const COUNTED = new RegExp(String.raw`(?<![\w.,/])(?:x\s?)?(\d{1,3})[\s-]?${COUNT}(?![a-zà-ÿ])`, "gi");
const DOZEN = /(?<![a-z])(dz|doz|dozen)(?![a-z])/gi;
const HALF_GALLON = /(?<![a-z])(?:hlf|half|1\/2)\s?gal(?:lon)?(?![a-z])/gi;
const COUNT_BEHIND = /(?<![\w.,])x\s?(\d{1,3})(?![\w.,%])/gi;
const COUNT_BEFORE = /(?<![\w.,])(\d{1,3})\s?x(?=\s|$)/gi;

/** A word that runs into its size, as narrow tills print it (`Sojadrink1l`, `KNOBLAUCH200g`). */
const RUN_INTO = /(?<=\p{L}{3})(?=\d)/gu;
/** A number that runs into the word behind it, as of a department or a tin (`91GRAINES`, `1/5THON`). */
const RUN_OUT = /(?<=(?:^|[\s./*+-])\d{1,3})(?=\p{L}{4})/gu;

/** Splits a printed name into its size and the rest. `ORG SEMI SKM MLK 2PT` is 2 pt of `ORG SEMI SKM MLK`. */
export function readPrintedSize(name: string): { size: PrintedSize | null; rest: string } {
  let size: PrintedSize | null = null;
  let rest = /\d/.test(name) ? name.replaceAll(RUN_INTO, " ") : name;
  const take = (pattern: RegExp, read: (groups: string[]) => PrintedSize) => {
    rest = rest.replace(pattern, (...found: unknown[]) => {
      size ??= read(found.map(String));
      return " ";
    });
  };
  // A name without a number needs two of the eight patterns.
  const hasNumber = /\d/.test(name);
  if (hasNumber)
    take(MULTIPLE, ([, count = "", amount = "", unit = ""]) => measured(Number(count) * numberOf(amount), unit));
  take(HALF_GALLON, () => measured(0.5, "gal"));
  if (hasNumber) {
    take(SIZE, ([, amount = "", unit = ""]) => measured(numberOf(amount), unit));
    take(UNIT_BEFORE, ([, unit = "", amount = ""]) => measured(numberOf(amount), unit));
    take(COUNTED, ([, count = ""]) => ({ amount: Number(count), unit: "piece", isCount: true }));
  }
  take(DOZEN, () => ({ amount: 12, unit: "piece", isCount: true }));
  if (hasNumber) {
    take(COUNT_BEHIND, ([, count = ""]) => ({ amount: Number(count), unit: "piece", isCount: true }));
    take(COUNT_BEFORE, ([, count = ""]) => ({ amount: Number(count), unit: "piece", isCount: true }));
  }
  if (hasNumber) rest = rest.replaceAll(RUN_OUT, " ");
  return { size, rest: rest.replaceAll(/\s+/g, " ").trim() };
}

/** Returns the mass in whole mg of a printed size, or null for a count of a food whose pieces have no weight. */
export function printedMassMg(size: PrintedSize, food: Food): number | null {
  if (size.amount <= 0 || (size.isCount && food.pieceG === null)) return null;
  return massMgOf(size.amount, size.unit, food);
}

/** Units as tills alone print them. */
const PRINTED_UNITS: Readonly<Record<string, string>> = { grm: "g", z: "oz" };

function measured(amount: number, unit: string): PrintedSize {
  const short = unit.toLowerCase().replaceAll(/[\s.]/g, "");
  return { amount, unit: PRINTED_UNITS[short] ?? short, isCount: false };
}

function numberOf(text: string): number {
  const mixed = /^(?:(\d+)\s)?(\d+)\/(\d+)$/.exec(text);
  if (mixed) return Number(mixed[1] ?? 0) + Number(mixed[2]) / Number(mixed[3]);
  return Number(text.replace(",", "."));
}
