// Builds the model that reads names of foods from their letters: npm run model:names -- ../shared/food
// Deterministic: the same sources, and the same shipped model, which labels products, give the same file. Takes some
// minutes of one core. Options, as `--name=value`:
//   out         the folder to write the model to (reference/names-model)
//   products    a file to keep the products in, which take a third of the time; a build that finds it reads it
//   steps       how many examples it is trained with (4000000)
//   rate        how far the first example moves the weights (0.5); the last one moves them no more
//   dimensions  numbers for each piece of a word (24)
//   with        a folder with a model of other random numbers or names, that is asked together with the new one
//   seed        of the random numbers (20261123)
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../src/foods/catalogue/catalogue.ts";
import { readCatalogue } from "../../src/foods/catalogue/store.ts";
import { shippedMatcherOf } from "../../src/foods/matching/learned/store.ts";
import { matcherOf } from "../../src/foods/matching/match.ts";
import type { ModelHeader } from "../../src/foods/matching/learned/model.ts";
import { contentWords } from "../../src/foods/matching/words.ts";
import { classesOf, createExamples } from "./examples.ts";
import type { Samples } from "./labels.ts";
import { readLines } from "./lines.ts";
import { joined, readWeights } from "./members.ts";
import { readProducts } from "./products.ts";
import { readNames } from "./sources.ts";
import type { Random } from "./till-print.ts";
import { train } from "./train.ts";

const option = (name: string, value: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? value;
const [folder = "../shared/food"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const DIMENSIONS = Number(option("dimensions", "24"));
const BUCKETS = 1 << 17;
const STEPS = Number(option("steps", "4000000"));
const RATE = Number(option("rate", "0.5"));
const SEED = Number(option("seed", "20261123"));
const OUT = option("out", join(import.meta.dirname, "../../reference/names-model"));
const KEPT = option("products", "");
const WITH = option("with", "");

// A folder that is missing would be noticed when all is done.
mkdirSync(OUT, { recursive: true });

const NAMES = join(import.meta.dirname, "../../eval/names.jsonl");

const catalogue = readCatalogue();
const evaluated = new Set(
  [join(folder, "matching.dev.jsonl"), NAMES].flatMap((file) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => contentWords((JSON.parse(line) as { name: string }).name).join(" ")),
  ),
);
const samples = await samplesOf();
console.log(`${samples.named.length} names, ${samples.products.length} products, ${samples.lines.length} lines`);
const classes = classesOf(catalogue);
const trained = train({
  dimensions: DIMENSIONS,
  buckets: BUCKETS,
  steps: STEPS,
  rate: RATE,
  groupOf: classes.groupOf,
  groupCount: classes.groups.length,
  next: createExamples(catalogue, samples, classes),
  random: randomOf(SEED),
  report: (step, loss) => console.log(`  ${step} of ${STEPS} examples, loss ${loss.toFixed(3)}`),
});
const weights = WITH === "" ? trained : joined([readWeights(WITH, classes.groups), trained], classes.groups.length);
const parts = [weights.features, weights.groups, weights.foods].map(quantised);
const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.bytes.buffer)));
const header: ModelHeader = {
  weights: createHash("sha256").update(bytes).digest("hex"),
  dimensions: weights.features.length / BUCKETS,
  buckets: BUCKETS,
  featureStep: parts[0]!.step,
  groupStep: parts[1]!.step,
  classStep: parts[2]!.step,
  groups: classes.groups,
};
writeFileSync(join(OUT, "model.json"), `${JSON.stringify(header)}\n`);
writeFileSync(join(OUT, "weights.bin"), bytes);

async function samplesOf(): Promise<Samples> {
  const options = { catalogue, matcher: matcherOf(catalogue), teacher: shippedMatcherOf(catalogue), evaluated };
  const named = readNames(folder, options);
  const lines = readLines(readFileSync(NAMES, "utf8"), options);
  if (KEPT !== "" && existsSync(KEPT)) {
    const kept = JSON.parse(readFileSync(KEPT, "utf8")) as [string, string, Language | null][];
    const products = kept.map(([name, id, language]) => ({ name, food: catalogue.byId.get(id)!, language }));
    return { named, products, lines };
  }
  const products = await readProducts(folder, options);
  const kept = products.map(({ name, food, language }) => [name, food!.id, language]);
  if (KEPT !== "") writeFileSync(KEPT, JSON.stringify(kept));
  return { named, products, lines };
}

/** Weights as whole numbers of -127 to 127. The largest of ten thousand are cut. */
function quantised(weights: Float32Array): { bytes: Int8Array; step: number } {
  const sizes = Float32Array.from(weights, Math.abs).sort();
  const step = sizes[Math.floor(sizes.length * 0.9999)]! / 127;
  return { bytes: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / step)))), step };
}

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
