import { namesOf } from "./catalogue.ts";
import type { Catalogue, Food } from "./catalogue.ts";
import { createNameIndex } from "./name-index.ts";
import type { NameMatch, QueryWord } from "./name-index.ts";
import { readPrintedSize } from "./quantity.ts";
import { contentWords } from "./words.ts";

/** Where a name comes from decides how it is read: tills abbreviate and sell raw, people log what they ate. */
export type NameSource = "receipt" | "meal" | "food";

/** A food that a name may mean. */
export type Candidate = {
  food: Food;
  /** The name of the food that fitted. */
  matchedName: string;
  /** How likely it is right, 0..1: of the candidates given as 0.9, about nine in ten are. */
  confidence: number;
  /** Sure enough to rate: `confidence` is at least `ACCEPTED_CONFIDENCE`. */
  accepted: boolean;
};

export type Matcher = {
  /** Foods for a name as printed or typed, best first, at most `limit` (5). Empty where no word is known. */
  match: (name: string, options: { source: NameSource; limit?: number }) => Candidate[];
};

/** Below it a match is more likely wrong than right. */
export const ACCEPTED_CONFIDENCE = 0.5;

/** A name that stands in the catalogue word for word. */
const EXACT_CONFIDENCE = 0.99;

const CONFIDENCE = { constant: -4.9, score: 2.3, lead: 0.5, similarity: 0.3, nameShare: 2.05, queryShare: 3.05 };

/** Head to head with a food of another group a match is a toss, so it is not accepted; each hundredth of a lead allows four more. */
const TIE_CONFIDENCE = 0.45;
const TIE_RISE = 4;

/** A longer name is cut: nobody prints more, and the work stays bounded. */
const WORDS_MAX = 16;

/** Words that say whether the food is raw or cooked, so that no prior is needed. */
const RAW_WORDS = new Set("raw dry dried uncooked fresh roh trocken getrocknet ungekocht cru crue secs sec".split(" "));
const COOKED_WORDS = new Set(
  "cooked boiled roast roasted grilled fried steamed baked braised poached gekocht gebraten gegart gegrillt cuit cuite cuits cuites roti grille prepared leftover".split(
    " ",
  ),
);

/** Reads names by the catalogue. Deterministic: equal scores go to the food that stands first in the catalogue. */
export function createMatcher(catalogue: Catalogue): Matcher {
  const isNoise = (word: string) => catalogue.words.get(word) === "";
  const index = createNameIndex(catalogue, isNoise);
  const rank = new Map(catalogue.foods.map((food, position) => [food.id, position]));

  const exact = new Map<string, { food: Food; text: string }>();
  for (const food of catalogue.foods) {
    for (const { text } of namesOf(food)) {
      const key = contentWords(text).join(" ");
      if (key !== "" && !exact.has(key)) exact.set(key, { food, text });
    }
  }

  const readWord = (word: string, isAbbreviated: boolean): QueryWord[] => {
    const readings = index.lexicon.read(word, isAbbreviated);
    if (readings.length === 0) return [{ readings: [], isNoise: isNoise(word) }];
    return readings.map((part) => ({ readings: part, isNoise: isNoise(word) }));
  };

  const readQuery = (words: readonly string[], isAbbreviated: boolean): QueryWord[] => {
    const query = words.flatMap((word): (QueryWord & { word: string })[] => {
      const meaning = catalogue.words.get(word);
      if (!meaning || (!isAbbreviated && index.lexicon.knows(word))) {
        const parts =
          meaning === undefined && word.includes("/") ? word.split("/").filter((part) => part.length > 1) : [word];
        return parts.flatMap((part) => readWord(part, isAbbreviated).map((read) => ({ ...read, word: part })));
      }
      const expanded = contentWords(meaning).flatMap((part) =>
        readWord(part, false).map((read) => ({ ...read, word: part })),
      );
      const [only, ...more] = expanded;
      if (!only || more.length > 0 || !index.lexicon.knows(word)) return expanded;
      // An abbreviation that is a word too (`pot`) keeps both readings; the table's comes first.
      const literal = (readWord(word, false)[0]?.readings ?? []).map((read) => ({
        ...read,
        similarity: read.similarity * 0.9,
      }));
      return [{ ...only, readings: [...only.readings, ...literal] }];
    });
    return query.map((read, place) => {
      const before = query[place - 1];
      const after = query[place + 1];
      const joined = [
        ...(before ? index.lexicon.readJoined(before.word, read.word) : []),
        ...(after ? index.lexicon.readJoined(read.word, after.word) : []),
      ];
      return joined.length > 0 ? { ...read, readings: [...read.readings, ...joined] } : read;
    });
  };

  return {
    match: (name, { source, limit = 5 }) => {
      const words = contentWords(readPrintedSize(name).rest).slice(0, WORDS_MAX);
      if (words.length === 0) return [];
      const best = new Map<string, Scored>();
      for (const match of index.compare(readQuery(words, source === "receipt"))) {
        const { food } = match.name;
        const score = scoreOf(match);
        if (score > (best.get(food.id)?.score ?? 0)) best.set(food.id, { match, score });
      }
      const said = exact.get(words.join(" "));
      const ranked = [...best.values()].sort(
        (a, b) =>
          Number(b.match.name.food === said?.food) - Number(a.match.name.food === said?.food) ||
          b.score - a.score ||
          rank.get(a.match.name.food.id)! - rank.get(b.match.name.food.id)!,
      );
      let ceiling = 1;
      const candidates = ranked.slice(0, limit).map((scored, place) => {
        const candidate = candidateOf(scored, place, ranked, said?.food, ceiling);
        ceiling = candidate.confidence;
        return candidate;
      });
      return source === "receipt" ? candidates : preferCooked(candidates, name, catalogue, limit);
    },
  };
}

