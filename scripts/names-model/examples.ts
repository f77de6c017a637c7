// Draws examples to train with: a name of a food, printed as a till prints.
import { carbonRatingOf } from "../../src/foods/rating/carbon.ts";
import { isEligible, LANGUAGES } from "../../src/foods/catalogue/catalogue.ts";
import type { Catalogue, Food, Language } from "../../src/foods/catalogue/catalogue.ts";
import { NOTHING } from "../../src/foods/matching/learned/model.ts";
import { tillPrint, unknownWord } from "./till-print.ts";
import type { Random, TillWords } from "./till-print.ts";
import type { Sample, Samples } from "./labels.ts";
import type { Example } from "./train.ts";

/**
 * Shares of the examples: names of nothing, other things than food, lines labelled by hand, names of products; the rest
 * are names of foods.
 */
const SHARES = { nothing: 0.022, things: 0.13, lines: 0.08, products: 0.36 };
/** The share of the examples that come with the language of the name, where it is known. */
const WITH_LANGUAGE = 0.5;
/** Of other things than food, this share is named with a taste or smell (`SHOWER GEL COCONUT`). */
const SCENTED = 0.4;
/** Groups whose foods are such tastes and smells. */
const SCENTS = new Set(
  "fruit vegetable nut herb-spice sweetener milk plant-drink meat-poultry meat-beef fish fat drink".split(" "),
);

/** Lines of tills that name nothing that is sold. */
const TILL_LINES =
  "total;subtotal;sub total;sous total;summe;gesamt;zwischensumme;zu zahlen;totale;subtotale;importe;a pagar;efectivo;tarjeta;cambio;contanti;resto;bancomat;sconto;remise;rabatt;descuento;discount;coupon;voucher;gutschein;promotion;promo;fidelity;carte fidelite;points;payback;mwst;tva;iva;vat;sales tax;change due;cash;visa;mastercard;girocard;rendu;especes;bar;rueckgeld;articles;artikel;articoli;articulos;balance;amount due;saving;multibuy;clubcard;redondeo;arrotondamento;arrondi;rounding;bon reduction;sofortrabatt;preisvorteil;oferta;2a unidad;offerta;3x2;reduced price;markdown;price match;loyalty;member savings;refund;void;annulation;storno;annullo;devolucion;tip;pourboire;trinkgeld;servizio;coperto".split(
    ";",
  );

/** The classes of the model. Groups are divided by carbon rating, so that their probabilities add up to a rating's. */
export interface Classes {
  readonly groups: readonly (readonly string[])[];
  /** The number of a class, counted through the groups, and the group of each. */
  readonly numberOf: (food: Food | null) => number;
  readonly groupOf: readonly number[];
}

/** Returns the classes: the foods of the catalogue without cooked forms, and nothing. */
export function classesOf(catalogue: Catalogue): Classes {
  const byGroup = new Map<string, string[]>();
  const add = (group: string, id: string) => byGroup.set(group, [...(byGroup.get(group) ?? []), id]);
  for (const food of catalogue.foods) if (food.parent === null) add(groupNameOf(food), food.id);
  add("nothing", NOTHING);
  const groups = [...byGroup.values()];
  const numbers = new Map(groups.flat().map((id, number) => [id, number]));
  return {
    groups,
    numberOf: (food) => numbers.get(food === null ? NOTHING : (food.parent ?? food.id))!,
    groupOf: groups.flatMap((ids, group) => ids.map(() => group)),
  };
}

function groupNameOf({ group, kind, carbon }: Food): string {
  if (!carbon) return `${kind} ${group}`;
  return `${group} ${carbonRatingOf(carbon)}`;
}

