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

  const read = (word: string): QueryWord[] => {
    const readings = index.lexicon.read(word);
    if (readings.length === 0) return [{ readings: [], isNoise: isNoise(word) }];
    return readings.map((part) => ({ readings: part, isNoise: isNoise(word) }));
  };

  const readQuery = (name: string, source: NameSource): QueryWord[] => {
    const words = contentWords(readPrintedSize(name).rest).slice(0, WORDS_MAX);
    return words.flatMap((word) => {
      const meaning = catalogue.words.get(word);
      if (meaning && (source === "receipt" || !index.lexicon.knows(word))) {
        const expanded = contentWords(meaning).flatMap(read);
        // An abbreviation that is a word too (`pot`) keeps both readings; the table's comes first.
        const [only, ...more] = expanded;
        if (only && more.length === 0 && index.lexicon.knows(word)) {
          const literal = read(word)[0]?.readings ?? [];
          return [
            {
              ...only,
              readings: [...only.readings, ...literal.map((r) => ({ ...r, similarity: r.similarity * 0.9 }))],
            },
          ];
        }
        return expanded;
      }
      if (word.includes("/"))
        return word
          .split("/")
          .filter((part) => part.length > 1)
          .flatMap(read);
      return read(word);
    });
  };

  return {
    match: (name, { source, limit = 5 }) => {
      const query = readQuery(name, source);
      if (query.length === 0) return [];
      const best = new Map<string, { match: NameMatch; score: number }>();
      for (const match of index.compare(query)) {
        const score = scoreOf(match);
        const sofar = best.get(match.name.food.id);
        if (!sofar || score > sofar.score) best.set(match.name.food.id, { match, score });
      }
      const ranked = [...best.values()].sort(
        (a, b) => b.score - a.score || rank.get(a.match.name.food.id)! - rank.get(b.match.name.food.id)!,
      );
      const runnerUp = ranked[1]?.score ?? 0;
      const candidates = ranked.slice(0, limit).map(({ match, score }, place) => {
        const confidence = confidenceOf(match, score, place === 0 ? score - runnerUp : score - ranked[0]!.score);
        return {
          food: match.name.food,
          matchedName: match.name.text,
          confidence,
          accepted: confidence >= ACCEPTED_CONFIDENCE,
        };
      });
      return source === "receipt" ? candidates : preferCooked(candidates, name, catalogue, limit);
    },
  };
}

/** How well a name fits, 0..1: what it explains of the query, and less so what the query says of it. */
export function scoreOf(match: NameMatch): number {
  const heads = (match.nameHeadFound ? 1 : 0.75) * (match.queryHeadFound ? 1 : 0.8);
  return match.queryShare ** 0.9 * match.nameShare ** 0.5 * heads;
}

/** The chance that a match is right, by how well it fits and by how far ahead of the next food it is. */
export function confidenceOf(match: NameMatch, score: number, lead: number): number {
  const logit = -4 + 6 * score + 4 * lead + 1 * match.queryShare + 0.5 * match.nameShare;
  return Math.round(1000 / (1 + Math.exp(-logit))) / 1000;
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
