// npm run eval:compression -- FOLDER [--drawn N] [--half 0|1] [--every N] [--cache DIR] [--misses]
import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { lastStepsOf, strangestPatch } from "../src/images/image-compression.ts";
import { normaliseImage } from "../src/images/images.ts";
import { createOcr } from "../src/ocr/ocr.ts";
import { CHECK_THRESHOLDS } from "../src/receipts/checks/authenticate.ts";
import { KEPT_LONG_SIDE_PX } from "../src/receipts/receipt.ts";
import type { OcrPage } from "../src/ocr/page.ts";
import { drawnReceipt } from "./drawn/drawn.ts";
import { randomBy } from "./drawn/random.ts";
import type { Random } from "./drawn/random.ts";
import { FORGERIES, HONEST, decoded, figuresOf, jpegOf, pngOf, qualityOf } from "./tampered.ts";
import type { Figures } from "./tampered.ts";

/** A receipt as uploaded, with the positions of figures on it. */
interface Original {
  name: string;
  picture: Buffer;
  figures: readonly Figures[];
}
/** A picture made from an original, and the evidence found in it. */
interface Judged {
  name: string;
  kind: string;
  way: string;
  isHonest: boolean;
  isFound: boolean;
  evidence: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    drawn: { type: "string", default: "40" },
    half: { type: "string", default: "1" },
    every: { type: "string", default: "1" },
    cache: { type: "string" },
    misses: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: npm run eval:compression -- FOLDER [--drawn N] [--half 0|1] …");

/** Development pictures with a typed word or number on them: they are neither honest nor a base for forged ones. */
const TYPED_UPON = ["sroie_003", "sroie_073", "sroie_076", "sroie_154", "sroie_177", "sroie_178"];
const work = await mkdtemp(path.join(tmpdir(), "rewards-compression-"));
const cpuMs: number[] = [];
const judged: Judged[] = [];

async function sources(from: string): Promise<{ name: string; picture: () => Promise<Buffer> }[]> {
  const names = (await readdir(from)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  const drawn = Array.from({ length: Number(values.drawn) }, (_, i) => drawnReceipt(9_000 + 7 * i));
  return [
    ...names.map((name) => ({ name, picture: () => readFile(path.join(from, name)) })),
    ...drawn.map(({ file, picture }) => ({ name: `drawn_${file}`, picture: async () => (await picture()).jpeg })),
  ];
}

/**
 * Reads pictures as the service does, to find the positions of figures. Every second one of each source is in the other
 * half.
 */
async function originals(from: string): Promise<Original[]> {
  const ocr = createOcr();
  if (values.cache) await mkdir(values.cache, { recursive: true });
  const seen = new Map<string, number>();
  const found: Original[] = [];
  for (const { name, picture } of await sources(from)) {
    const source = name.split("_")[0]!;
    const place = seen.get(source) ?? 0;
    seen.set(source, place + 1);
    if (place % 2 !== Number(values.half) || Math.floor(place / 2) % Number(values.every) !== 0) continue;
    const bytes = await picture();
    const kept = values.cache && path.join(values.cache, `${name}.json`);
    const text = kept ? await readFile(kept, "utf8").catch(() => null) : null;
    const page = text === null ? await pageOf(bytes) : (JSON.parse(text) as OcrPage);
    if (kept && text === null) await writeFile(kept, JSON.stringify(page));
    found.push({ name, picture: bytes, figures: figuresOf(page, (await sharp(bytes).metadata()).width) });
  }
  await ocr.close();
  return found;

  async function pageOf(bytes: Buffer): Promise<OcrPage> {
    const [original, stored] = [path.join(work, "original"), path.join(work, "stored")];
    await writeFile(original, bytes);
    await normaliseImage(original, stored, { pixelsMax: 50_000_000, longSideMaxPx: KEPT_LONG_SIDE_PX });
    return await ocr.read({ path: stored });
  }
}

async function judge(what: Pick<Judged, "name" | "kind" | "way">, picture: Buffer, forged?: Figures): Promise<void> {
  const file = path.join(work, "picture");
  await writeFile(file, picture);
  const pixels = await decoded(picture);
  const lastSteps = await lastStepsOf(file);
  const start = process.cpuUsage();
  const patch = strangestPatch(pixels, lastSteps);
  const { user, system } = process.cpuUsage(start);
  cpuMs.push((user + system) / 1_000);
  const evidence = patch?.evidence ?? 0;
  const isThere = !forged || (patch !== null && overlap(patch, forged));
  const isFound = evidence > CHECK_THRESHOLDS.patchMax && isThere;
  judged.push({ ...what, isHonest: !forged, isFound, evidence });
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/**
 * Applies each kind of forgery to the picture as uploaded and to one that was saved before, and saves it at a lower,
 * equal and higher quality.
 */
async function forge(one: Original, others: readonly Original[], random: Random): Promise<void> {
  for (const base of ["as it came", "saved before"] as const) {
    const quality = base === "as it came" ? qualityOf(one.picture) : random.int(70, 95);
    const came = await decoded(one.picture);
    const sheet = base === "as it came" ? came : await decoded(await jpegOf(came, quality));
    for (const [way, forgery] of Object.entries(FORGERIES)) {
      const saved = {
        "saved coarser": quality - random.int(5, 15),
        "saved as fine": quality,
        "saved finer": quality > 97 ? null : Math.min(100, quality + random.int(3, 15)),
        "saved as PNG": "png",
      } as const;
      for (const [relation, to] of Object.entries(saved)) {
        const other = random.pick(others);
        const from = { sheet: await decoded(other.picture), figures: other.figures };
        const forged = to === null ? null : await forgery({ sheet, figures: one.figures }, from, random);
        if (!forged || to === null) continue;
        const picture = to === "png" ? await pngOf(forged.sheet) : await jpegOf(forged.sheet, to);
        await judge({ name: one.name, kind: `${base}, ${relation}`, way }, picture, forged.place);
      }
    }
  }
}

function table(title: string, rows: readonly Judged[], keyOf: (row: Judged) => string): void {
  console.log(`\n${title}`);
  for (const [key, group] of Map.groupBy(rows, keyOf)) {
    const found = group.filter(({ isFound }) => isFound).length;
    const share = ((100 * found) / group.length).toFixed(1).padStart(5);
    console.log(`  ${key.padEnd(32)} ${share} % of ${String(group.length).padStart(4)}`);
  }
}

try {
  const all = await originals(folder);
  const isTypedUpon = ({ name }: Original): boolean => TYPED_UPON.some((prefix) => name.startsWith(prefix));
  const honest = all.filter((one) => !isTypedUpon(one));
  const withFigures = honest.filter(({ figures }) => figures.length >= 2);
  for (const one of all.filter(isTypedUpon)) await judge({ name: one.name, kind: "typed upon", way: "" }, one.picture);
  const typedUpon = judged.splice(0);
  for (const [i, one] of honest.entries()) {
    for (const [kind, make] of Object.entries(HONEST))
      await judge({ name: one.name, kind, way: "" }, await make(one.picture));
    const others = withFigures.filter((other) => other !== one);
    if (one.figures.length >= 2) await forge(one, others, randomBy(1_000 * Number(values.half) + i));
    if (process.stderr.isTTY) process.stderr.write(`\r${i + 1}/${honest.length}`);
  }
  const [kept, forged] = [judged.filter(({ isHonest }) => isHonest), judged.filter(({ isHonest }) => !isHonest)];
  table("honest, called edited", kept, ({ kind }) => kind);
  table("honest, called edited", kept, () => "all");
  table("forged, found at the place", forged, ({ kind }) => kind);
  table("forged, found at the place", forged, ({ way }) => way);
  table("forged, found at the place", forged, ({ name }) => name.split("_")[0]!);
  table("forged, found at the place", forged, () => "all");
  if (typedUpon.length > 0) table("typed upon by their makers, called edited", typedUpon, ({ name }) => name);
  const at = (share: number): string =>
    cpuMs.toSorted((a, b) => a - b)[Math.floor(share * (cpuMs.length - 1))]!.toFixed(0);
  console.log(`\nprocessor ms a picture: median ${at(0.5)}, p90 ${at(0.9)}`);
  const wrong = judged.filter(({ isHonest, isFound }) => isHonest === isFound);
  if (values.misses)
    console.log(wrong.map((one) => `${one.name} ${one.kind} ${one.way} ${one.evidence.toFixed(0)}`).join("\n"));
} finally {
  await rm(work, { recursive: true, force: true });
}
