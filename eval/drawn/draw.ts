import { readFileSync } from "node:fs";
import { parse } from "opentype.js/dist/opentype.mjs";
import sharp from "sharp";
import { photograph } from "../../src/receipts/samples/photograph.task.ts";
import type { PhotoDrawing } from "../../src/receipts/samples/photograph.task.ts";
import glyphs from "../../reference/till-font/glyphs.json" with { type: "json" };
import type { Paper, PaperRow } from "./paper.ts";
import type { Random } from "./random.ts";

/** Outlines in units of a thousandth of the type's size, the baseline at 0; every character is as wide as `pitch`. */
interface Typeface {
  name: string;
  pitch: number;
  stroke: number;
  /** Null without one. */
  outlineOf: (character: string) => string | null;
}

function fontsource(name: string, stroke: number, subsets: readonly string[] = ["latin"]): Typeface {
  const fonts = subsets.map((subset) => {
    const file = import.meta.resolve(`@fontsource/${name}/files/${name}-${subset}-400-normal.woff`);
    const { buffer, byteOffset, byteLength } = readFileSync(new URL(file));
    return parse(buffer.slice(byteOffset, byteOffset + byteLength));
  });
  const [latin] = fonts;
  const outlines = new Map<string, string | null>();
  return {
    name,
    pitch: (1000 * latin!.charToGlyph("0").advanceWidth) / latin!.unitsPerEm,
    stroke,
    outlineOf: (character) => {
      const known = outlines.get(character);
      if (known !== undefined) return known;
      const glyph = fonts.map((font) => font.charToGlyph(character)).find(({ index }) => index !== 0);
      const outline = glyph?.getPath(0, 0, 1000).toPathData(1) ?? null;
      outlines.set(character, outline);
      return outline;
    },
  };
}

const tillPaths: Readonly<Record<string, string>> = glyphs;

/** The samples' own typeface, a condensed one, the dots of a terminal, and a wide one. */
const TYPEFACES: readonly Typeface[] = [
  { name: "till", pitch: 450, stroke: 36, outlineOf: (character) => tillPaths[character] ?? null },
  fontsource("share-tech-mono", 14),
  fontsource("vt323", 6, ["latin", "latin-ext"]),
  fontsource("dejavu-mono", 4),
];

const FONT_PX = 40;
const ROW_PX = 48;
const BARS_PX = 90;

/** The strip seen from straight above. */
function strip(paper: Paper, random: Random): PhotoDrawing & { typeface: string } {
  const letters = [...new Set(paper.rows.flatMap((row) => (row.kind === "text" ? row.text.split("") : [])))];
  const hasAll = ({ outlineOf }: Typeface): boolean =>
    letters.every((letter) => letter === " " || outlineOf(letter) !== null);
  const typeface = random.pick(TYPEFACES.filter(hasAll));
  const stretch = random.within(0.95, 1.25);
  const columnPx = (FONT_PX * typeface.pitch) / 1000;
  const marginPx = random.within(0.8, 3) * columnPx;
  const widthPx = Math.ceil(paper.columns * columnPx + 2 * marginPx);
  const marks: string[] = [];
  let y = 1.5 * ROW_PX;
  for (const row of paper.rows) {
    marks.push(mark(row, y, { typeface, columnPx, marginPx, stretch, widthPx, random }));
    y += (row.kind === "text" ? ROW_PX * row.scale : row.kind === "bars" ? BARS_PX : ROW_PX / 2) * stretch;
  }
  const heightPx = Math.ceil(y + ROW_PX);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><rect width="100%" height="100%" fill="#fff"/>${marks.join("")}</svg>`;
  return { svg, widthPx, heightPx, isPaper: true, typeface: typeface.name };
}

interface Press {
  typeface: Typeface;
  columnPx: number;
  marginPx: number;
  stretch: number;
  widthPx: number;
  random: Random;
}

function mark(row: PaperRow, y: number, { typeface, columnPx, marginPx, widthPx, random }: Press): string {
  if (row.kind === "gap") return "";
  if (row.kind === "bars") {
    let x = widthPx * 0.15;
    const bars: string[] = [];
    while (x < widthPx * 0.85) {
      const wide = random.int(2, 7);
      bars.push(`M${x.toFixed(1)} ${y - ROW_PX / 2}h${wide}v${BARS_PX - 20}h-${wide}z`);
      x += wide + random.int(2, 8);
    }
    return `<path d="${bars.join("")}"/>`;
  }
  const scale = (FONT_PX * row.scale) / 1000;
  const outlines = row.text.split("").map((character, column) =>
    character === " " ? "" : `<path transform="translate(${((column * columnPx) / FONT_PX) * 1000})" d="${typeface.outlineOf(character)!}"/>`,
  ); // prettier-ignore
  const stroke = typeface.stroke + (row.isBold ? 14 : 0);
  return `<g transform="translate(${marginPx} ${y + ROW_PX * (row.scale - 1)}) scale(${scale})" stroke="#000" stroke-width="${stroke}">${outlines.join("")}</g>`;
}

/** Thermal print is dark grey; the paper is not quite white. */
const FLAT_PRINT = { slope: 0.78, floor: 45 } as const;

/** A JPEG of the paper alone, flat, sharp and evenly lit: what damage by `roughened` starts from. */
export async function flatPaper(paper: Paper, random: Random): Promise<Buffer> {
  return sharp(Buffer.from(strip(paper, random).svg))
    .flatten({ background: "#fff" })
    .linear(FLAT_PRINT.slope, FLAT_PRINT.floor)
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** A JPEG of the paper: mostly a phone's photo, at times a flat scan; of varied sharpness, size, light and compression, at times turned. */
export async function pictured(
  paper: Paper,
  random: Random,
  seed: number,
): Promise<{ jpeg: Buffer; roughness: string }> {
  const drawing = strip(paper, random);
  const isScan = random.chance(0.2);
  const frameLongPx = random.pick([2000, 2600, 3200]);
  const base = isScan
    ? sharp(Buffer.from(drawing.svg))
        .flatten({ background: "#fff" })
        .linear(random.within(0.7, 0.95), random.int(10, 40))
    : sharp(await photograph(drawing, { seed, frameLongPx }));
  const blur = random.chance(0.5) ? random.within(0.4, 1.2) : 0;
  const turn = random.chance(0.12) ? random.pick([90, 180, 270]) : 0;
  const quality = random.int(45, 90);
  const light = random.within(0.75, 1.1);
  const shrink = random.chance(0.3) ? random.within(0.65, 0.9) : 1;
  const lit = await base.linear(light, 0).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  let image = sharp(lit.data, { raw: lit.info });
  if (blur > 0) image = image.blur(blur);
  if (shrink < 1) image = image.resize(Math.round(lit.info.width * shrink));
  if (turn !== 0) image = sharp(await image.png().toBuffer()).rotate(turn);
  const roughness = `${drawing.typeface} ${isScan ? "scan" : `photo ${frameLongPx}`} blur ${blur.toFixed(1)} turn ${turn} q${quality} light ${light.toFixed(2)} size ${shrink.toFixed(2)}`;
  return { jpeg: await image.jpeg({ quality }).toBuffer(), roughness };
}
