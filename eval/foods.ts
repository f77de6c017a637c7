// npm run eval:foods -- ../shared/food: how often the matcher is right on names labelled with CIQUAL codes, and how sure it was.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carbonRating } from "../src/foods/rating/carbon.ts";
import type { Food } from "../src/foods/catalogue/catalogue.ts";
import { parseCsv } from "../src/foods/csv/csv.ts";
import { nutriScore2023 } from "../src/foods/rating/health.ts";
import type { NutriScoreCategory, Rating } from "../src/foods/rating/health.ts";
import { createMatcher } from "../src/foods/matching/match.ts";
import type { NameSource } from "../src/foods/matching/match.ts";
import { createRater } from "../src/foods/rating/rate.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";

interface Label {
  name: string;
  lang: string;
  kind: string;
  expected: string[];
}
/** A line of names.jsonl. `excluded`: the kind of a thing not rated, "none" where nothing may be matched. Half a may be read, b is only scored; c was fresh once and has been read since; d and e are Italian, d may be read, e is only scored. */
type Half = "a" | "b" | "c" | "d" | "e";
type OwnLabel = Label & { country: string; excluded?: string; half: Half };
const UNREAD = new Set<Half>(["b", "e"]);
interface Answer {
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
if (!existsSync(file)) throw new Error(`No such file: ${file}. Say which folder holds matching.dev.jsonl.`);
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
const matcher = createMatcher(catalogue);
const rater = createRater(catalogue, matcher);
console.log(
  `${catalogue.foods.length} foods, ${catalogue.version}, index built in ${Math.round(performance.now() - started)} ms; ${labels.length} names`,
);

const sourceOf = (kind: string): NameSource => (kind.startsWith("ingredient") ? "meal" : "receipt");
const responses = new Map<string, Answer[]>();
const microseconds: number[] = [];
for (const label of labels) {
  if (label.kind === "usda-abbrev") continue; // its answers are USDA numbers, which the catalogue does not carry
  const source = sourceOf(label.kind);
  const begin = process.hrtime.bigint();
  const [first] = matcher.match(label.name, { source, limit: 1 });
  microseconds.push(Number(process.hrtime.bigint() - begin) / 1000);
  responses.set(label.kind, [
    ...(responses.get(label.kind) ?? []),
    judge(label, first?.food ?? null, first?.confidence ?? 0),
  ]);
}

for (const [kind, given] of responses) {
  const answered = given.filter(({ confidence }) => confidence >= 0.5);
  const carbonKnown = given.filter(({ carbon }) => carbon !== null);
  const share = (part: Answer[], whole: Answer[]) =>
    `${((100 * part.length) / Math.max(1, whole.length)).toFixed(1)} %`;
  const of = (list: Answer[], key: "right" | "carbon" | "health") => list.filter((response) => response[key] === true);
  const known = (list: Answer[], key: "carbon" | "health") => list.filter((response) => response[key] !== null);
  console.log(`\n${kind} (${given.length} names, read as ${sourceOf(kind)})`);
  console.log(
    `  top-1 ${share(of(given, "right"), given)}; answered ${share(answered, given)}, right of those ${share(of(answered, "right"), answered)}`,
  );
  console.log(
    `  carbon grade right: ${share(of(known(answered, "carbon"), "carbon"), known(answered, "carbon"))} of answered, ${share(of(known(answered, "carbon"), "carbon"), carbonKnown)} of all`,
  );
  console.log(
    `  health grade right: ${share(of(known(answered, "health"), "health"), known(answered, "health"))} of answered`,
  );
  if (process.argv.includes("--misses"))
    for (const miss of given.filter(({ right }) => !right))
      console.log(
        `    ${miss.label.name} -> ${miss.food?.id ?? "nothing"} ${miss.confidence} [${miss.label.expected.slice(0, 3).join(" ")}]`,
      );
}

const all = [...responses.values()].flat();
printReliability(
  "receipt lines and ingredients labelled by hand",
  all.filter(({ label }) => label.kind.endsWith("hand")),
);
printReliability("all names", all);
scoreOwnNames();
microseconds.sort((a, b) => a - b);
const at = (share: number) => microseconds[Math.floor(microseconds.length * share)]?.toFixed(0);
console.log(`\nA look-up: median ${at(0.5)} µs, 95 % below ${at(0.95)} µs`);

/** Right where the catalogue's food stands for one of the expected codes; grades are those of the expected codes' own figures. */
function judge(label: Label, food: Food | null, confidence: number): Answer {
  const right = food?.ciqualCodes.some((code) => label.expected.includes(code)) ?? false;
  const carbonExpected = new Set(label.expected.flatMap(carbonRatingsOf));
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
    carbon:
      carbonExpected.size === 0
        ? null
        : food?.carbon
          ? carbonExpected.has(carbonRating(food.carbon.co2eGPerKg / 1000))
          : false,
    health: healthExpected.size > 0 && isRated ? healthExpected.has(rated.healthRating) : null,
  };
}

