// Scores the matcher on names labelled with CIQUAL codes, and its confidence: npm run eval:foods -- ../shared/food
// --misses: the wrong names of the halves that may be read. --without-model, --without-country: to see what they give.
// --last: the halves for the end too; --last=j: only that one of them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carbonRating, carbonRatingOf } from "../src/foods/rating/carbon.ts";
import type { Food } from "../src/foods/catalogue/catalogue.ts";
import { parseCsv } from "../src/csv/csv.ts";
import { nutriScore2023 } from "../src/foods/rating/nutri-score.ts";
import type { NutriScoreCategory, Rating } from "../src/foods/rating/nutri-score.ts";
import { readNameModel } from "../src/foods/matching/learned/store.ts";
import { createMatchData } from "../src/foods/matching/match-data.ts";
import { createMatcher } from "../src/foods/matching/match.ts";
import type { NameSource } from "../src/foods/matching/match.ts";
import { createRater } from "../src/foods/rating/rate.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { goodsLanguageOf } from "../src/receipts/goods-language.ts";

interface Label {
  name: string;
  lang: string;
  kind: string;
  expected: string[];
}
const HALVES = [
  "a",
  "b",
  "c",
  "d",
  "e",
  "f",
  "g",
  "h",
  "i",
  "j",
  "k",
  "l",
  "m",
  "n",
  "o",
  "p",
  "q",
  "r",
  "s",
  "t",
  "u",
  "v",
] as const;
/**
 * The part of names.jsonl that a name belongs to. Half a may be read, b is only scored; c was new once and has been
 * read since; d and e are Italian, d may be read, e is only scored. f and g are shorthand of tills in five languages,
 * f may be read, g and h are only scored; h was scored for the first time when all else was done. i and j are like
 * them, a day later; k and l are names that mean a thing in one country or at one price only. i and k may be read; j
 * and l are scored with `--last` alone, and j has been read for 0.10.0. m and n are tills and meals of five languages
 * once more: n may be read, m was written before n and anything that n changed, is not read, and was scored once, at
 * the very end. o is shorthand of chains in eight countries and meals, written before the words of 0.10.0, not read,
 * and scored when these were done. p is German tills and ingredients of recipes, written for 0.11.0 and worked with;
 * q is things of German drugstores, and ingredients with their measures, written for 0.12.0 and worked with; r is
 * lines of tills and ingredients in five languages, written for 0.14.0, scored at first sight and worked with since;
 * s is lines that tills of four chains printed, scored at first sight and worked with since; t is the same of
 * American, British and Italian shops; u is lines of fixtures, slips and price lists of seven countries, and
 * ingredients, scored at first sight and worked with since; v is things that taste or smell of food, written for
 * 0.18.0 and worked with. t, u and v are newer than the model. That is trained on the other halves that were worked
 * with, so only b, e, g, h, j, l, m and o still measure it.
 */
type Half = (typeof HALVES)[number];
/**
 * A line of names.jsonl. `excluded`: the kind of a thing not rated; "none" where nothing may be matched. `foods`: the
 * foods that were meant, where the codes are those of the catalogue's foods; a grade of their own figures is right too.
 */
type OwnLabel = Label & { country: string; excluded?: string; foods?: string[]; half: Half };
const UNREAD = new Set<Half>(["b", "e", "g", "h", "l", "m", "o"]);
/** Halves that are scored when all else is done, with `--last` or, some of them, with `--last=jl`. */
const LAST = new Set<Half>(["j", "l", "m", "o"]);
/** A label with the matcher's result. */
interface Judgement {
  label: Label;
  food: Food | null;
  confidence: number;
  right: boolean;
  carbon: boolean | null;
  health: boolean | null;
}

const RELIABILITY_FROM = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

const [folder = "../shared/food", file = join(folder, "matching.dev.jsonl")] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith("--"));
if (!existsSync(file)) {
  console.error(`No file ${file}. The labelled names are not in the repository: npm run eval:foods -- FOLDER`);
  process.exit(1);
}
const labels = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line): Label => JSON.parse(line));
const table = (name: string, key: string) =>
  new Map(parseCsv(readFileSync(join(folder, name), "utf8")).map((row) => [row[key] ?? "", row]));
const agribalyse = [...table("agribalyse-3.1.1.csv", "code_agb").values()];
const ciqual = table("ciqual-2020.csv", "code_ciqual");
const classes = table("ciqual-nutriscore-defaults.csv", "code_ciqual");