type Scored = { match: NameMatch; score: number };

function candidateOf(
  { match, score }: Scored,
  place: number,
  ranked: readonly Scored[],
  said: Food | undefined,
  ceiling: number,
): Candidate {
  const { food } = match.name;
  const leadOn = (isRival: (other: Food) => boolean) =>
    score - (ranked.find((other, at) => at !== place && isRival(other.match.name.food))?.score ?? 0);
  const lead = leadOn((other) => familyOf(other) !== familyOf(food));
  const leadOnOtherGroups = leadOn((other) => other.group !== food.group);
  const fit = food === said ? EXACT_CONFIDENCE : confidenceOf(match, score, lead);
  const tie = food === said ? 1 : TIE_CONFIDENCE + TIE_RISE * Math.max(0, leadOnOtherGroups);
  // A place further down is never the surer one, however its name fits.
  const confidence = Math.round(1_000 * Math.min(fit, tie, ceiling)) / 1_000;
  return { food, matchedName: match.name.text, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}

/** Raw and cooked forms of a food are no rivals: whichever is taken, the food is right. */
function familyOf(food: Food): string {
  return food.parent ?? food.id;
}

/** How well a name fits, 0..1: what it explains of the query, less so what the query says of it, and whether they speak of the same thing. */
export function scoreOf(match: NameMatch): number {
  const heads = match.headsAgree ? 1 : (match.nameHeadFound ? 0.9 : 0.72) * (match.queryHeadFound ? 0.97 : 0.8);
  return match.queryShare ** 0.9 * match.nameShare ** 0.5 * heads;
}

/**
 * The chance that a match is right, by how well it fits, how far it is ahead of the next other food, and how much was guessed.
 * The numbers are a logistic regression over names labelled by hand; `npm run eval:foods` shows how they hold.
 */
export function confidenceOf(match: NameMatch, score: number, lead: number): number {
  const logit =
    CONFIDENCE.constant +
    CONFIDENCE.score * score +
    CONFIDENCE.lead * Math.max(-0.3, lead) +
    CONFIDENCE.similarity * match.similarity +
    CONFIDENCE.nameShare * match.nameShare +
    CONFIDENCE.queryShare * match.queryShare;
  return 1 / (1 + Math.exp(-logit));
}

/** People log rice, pasta and lentils as they eat them: the cooked form goes first where the name leaves it open. */
function preferCooked(candidates: Candidate[], name: string, catalogue: Catalogue, limit: number): Candidate[] {
  const [first] = candidates;
  const cooked = first && isStaple(first.food) ? catalogue.cookedOf.get(first.food.id) : undefined;
  if (!first || !cooked || saysState(name)) return candidates;
  return [{ ...first, food: cooked }, ...candidates.filter(({ food }) => food !== cooked)].slice(0, limit);
}

/** Dry foods that weigh two to three times as much when eaten. */
function isStaple(food: Food): boolean {
  return food.state === "raw" && (food.group === "grain" || food.group === "legume");
}

/** True where a name itself says raw or cooked. */
export function saysState(name: string): boolean {
  return contentWords(name).some((word) => RAW_WORDS.has(word) || COOKED_WORDS.has(word));
}