function carbonRatingsOf(code: string): Rating[] {
  return agribalyse
    .filter((row) => row["code_ciqual"] === code)
    .map((row) => carbonRating(Number(row["co2e_to_retail_kg_per_kg"])));
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

/**
 * Figures on eval/names.jsonl: names and labels of our own (CC0; codes of CIQUAL 2020), labelled without sight of
 * the catalogue or the matcher. Of halves b and e no name is printed, so that nothing can be fitted to it.
 */
function scoreOwnNames(): void {
  const own = readFileSync(join(import.meta.dirname, "names.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): OwnLabel => JSON.parse(line));
  for (const half of ["a", "b", "c", "d", "e"] as const) {
    const given = own
      .filter((label) => label.half === half)
      .map((label) => {
        const source = label.kind === "ingredient" ? "meal" : "receipt";
        const [first] = matcher.match(label.name, { source, limit: 1 });
        const response = judge(label, first?.food ?? null, first?.confidence ?? 0);
        const right = label.excluded === undefined ? response.right : first?.food.kind === label.excluded;
        const rated = first?.accepted === true && (first.food.kind === "food" || first.food.kind === "water");
        return { ...response, label, right, accepted: first?.accepted === true, rated };
      });
    type OwnAnswer = (typeof given)[number];
    const percent = (part: OwnAnswer[], whole: OwnAnswer[]) =>
      whole.length === 0 ? "–" : ((100 * part.length) / whole.length).toFixed(1);
    const isThing = ({ label }: OwnAnswer) => label.excluded !== undefined && label.excluded !== "none";

    console.log(`\nOur own names, half ${half}: foods, in %`);
    console.log(
      "                   names   top-1  answered  right of answered  carbon grade right of answered / of all",
    );
    const foods = given.filter(({ label }) => label.excluded === undefined);
    for (const kind of ["receipt", "ingredient"])
      for (const country of ["all", ...new Set(own.map((label) => label.country))]) {
        const row = foods.filter(
          ({ label }) => label.kind === kind && (country === "all" || label.country === country),
        );
        if (row.length === 0) continue;
        const answered = row.filter(({ accepted }) => accepted);
        const withCarbon = row.filter(({ carbon }) => carbon !== null);
        const carbonRight = answered.filter(({ carbon }) => carbon === true);
        const cells = [
          percent(
            row.filter(({ right }) => right),
            row,
          ).padStart(8),
          percent(answered, row).padStart(10),
          percent(
            answered.filter(({ right }) => right),
            answered,
          ).padStart(19),
          percent(
            carbonRight,
            withCarbon.filter(({ accepted }) => accepted),
          ).padStart(32),
          percent(carbonRight, withCarbon).padStart(9),
        ];
        console.log(`  ${kind.padEnd(11)}${country.padEnd(4)}${String(row.length).padStart(7)}${cells.join("")}`);
      }
    const things = given.filter(isThing);
    const nothing = given.filter(({ label }) => label.excluded === "none");
    const share = (of: OwnAnswer[], is: (response: OwnAnswer) => boolean) => `${percent(of.filter(is), of)} %`;
    console.log(
      `  ${things.length} things not to rate: recognised ${share(things, ({ accepted, right }) => accepted && right)}, rated as a food ${share(things, ({ rated }) => rated)}`,
    );
    console.log(
      `  ${foods.length} foods: taken for something not to rate ${share(foods, (a) => a.accepted && !a.rated)}`,
    );
    console.log(
      `  ${nothing.length} names of nothing: matched to nothing ${share(nothing, ({ accepted }) => !accepted)}, rated as a food ${share(nothing, ({ rated }) => rated)}`,
    );
    if (!UNREAD.has(half) && process.argv.includes("--misses"))
      for (const miss of given.filter(({ label, right, accepted }) => (label.excluded === "none" ? accepted : !right)))
        console.log(
          `    ${miss.label.name} -> ${miss.food?.id ?? "nothing"} ${miss.confidence} [${miss.label.excluded ?? miss.label.expected.slice(0, 3).join(" ")}]`,
        );
    printReliability(
      `our own names, half ${half}`,
      given.filter(({ food }) => food !== null),
    );
  }
}

function printReliability(title: string, list: Answer[]): void {
  console.log(`\nReliability, ${title}: confidence given -> share right`);
  RELIABILITY_FROM.forEach((from, index) => {
    const to = RELIABILITY_FROM[index + 1] ?? 1.01;
    const bin = list.filter(({ confidence }) => confidence >= from && confidence < to);
    if (bin.length === 0) return;
    const right = bin.filter((response) => response.right).length;
    const mean = bin.reduce((sum, { confidence }) => sum + confidence, 0) / bin.length;
    console.log(
      `  ${from.toFixed(2)}–${Math.min(1, to).toFixed(2)}  given ${(100 * mean).toFixed(0)} %  right ${((100 * right) / bin.length).toFixed(0)} %  of ${bin.length}`,
    );
  });
}