/** Creates the source of examples. Foods with more names come more often, but not in proportion. */
export function createExamples(catalogue: Catalogue, samples: Samples, classes: Classes): (random: Random) => Example {
  const words = tillWordsOf(catalogue);
  const isThing = ({ food }: Sample) => food !== null && !isEligible(food);
  const common = countByClass(samples.products, classes);
  const foods = createUrn(
    samples.named.filter((sample) => !isThing(sample)),
    classes,
    (count, number) => {
      const products = common.get(number) ?? 0;
      return Math.sqrt(count) * (1 + Math.sqrt(products) / 8);
    },
  );
  const things = createUrn(samples.named.filter(isThing), classes, (count) => count ** 0.8);
  const products = createUrn(
    samples.products.filter((sample) => !isThing(sample)),
    classes,
    (count) => count ** 0.6,
  );
  const scents = createUrn(
    samples.named.filter(({ food }) => food !== null && SCENTS.has(food.group)),
    classes,
    (count) => Math.sqrt(count),
  );
  const lines = createUrn(samples.lines, classes, (count) => count ** 0.8);
  const nothing = classes.numberOf(null);
  const asIs = ({ name, food, language }: Sample, random: Random): Example => ({
    text: name,
    food: classes.numberOf(food),
    language: random() < WITH_LANGUAGE ? language : null,
  });
  const printed = ({ name, food, language }: Sample, scent: string, random: Random): Example => ({
    text: tillPrint(name + scent, words, random, language === null ? undefined : language === "en"),
    food: classes.numberOf(food),
    language: random() < WITH_LANGUAGE ? language : null,
  });

  return (random) => {
    const draw = random();
    if (draw < SHARES.nothing) return { text: nothingOf(words, random), food: nothing, language: anyLanguage(random) };
    if (draw < SHARES.nothing + SHARES.things) {
      const scent = random() < SCENTED ? ` ${scents(random).name.split(" ")[0]}` : "";
      return printed(things(random), scent, random);
    }
    if (draw < SHARES.nothing + SHARES.things + SHARES.lines) return asIs(lines(random), random);
    const isProduct = draw < SHARES.nothing + SHARES.things + SHARES.lines + SHARES.products;
    return printed(isProduct ? products(random) : foods(random), "", random);
  };
}

/** A till's own lines are in any language: without it a known language would mean a food. */
function anyLanguage(random: Random): Language | null {
  return random() < WITH_LANGUAGE ? LANGUAGES[Math.floor(random() * LANGUAGES.length)]! : null;
}

/** The catalogue's brands, and its abbreviations by the word that they mean. */
function tillWordsOf(catalogue: Catalogue): TillWords {
  const short = new Map<string, string[]>();
  for (const [word, meaning] of catalogue.words) {
    if (meaning === "" || meaning.includes(" ") || word.includes(" ")) continue;
    const key = meaning.toLowerCase();
    short.set(key, [...(short.get(key) ?? []), word]);
  }
  // Brands of many foods; one that means a food is an example of it.
  const brands = [...catalogue.brands].flatMap(([brand, food]) => (food ? [] : [brand]));
  return { brands, short };
}

function nothingOf(words: TillWords, random: Random): string {
  const draw = random();
  if (draw < 0.65) return tillPrint(TILL_LINES[Math.floor(random() * TILL_LINES.length)]!, words, random);
  // Words that mean nothing, alone: without them any unknown word would be the commonest food with such letters. They
  // have vowels, since words without are shortened names of foods more often.
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => unknownWord(random)).join(" ");
}

function countByClass(samples: readonly Sample[], classes: Classes): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { food } of samples) {
    const number = classes.numberOf(food);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/** Returns a draw from samples: first the class by its weight, then one of its samples. */
function createUrn(
  samples: readonly Sample[],
  classes: Classes,
  weightOf: (count: number, number: number) => number,
): (random: Random) => Sample {
  const byClass = Map.groupBy(samples, ({ food }) => classes.numberOf(food));
  let total = 0;
  const parts = [...byClass].map(([number, own]) => ({ end: (total += weightOf(own.length, number)), own }));
  return (random) => {
    const draw = random() * total;
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle]!.end < draw) low = middle + 1;
      else high = middle;
    }
    const { own } = parts[low]!;
    return own[Math.floor(random() * own.length)]!;
  };
}