const catalogue = readCatalogue();
const started = performance.now();
const isPlaceless = process.argv.includes("--without-country");
const model = process.argv.includes("--without-model") ? null : readNameModel();
const matcher = createMatcher(catalogue, createMatchData(catalogue), model);
const rater = createRater(catalogue, matcher);
console.log(
  `${catalogue.foods.length} foods, ${catalogue.version}, index built in ${Math.round(performance.now() - started)} ms; ${labels.length} names`,
);

const sourceOf = (kind: string): NameSource => (kind.startsWith("ingredient") ? "meal" : "receipt");
const judgements = new Map<string, Judgement[]>();
const microseconds: number[] = [];
for (const label of labels) {
  if (label.kind === "usda-abbrev") continue; // its labels are USDA numbers, which the catalogue does not carry
  const source = sourceOf(label.kind);
  const begin = process.hrtime.bigint();
  const [first] = matcher.match(label.name, { source, limit: 1 });
  microseconds.push(Number(process.hrtime.bigint() - begin) / 1000);
  judgements.set(label.kind, [
    ...(judgements.get(label.kind) ?? []),
    judge(label, first?.food ?? null, first?.confidence ?? 0),
  ]);
}

for (const [kind, given] of judgements) {
  const accepted = given.filter(({ confidence }) => confidence >= 0.5);
  const carbonKnown = given.filter(({ carbon }) => carbon !== null);
  const share = (part: Judgement[], whole: Judgement[]) =>
    `${((100 * part.length) / Math.max(1, whole.length)).toFixed(1)} %`;
  const of = (list: Judgement[], key: "right" | "carbon" | "health") => list.filter((each) => each[key] === true);
  const known = (list: Judgement[], key: "carbon" | "health") => list.filter((each) => each[key] !== null);
  console.log(`\n${kind} (${given.length} names, read as ${sourceOf(kind)})`);
  console.log(
    `  top-1 ${share(of(given, "right"), given)}; accepted ${share(accepted, given)}, right of those ${share(of(accepted, "right"), accepted)}`,
  );
  console.log(
    `  carbon grade right: ${share(of(known(accepted, "carbon"), "carbon"), known(accepted, "carbon"))} of accepted, ${share(of(known(accepted, "carbon"), "carbon"), carbonKnown)} of all`,
  );
  console.log(
    `  health grade right: ${share(of(known(accepted, "health"), "health"), known(accepted, "health"))} of accepted`,
  );
  if (process.argv.includes("--misses"))
    for (const miss of given.filter(({ right }) => !right))
      console.log(
        `    ${miss.label.name} -> ${miss.food?.id ?? "nothing"} ${miss.confidence} [${miss.label.expected.slice(0, 3).join(" ")}]`,
      );
}

const all = [...judgements.values()].flat();
printReliability(
  "receipt lines and ingredients labelled by hand",
  all.filter(({ label }) => label.kind.endsWith("hand")),
);
printReliability("all names", all);
scoreOwnNames();
console.log(`\nA lookup in the first seconds of a process: ${percentiles(microseconds)}`);
console.log(`A lookup by compiled code, of a name that is asked for the first time: ${percentiles(compiledLookups())}`);

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(0);
  return `median ${at(0.5)} µs, 95 % below ${at(0.95)} µs`;
}

/** The times of looking all labels up once more, by a matcher that has kept none of them. In µs. */
function compiledLookups(): number[] {
  const fresh = createMatcher(catalogue, createMatchData(catalogue), model);
  return labels.flatMap(({ name, kind }) => {
    if (kind === "usda-abbrev") return [];
    const begin = process.hrtime.bigint();
    fresh.match(name, { source: sourceOf(kind), limit: 1 });
    return Number(process.hrtime.bigint() - begin) / 1000;
  });
}

/**
 * Judges a match. It is right where the catalogue's food represents one of the expected codes; its grades are right
 * where they are those of the expected codes' own figures.
 */
function judge(label: Label & { foods?: string[] }, food: Food | null, confidence: number): Judgement {
  const meant = (label.foods ?? []).flatMap((id) => catalogue.byId.get(id) ?? []);
  const right =
    food !== null && (meant.includes(food) || food.ciqualCodes.some((code) => label.expected.includes(code)));
  const carbonExpected = new Set([...label.expected.flatMap(carbonRatingsOf), ...meant.flatMap(ownCarbonRatingOf)]);
  const healthExpected = new Set(label.expected.flatMap(healthRatingOf));
  const rated = food
    ? rater.rate({ foodId: food.id, name: food.name, weight: 100, unit: "g", quantity: 1, nutrition: null }, "receipt")
    : null;
  const isRated = rated?.kind === "rated";
  return {
    label,
    food,
    confidence,
    right,
    carbon: carbonExpected.size === 0 ? null : food?.carbon ? carbonExpected.has(carbonRatingOf(food.carbon)) : false,
    health: healthExpected.size > 0 && isRated ? healthExpected.has(rated.healthRating) : null,
  };
}

