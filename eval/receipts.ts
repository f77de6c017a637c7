// npm run eval:receipts -- FOLDER | --drawn N [--shops first|later|last] | --typed COLLECTION [--invented SEED]
//   [--likely own|CODE] [--parts N] [--roughened KIND,…|each|every [--strength 1|2|3]] [--seed S] [--limit N]
//   [--source prefix] [--cache DIR] [--failures] [--html DIR] [--processes N]
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { normaliseImage } from "../src/images/normalise.ts";
import { createOcr, OcrFailure } from "../src/ocr/ocr.ts";
import type { Ocr, OcrReading } from "../src/ocr/ocr.ts";
import { toMerchantDictionary } from "../src/receipts/parsing/header/merchant-dictionary.ts";
import { PARTS_MAX } from "../src/receipts/parts/join.ts";
import { readPages } from "../src/receipts/parts/read-parts.ts";
import { KEPT_LONG_SIDE_PX } from "../src/receipts/receipt.ts";
import { drawnReceipt, isShops } from "./drawn/drawn.ts";
import { typedFlat, typedPicture } from "./drawn/typed.ts";
import { typedReceipts } from "./typed/collection.ts";
import { LONG_ROWS_MIN, piecesOf, wholeOf } from "./parts.ts";
import { NAME_METRICS, nameTable } from "./receipt-names.ts";
import { reliability } from "./receipt-reliability.ts";
import { columns, judged, likelyCountryOf, METRICS, table } from "./receipt-tally.ts";
import type { Judgement, Truth } from "./receipt-tally.ts";
import { writePage } from "./receipt-page.ts";
import type { Shown } from "./receipt-page.ts";
import { roughened, ROUGHNESSES, STRENGTHS } from "./roughened.ts";
import type { Roughness, Strength } from "./roughened.ts";

/** A receipt to read: what it says, and its picture when the OCR wants it. */
interface Case {
  file: string;
  source: string;
  truth: Truth;
  /** Rows of its print, where they are known. */
  rows?: number;
  picture: () => Promise<Uint8Array>;
  /** Several photos of one receipt, in place of the picture. */
  pieces?: () => Promise<Uint8Array[]>;
  /** The paper alone, flat, where it is not a photo; damage starts from it. */
  flat?: () => Promise<Uint8Array>;
}

const USAGE =
  "usage: npm run eval:receipts -- FOLDER | --drawn N [--shops first|later|last] | --typed COLLECTION [--invented SEED] [--likely own|CODE] [--parts N] [--roughened KIND,…|each|every [--strength 1|2|3]] [--seed S] [--limit N] [--source prefix] [--cache DIR] [--failures] [--html DIR] [--processes N]";

const OPTIONS = {
  drawn: { type: "string" },
  shops: { type: "string", default: "first" },
  typed: { type: "string" },
  likely: { type: "string" },
  invented: { type: "string" },
  parts: { type: "string" },
  roughened: { type: "string" },
  strength: { type: "string" },
  seed: { type: "string", default: "0" },
  limit: { type: "string" },
  source: { type: "string", default: "" },
  cache: { type: "string" },
  failures: { type: "boolean", default: false },
  html: { type: "string" },
  processes: { type: "string" },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: OPTIONS,
  });
  const [folder] = positionals;
  if ([folder, values.drawn, values.typed].filter((given) => given !== undefined).length !== 1) throw new Error(USAGE);
  const seed = Number(values.seed);
  const read =
    folder !== undefined
      ? await casesIn(folder)
      : values.typed !== undefined
        ? typedCases(values.typed, seed, values.invented)
        : drawnCases(Number(values.drawn), seed, values.shops);
  const damages = values.roughened === undefined ? null : damagesOf(values.roughened, values.strength);
  const parts = values.parts === undefined ? null : partsOf(values.parts);
  if (parts !== null && damages) throw new Error(USAGE);
  const photographed = parts === null ? read : read.flatMap((one, i) => partCases(one, parts, 1000 * seed + i));
  const cases = (damages ? photographed.flatMap((one, i) => roughenedCases(one, damages, seed, i)) : photographed)
    .filter(({ file }) => path.basename(file).startsWith(values.source))
    .slice(0, Number(values.limit ?? Infinity));
  const dictionary = toMerchantDictionary(
    await readFile(new URL("../reference/merchants.jsonl", import.meta.url), "utf8"),
  );
  if (values.cache) await mkdir(values.cache, { recursive: true });
  const ocr = createOcr(values.processes ? { processes: Number(values.processes) } : {});
  const judgements = new Map<string, Judgement[]>();
  const readings: OcrReading[] = [];
  const failures: string[] = [];
  const shown: Shown[] = [];
  let done = 0;
  const readOne = async (one: Case): Promise<void> => {
    const read = await readAll(ocr, one, values.cache).catch((error: unknown) => {
      if (!(error instanceof OcrFailure)) throw error;
      failures.push(`${one.file}: ${error.kind}: ${error.message}`);
      return [];
    });
    readings.push(...read);
    const [reading = null] = read;
    const pages = read.map(({ page }) => page);
    const context = { today: null, likelyCountry: likelyCountryOf(values.likely, one.truth) };
    const judgement = judged(one.truth, reading && readPages(pages, dictionary, context).reading, reading);
    const ofSource = judgements.get(one.source) ?? [];
    judgements.set(one.source, [...ofSource, judgement]);
    if (judgement.errors.length > 0) failures.push(`${one.file}: ${judgement.errors.join("; ")}`);
    if (values.html && reading) shown.push({ ...one, page: reading.page, judgement });
    done++;
    if (process.stderr.isTTY || done % 10 === 0 || done === cases.length)
      process.stderr.write(`\r${done}/${cases.length} read`);
  };
  // A few at once, so that no more pictures than needed wait in memory.
  const queue = cases.values();
  await Promise.all([1, 2, 3].map(async () => { for (const one of queue) await readOne(one); })); // prettier-ignore
  await ocr.close();
  process.stderr.write("\n");
  console.log(tables(judgements, readings));
  if (values.failures) console.log(`\n${failures.sort().join("\n")}`);
  if (values.html) console.log(`\n${await writePage(values.html, shown)}`);
}

