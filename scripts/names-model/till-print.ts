// Prints names as tills do: words cut or without vowels, joined by full stops, with brands, sizes and packs.

/** A source of random numbers from 0 to 1. */
export type Random = () => number;

/** What tills add to names, and how they shorten words. */
export interface TillWords {
  readonly brands: readonly string[];
  /** Short forms by the word, lower case. */
  readonly short: ReadonlyMap<string, readonly string[]>;
}

/** Small words that tills leave out first. */
const SMALL = new Set(
  "and or of the a an with in for to from on de du des la le les l d au aux et en pour avec sans un une und mit im von vom der die das den dem y con del el los las al por para sin una di della dello dei degli delle alla alle allo ai agli il gli lo i ed e da nel nella senza per uno".split(
    " ",
  ),
);

/** What a till adds that says nothing about the food. */
const ADDED =
  "1KG 500G 250G 400G 1L 75CL 6X1.5L 200G X4 X6 X12 2PK 4PK 6PK 12CT 10ST 6ER 3ER 100G 750G 16OZ 5LB 2LB 1.5L 33CL 125G BIO ORG VRAC PCE STK ST UD PZ KG EA LSE PK BTL NETZ SACHET FILET BARQ LOT GRANEL MALLA BDJA BOLSA CONF SACC CEST VASC SFUSO SFUSE BDL BUND SCHALE PCK PACK PKT BAG BNCH EACH CT FAM MAXI XXL SCH SCHEIB GESCHN LOSE LONCH TARRINA BRIK TROZOS FETTE AFF TR TRANCH SUP ORIG EXTRA TRAD PREM CLASSIC FR IT ES DE UK EU FQC QS LR AOP IGP HB BR ECO SEL N5 T55 A.Q. S/P".split(
    " ",
  );

/** What tills say is left out, by language (`SANDIA S/PEPITAS`). */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  en: ["no added sugar", "seedless", "skinless", "bnls", "unsltd", "lactose free", "gluten free", "no salt"],
  de: ["ohne Haut", "o. Zucker", "kernlos", "ohne Knochen", "laktosefrei", "glutenfrei", "zuckerfrei", "ohne Salz"],
  fr: ["s/sel", "sans sucre", "s/peau", "s/os", "sans gluten", "s/lactose", "sans arêtes", "s/pépins", "s/sucre"],
  es: ["s/pepitas", "sin piel", "s/hueso", "sin sal", "s/gluten", "s/lactosa", "sin azúcar", "s/azúcar", "s/espinas"],
  it: ["s/semi", "senza pelle", "s/osso", "senza sale", "s/glutine", "s/lattosio", "senza zuccheri", "s/zucch."],
};

const INITIALS = "a b c d e f g h i j k l m n o p r s t v w".split(" ");
const CONSONANTS = "b c d f g h j k l m n p r s t v w z br cl st sch".split(" ");
const VOWELS = "a e i o u".split(" ");
const CODAS = "l n r s t k".split(" ");
const VOWEL = /[aeiouy]/gi;

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)]!;
}

function withoutVowels(word: string): string {
  const [first = ""] = word;
  return first + word.slice(1).replaceAll(VOWEL, "");
}

function cut(word: string, random: Random): string {
  const least = word.length > 6 ? 3 : 2;
  const length = least + Math.floor(random() * Math.min(4, word.length - least));
  // Some tills leave two letters of it (`PR. COTTO`).
  return word.slice(0, Math.max(random() < 0.08 ? 2 : 3, length));
}

type Manner = "plain" | "cut" | "consonants" | "mixed";

function spell(word: string, manner: Manner, { short }: TillWords, random: Random): string {
  const known = manner === "plain" ? undefined : short.get(word.toLowerCase());
  if (known && random() < 0.35) return pick(known, random);
  if (manner === "plain" || word.length < 4 || !/^[a-z]+$/i.test(word)) return word;
  const own = manner === "mixed" ? pick(["plain", "cut", "consonants"] as const, random) : manner;
  if (own === "cut" && word.length > 4 && random() < 0.7) return `${cut(word, random)}${random() < 0.75 ? "." : ""}`;
  if (own === "consonants" && random() < 0.8) {
    const bare = withoutVowels(word);
    const kept = random() < 0.35 ? bare.replaceAll(/(.)\1/g, "$1") : bare;
    return kept.length < 2 ? word : random() < 0.25 && kept.length > 4 ? kept.slice(0, 4) : kept;
  }
  return word;
}

/** How names are shortened, by the manners' frequency: English tills leave out vowels, others cut words. */
const MANNERS: Readonly<Record<"english" | "other", readonly Manner[]>> = {
  english: ["plain", "plain", "cut", "cut", "consonants", "consonants", "consonants", "consonants", "mixed", "mixed"],
  other: ["plain", "plain", "cut", "cut", "cut", "cut", "cut", "cut", "consonants", "mixed"],
};

/** Returns a name as a till may print it. */
export function tillPrint(
  name: string,
  tillWords: TillWords,
  random: Random,
  language: string | null,
  brands = tillWords.brands,
): string {
  const isEnglish = language === null ? random() < 0.4 : language === "en";
  const manner = pick(MANNERS[isEnglish ? "english" : "other"], random);
  let words = name.split(/[\s,()'’/-]+/).filter((word) => word !== "");
  if (words.length > 1 && random() < 0.8) words = words.filter((word) => !SMALL.has(word.toLowerCase()));
  if (words.length > 3 && random() < 0.4) words.splice(1 + Math.floor(random() * (words.length - 1)), 1);
  if (words.length > 5) words = words.slice(0, 5);
  // A word that no catalogue has: a range, a place, a till's own code.
  if (random() < UNKNOWN) words.splice(Math.floor(random() * (words.length + 1)), 0, unknownWord(random));
  const spelt = words.map((word) => spell(word, manner, tillWords, random));
  // `B/NUT SQSH`, `P.FEUILL.`
  const [first = "", second] = spelt;
  if (second !== undefined && first.length > 2 && random() < INITIAL)
    spelt.splice(0, 2, `${first[0]}${pick(["/", "."], random)}${second}`);
  let text = "";
  for (const word of spelt) {
    const isJoined = text.endsWith(".") && random() < 0.5;
    text += text === "" || isJoined ? word : ` ${word}`;
  }
  if (random() < 0.25) text = `${initials(brands, random)} ${text}`;
  if (language !== null && random() < WITHOUT) text += ` ${pick(LEFT_OUT[language]!, random)}`;
  if (random() < 0.45) text += ` ${pick(ADDED, random)}`;
  if (random() < 0.12) text += ` ${pick(ADDED, random)}`;
  return text;
}

/** The share of names with a word that means nothing. */
const UNKNOWN = 0.15;

/** The share whose first word is an initial, and the share that says what is left out. */
const INITIAL = 0.03;
const WITHOUT = 0.03;

/** Returns a word of one to three syllables that means nothing. */
export function unknownWord(random: Random): string {
  let word = "";
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1)
    word += pick(CONSONANTS, random) + pick(VOWELS, random) + (random() < 0.3 ? pick(CODAS, random) : "");
  return word;
}

/** A brand, cut to a few letters as tills do (`GV`, `KRO`). */
function initials(brands: readonly string[], random: Random): string {
  const brand = pick(brands, random);
  const draw = random();
  if (draw < 0.35) return brand;
  if (draw < 0.65) return brand.slice(0, 3);
  return pick(INITIALS, random) + pick(INITIALS, random);
}