function ownCarbonRatingOf({ carbon }: Food): Rating[] {
  return carbon ? [carbonRatingOf(carbon)] : [];
}

/** A concentrate is rated as prepared, so the code of ground coffee is too. */
function carbonRatingsOf(code: string): Rating[] {
  const concentrate = catalogue.foods.find(
    ({ ciqualCodes, carbon }) => carbon?.reconstitution && ciqualCodes.includes(code),
  );
  return agribalyse
    .filter((row) => row["code_ciqual"] === code)
    .map((row) => carbonRating(Number(row["co2e_to_retail_kg_per_kg"]) / (concentrate?.carbon?.reconstitution ?? 1)));
}

function healthRatingOf(code: string): Rating[] {
  const [row, defaults] = [ciqual.get(code), classes.get(code)];
  if (!row || !defaults) return [];
  const cell = (name: string) => (row[name] ? Number(row[name]) : null);
  const energyKcal = cell("energy_kcal");
  const score = nutriScore2023({
    category: defaults["nutriscore_class"] as NutriScoreCategory,
    redMeat: defaults["red_meat"] === "1",
    nonNutritiveSweetener: false,
    per100: {
      energyKj: energyKcal === null ? null : energyKcal * 4.184,
      sugarG: cell("sugar_g"),
      saturatedFatG: cell("satfat_g"),
      fatG: cell("fat_g"),
      saltG: cell("salt_g"),
      fiberG: cell("fiber_g"),
      proteinG: cell("protein_g"),
      fvlPct: Number(defaults["fvl_pct_estimate"]),
    },
  });
  return score ? [score.rating] : [];
}

/** A judged own name. `rated`: accepted as something that is rated. */
type OwnJudgement = Judgement & { label: OwnLabel; accepted: boolean; rated: boolean };

/**
 * Prints figures on eval/names.jsonl: our own names and labels (CC0; codes of CIQUAL 2020), labelled without sight of
 * the catalogue or the matcher. Prints no name of the halves `UNREAD`, so that nothing can be fitted to them.
 */