function tables(judgements: ReadonlyMap<string, readonly Judgement[]>, readings: readonly OcrReading[]): string {
  const all = [...judgements.values()].flat();
  const damaged = [...judgements.keys()].every((source) => DAMAGED.test(source));
  const sums = damaged ? [summed(judgements, 1), summed(judgements, 2)] : [];
  const parts = [table(judgements), ...sums, cost(readings), reliability(all), nameTable(judgements)];
  return [...parts, `${METRICS}\n${NAME_METRICS}`].join("\n\n");
}

/** The source of a damaged picture: its kind of damage and the strength. */
const DAMAGED = /^(\w+) ([123])$/;

/** The table by kind of damage alone (part 1 of the source), or by strength alone (part 2). */
function summed(judgements: ReadonlyMap<string, readonly Judgement[]>, part: 1 | 2): string {
  const groups = Map.groupBy(judgements, ([source]) => DAMAGED.exec(source)![part]!);
  const named = [...groups].map(([name, list]): [string, Judgement[]] => [
    part === 2 ? `strength ${name}` : name,
    list.flatMap(([, each]) => each),
  ]);
  return table(new Map(named));
}

async function casesIn(folder: string): Promise<Case[]> {
  const text = await readFile(path.join(folder, "truth.jsonl"), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Truth & { file: string })
    .map((truth) => {
      const file = path.basename(truth.file);
      return { file, source: file.split("_")[0]!, truth, picture: () => readFile(path.join(folder, truth.file)) };
    });
}

/** Kinds of damage with their strengths; `isEach`: a receipt gets the next one of them, else all. */
interface Damages {
  ways: readonly { roughness: Roughness; strength: Strength }[];
  isEach: boolean;
}

function damagesOf(wanted: string, wantedStrength: string | undefined): Damages {
  const isEach = wanted === "each";
  const kinds = isEach || wanted === "every" ? ROUGHNESSES : ROUGHNESSES.filter((r) => wanted.split(",").includes(r));
  const strengths = STRENGTHS.filter((s) => wantedStrength === undefined || String(s) === wantedStrength);
  if (kinds.length === 0 || strengths.length === 0) throw new Error(`${USAGE}\nKIND: ${ROUGHNESSES.join(", ")}`);
  return { ways: strengths.flatMap((strength) => kinds.map((roughness) => ({ roughness, strength }))), isEach };
}

/** With `each` the next receipt gets the next kind, and the next seed begins with the next one. */
function roughenedCases(one: Case, { ways, isEach }: Damages, seed: number, index: number): Case[] {
  const chosen = isEach ? [ways[(index + seed) % ways.length]!] : ways;
  return chosen.map(({ roughness, strength }) => ({
    ...one,
    file: `${one.file}.${roughness}${strength}.${seed}`,
    source: `${roughness} ${strength}`,
    picture: async () => roughened(await (one.flat ?? one.picture)(), roughness, strength, 1000 * seed + index),
  }));
}