function scoreOwnNames(): void {
  const own = readFileSync(join(import.meta.dirname, "names.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): OwnLabel => JSON.parse(line));
  const countries = new Set(own.map((label) => label.country));
  const all: OwnJudgement[] = [];
  for (const half of HALVES) {
    if (LAST.has(half) && !isScored(half)) continue;
    const judged = own.filter((label) => label.half === half).map(judgeOwn);
    all.push(...judged);
    console.log(`\nOur own names, half ${half}: foods, in %`);
    printOwnFoods(
      judged.filter(({ label }) => label.excluded === undefined),
      countries,
    );
    printOwnExclusions(judged);
    if (!UNREAD.has(half) && process.argv.includes("--misses")) printOwnMisses(judged);
    printReliability(
      `our own names, half ${half}`,
      judged.filter(({ food }) => food !== null),
    );
  }
  printByLanguage("of all halves", all);
  for (const [half, judged] of Map.groupBy(all, ({ label }) => label.half))
    if (half > "e") printByLanguage(`of half ${half}${UNREAD.has(half) ? ", not read" : ""}`, judged);
}

function isScored(half: Half): boolean {
  const last = process.argv.find((argument) => argument.startsWith("--last"));
  return last === "--last" || last?.slice("--last=".length).includes(half) === true;
}

/** Prints how many receipt lines of each language, and ingredients, have the right carbon grade. */
function printByLanguage(title: string, judged: readonly OwnJudgement[]): void {
  console.log(`\nCarbon grade by language, ${title}: names, accepted, right of accepted, right of all, in %`);
  const partOf = ({ label }: OwnJudgement) => (label.kind === "ingredient" ? "ingredients" : label.lang);
  const known = judged.filter(({ label, carbon }) => label.excluded === undefined && carbon !== null);
  for (const [part, list] of Object.entries(Object.groupBy(known, partOf)).toSorted(([a], [b]) => a.localeCompare(b))) {
    const accepted = list!.filter((each) => each.accepted);
    const right = accepted.filter(({ carbon }) => carbon);
    const cells = [percent(accepted, list!), percent(right, accepted), percent(right, list!)];
    console.log(
      `  ${part.padEnd(12)}${String(list!.length).padStart(5)}${cells.map((cell) => cell.padStart(8)).join("")}`,
    );
  }
  const others = judged.filter(({ label }) => label.excluded !== undefined);
  console.log(
    `  not food, or nothing: ${others.length}, rated as a food ${percent(
      others.filter(({ rated }) => rated),
      others,
    )}`,
  );
}

function judgeOwn(label: OwnLabel): OwnJudgement {
  const source = label.kind === "ingredient" ? "meal" : "receipt";
  const language = source === "meal" || isPlaceless ? null : goodsLanguageOf(label.country);
  const [first] = matcher.match(label.name, { source, limit: 1, language });
  const judgement = judge(label, first?.food ?? null, first?.confidence ?? 0);
  const right = label.excluded === undefined ? judgement.right : first?.food.kind === label.excluded;
  const rated = first?.accepted === true && (first.food.kind === "food" || first.food.kind === "water");
  return { ...judgement, label, right, accepted: first?.accepted === true, rated };
}

function percent(part: readonly unknown[], whole: readonly unknown[]): string {
  return whole.length === 0 ? "–" : ((100 * part.length) / whole.length).toFixed(1);
}

function printOwnFoods(foods: readonly OwnJudgement[], countries: ReadonlySet<string>): void {
  console.log("                   names   top-1  accepted  right of accepted  carbon grade right of accepted / of all");
  for (const kind of ["receipt", "ingredient"])
    for (const country of ["all", ...countries]) {
      const row = foods.filter(({ label }) => label.kind === kind && (country === "all" || label.country === country));
      if (row.length === 0) continue;
      const accepted = row.filter((each) => each.accepted);
      const withCarbon = row.filter(({ carbon }) => carbon !== null);
      const carbonRight = accepted.filter(({ carbon }) => carbon === true);
      const right = (list: readonly OwnJudgement[]) => list.filter((each) => each.right);
      const cells = [
        percent(right(row), row).padStart(8),
        percent(accepted, row).padStart(10),
        percent(right(accepted), accepted).padStart(19),
        percent(
          carbonRight,
          withCarbon.filter((each) => each.accepted),
        ).padStart(32),
        percent(carbonRight, withCarbon).padStart(9),
      ];
      console.log(`  ${kind.padEnd(11)}${country.padEnd(4)}${String(row.length).padStart(7)}${cells.join("")}`);
    }
}

function printOwnExclusions(judged: readonly OwnJudgement[]): void {
  const foods = judged.filter(({ label }) => label.excluded === undefined);
  const things = judged.filter(({ label }) => label.excluded !== undefined && label.excluded !== "none");
  const nothing = judged.filter(({ label }) => label.excluded === "none");
  const share = (of: readonly OwnJudgement[], is: (each: OwnJudgement) => boolean) => `${percent(of.filter(is), of)} %`;
  const recognised = share(things, ({ accepted, right }) => accepted && right);
  console.log(
    `  ${things.length} things not to rate: recognised ${recognised}, rated as a food ${share(things, ({ rated }) => rated)}`,
  );
  console.log(
    `  ${foods.length} foods: taken for something not to rate ${share(foods, (each) => each.accepted && !each.rated)}`,
  );
  const unmatched = share(nothing, ({ accepted }) => !accepted);
  console.log(
    `  ${nothing.length} names of nothing: matched to nothing ${unmatched}, rated as a food ${share(nothing, ({ rated }) => rated)}`,
  );
}

function printOwnMisses(judged: readonly OwnJudgement[]): void {
  for (const { label, food, confidence, right, accepted } of judged) {
    if (label.excluded === "none" ? !accepted : right) continue;
    const expected = label.excluded ?? label.expected.slice(0, 3).join(" ");
    console.log(`    ${label.name} -> ${food?.id ?? "nothing"} ${confidence} [${expected}]`);
  }
}

function printReliability(title: string, list: Judgement[]): void {
  console.log(`\nReliability, ${title}: confidence given -> share right`);
  RELIABILITY_FROM.forEach((from, index) => {
    const to = RELIABILITY_FROM[index + 1] ?? 1.01;
    const bin = list.filter(({ confidence }) => confidence >= from && confidence < to);
    if (bin.length === 0) return;
    const right = bin.filter((each) => each.right).length;
    const mean = bin.reduce((sum, { confidence }) => sum + confidence, 0) / bin.length;
    console.log(
      `  ${from.toFixed(2)}–${Math.min(1, to).toFixed(2)}  given ${(100 * mean).toFixed(0)} %  right ${((100 * right) / bin.length).toFixed(0)} %  of ${bin.length}`,
    );
  });
}