function partsOf(wanted: string): number {
  const parts = Number(wanted);
  if (!(parts >= 2 && parts <= PARTS_MAX)) throw new Error(`${USAGE}\n--parts: 2 to ${PARTS_MAX}`);
  return parts;
}

/** A long receipt photographed as a whole and in pieces; none of a short one, or one that is a photo already. */
function partCases(one: Case, count: number, seed: number): Case[] {
  const { flat, rows = 0 } = one;
  if (!flat || rows < LONG_ROWS_MIN) return [];
  return [
    { ...one, source: "whole", picture: async () => wholeOf(await flat(), seed) },
    {
      ...one,
      file: `${one.file}.parts${count}`,
      source: `${count} parts`,
      pieces: async () => piecesOf(await flat(), count, seed),
    },
  ];
}

function drawnCases(count: number, seed: number, shops: string): Case[] {
  if (!isShops(shops)) throw new Error(USAGE);
  return Array.from({ length: count }, (_, i) => {
    const { file, layout, truth, picture, flat } = drawnReceipt(seed + i, shops);
    return { file, source: layout, truth, picture: async () => (await picture()).jpeg, flat };
  });
}

/** Typed receipts, drawn; in the invented language of a seed if it is given. */
function typedCases(collection: string, seed: number, invented: string | undefined): Case[] {
  return typedReceipts(collection, 0, 0, invented === undefined ? null : Number(invented)).map((receipt, i) => {
    const { file, country, truth } = receipt;
    return {
      file: `${file}_${seed}${invented === undefined ? "" : `.invented${invented}`}`,
      source: country,
      truth,
      rows: receipt.print.split("\n").length,
      picture: () => typedPicture(receipt, 1000 * seed + i),
      flat: () => typedFlat(receipt, 1000 * seed + i),
    };
  });
}

/** Reads the picture of a receipt, or all pieces of it one after the other. */
async function readAll(ocr: Ocr, one: Case, cache: string | undefined): Promise<OcrReading[]> {
  if (!one.pieces) return [await readCached(ocr, one, cache)];
  const readings: OcrReading[] = [];
  for (const [i, piece] of (await one.pieces()).entries())
    readings.push(await readCached(ocr, { ...one, file: `${one.file}.${i}`, picture: async () => piece }, cache));
  return readings;
}

/** With a cache folder the OCR's page is kept beside its cost, so that only the parser runs the next time. */
async function readCached(ocr: Ocr, { file, picture }: Case, cache: string | undefined): Promise<OcrReading> {
  const kept = cache && path.join(cache, `${file}.json`);
  const text = kept ? await readFile(kept, "utf8").catch(() => null) : null;
  if (text !== null) return JSON.parse(text) as OcrReading;
  const reading = await readAsStored(ocr, await picture());
  if (kept) await writeFile(kept, JSON.stringify(reading));
  return reading;
}

/** The service reads the image that it keeps, which is not the one that came in. */
async function readAsStored(ocr: Ocr, picture: Uint8Array): Promise<OcrReading> {
  const folder = await mkdtemp(path.join(tmpdir(), "receipt-"));
  try {
    const [original, stored] = [path.join(folder, "original"), path.join(folder, "stored")];
    await writeFile(original, picture);
    const { kind } = await normaliseImage(original, stored, {
      pixelsMax: 50_000_000,
      longSideMaxPx: KEPT_LONG_SIDE_PX,
    });
    if (kind !== "ok") throw new OcrFailure("unreadable", `the service would not take the picture: ${kind}`);
    return await ocr.readMeasured({ path: stored });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What reading cost: by the clock, by the processor step by step, and in memory. */
function cost(readings: readonly OcrReading[]): string {
  const at = (values: readonly number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
  const row = (name: string, values: readonly number[]): string[] => [
    name,
    ...[0.5, 0.9, 1].map((share) => at(values, share).toFixed(0)),
  ];
  const steps = Object.keys(readings[0]?.stepCpuMs ?? {}) as (keyof OcrReading["stepCpuMs"])[];
  return columns([
    ["cost of an image", "median", "p90", "most"],
    row("clock ms", readings.map(({ durationMs }) => durationMs)),
    row("processor ms", readings.map(({ cpuMs }) => cpuMs)),
    ...steps.map((step) => row(`  ${step}`, readings.map(({ stepCpuMs }) => stepCpuMs[step]))),
    row("peak memory of its process MB", readings.map(({ peakRssBytes }) => peakRssBytes / 1e6)),
  ]); // prettier-ignore
}

await main();
