import sharp from "sharp";
import type { Sharp } from "sharp";
import { luminanceSteps, usualSteps } from "../src/images/jpeg-blocks.ts";
import glyphs from "../reference/till-font/glyphs.json" with { type: "json" };
import type { OcrPage } from "../src/ocr/page.ts";
import type { Random } from "./drawn/random.ts";

/** Three bytes a pixel, row after row. */
export interface Sheet {
  data: Buffer;
  width: number;
  height: number;
}
/** Position of the last characters of a text that ends with an amount, a date or a time. */
export interface Figures {
  left: number;
  top: number;
  width: number;
  height: number;
  text: string;
}
interface Shown {
  sheet: Sheet;
  figures: readonly Figures[];
}

/** The pixels of a picture file. */
export async function decoded(picture: Buffer): Promise<Sheet> {
  return await sheetOf(sharp(picture).toColourspace("srgb").flatten({ background: "white" }));
}

async function sheetOf(image: Sharp): Promise<Sheet> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function imageOf({ data, width, height }: Sheet): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** A JPEG as most programs write it. */
export function jpegOf(sheet: Sheet, quality: number, chromaSubsampling = "4:2:0"): Promise<Buffer> {
  return imageOf(sheet).jpeg({ quality, chromaSubsampling }).toBuffer();
}

export function pngOf(sheet: Sheet): Promise<Buffer> {
  return imageOf(sheet).png({ compressionLevel: 1 }).toBuffer();
}

/** The quality whose usual steps are most like those of a JPEG. */
export function qualityOf(picture: Buffer): number {
  const steps = luminanceSteps(picture) ?? usualSteps(100);
  const distance = (quality: number): number =>
    usualSteps(quality).reduce((sum, step, i) => sum + Math.abs(step - steps[i]!), 0);
  return Array.from({ length: 81 }, (_, i) => 20 + i).reduce((a, b) => (distance(b) <= distance(a) ? b : a));
}

const saved = async (picture: Buffer, quality: number): Promise<Sheet> =>
  decoded(await jpegOf(await decoded(picture), quality));
const cropped = (sheet: Sheet, left: number, top: number): Promise<Sheet> =>
  sheetOf(imageOf(sheet).extract({ left, top, width: sheet.width - left - 3, height: sheet.height - top - 5 }));
const sent = (sheet: Sheet, longSide: number): Sharp =>
  imageOf(sheet).resize(longSide, longSide, { fit: "inside" }).sharpen({ sigma: 0.8 });

/** What happens to honest photos on their way. */
export const HONEST: Readonly<Record<string, (picture: Buffer) => Promise<Buffer>>> = {
  "as it came": async (picture) => picture,
  "saved at 70": async (picture) => jpegOf(await decoded(picture), 70),
  "saved at 80, 4:4:4": async (picture) => jpegOf(await decoded(picture), 80, "4:4:4"),
  "saved at 88": async (picture) => jpegOf(await decoded(picture), 88),
  "saved at 95, 4:4:4": async (picture) => jpegOf(await decoded(picture), 95, "4:4:4"),
  "saved at 75, 92": async (picture) => jpegOf(await saved(picture, 75), 92),
  "saved at 85, 95": async (picture) => jpegOf(await saved(picture, 85), 95),
  "saved at 92, 78": async (picture) => jpegOf(await saved(picture, 92), 78),
  "saved at 90, 90": async (picture) => jpegOf(await saved(picture, 90), 90),
  "saved at 70, 85, 95": async (picture) => jpegOf(await saved(await jpegOf(await saved(picture, 70), 85), 85), 95),
  "saved at 80, as PNG": async (picture) => pngOf(await saved(picture, 80)),
  cropped: async (picture) => jpegOf(await cropped(await decoded(picture), 5, 3), 92),
  "saved at 80, cropped, at 93": async (picture) => jpegOf(await cropped(await saved(picture, 80), 3, 6), 93),
  "saved at 80, cropped, as PNG": async (picture) => pngOf(await cropped(await saved(picture, 80), 3, 6)),
  "scaled to 73 %": async (picture) => {
    const sheet = await decoded(picture);
    return jpegOf(await sheetOf(imageOf(sheet).resize(Math.round(0.73 * sheet.width))), 80);
  },
  "saved at 85, by a messenger": async (picture) => jpegOf(await sheetOf(sent(await saved(picture, 85), 1600)), 75),
  "by a messenger, saved at 92": async (picture) =>
    jpegOf(await saved(await jpegOf(await sheetOf(sent(await decoded(picture), 1280)), 72), 72), 92),
  "saved at 80, brightened": async (picture) =>
    jpegOf(await sheetOf(imageOf(await saved(picture, 80)).linear(1.12, 6)), 92),
  "saved at 80, more contrast": async (picture) =>
    jpegOf(await sheetOf(imageOf(await saved(picture, 80)).linear(1.5, -50)), 95),
  "saved at 80, sharpened": async (picture) =>
    jpegOf(await sheetOf(imageOf(await saved(picture, 80)).sharpen({ sigma: 1 })), 92),
  "saved at 85, turned": async (picture) => jpegOf(await sheetOf(imageOf(await saved(picture, 85)).rotate(90)), 92),
};

const CHARACTERS = 5;

/** The figures on a page as the OCR read it, in pixels of the picture as it came; none where it had to be turned. */
export function figuresOf(page: OcrPage, widthPx: number): Figures[] {
  if (page.rotation !== 0) return [];
  const scale = widthPx / page.width;
  return page.boxes
    .filter(({ text, score }) => score >= 0.8 && /\d[.,:/-]\s?\d/.test(text.slice(-6)))
    .map(({ polygon, text }) => {
      const [xs, ys] = [polygon.map(({ x }) => x * scale), polygon.map(({ y }) => y * scale)];
      const right = Math.round(Math.max(...xs));
      const share = Math.min(1, CHARACTERS / text.length);
      const left = Math.max(2, Math.round(right - (right - Math.min(...xs)) * share));
      const top = Math.max(2, Math.round(Math.min(...ys)));
      const height = Math.round(Math.max(...ys)) - top;
      return { left, top, width: Math.min(right, widthPx - 2) - left, height, text: text.slice(-CHARACTERS) };
    })
    .filter(({ width, height }) => width >= 16 && height >= 8);
}

type Forgery = (shown: Shown, from: Shown, random: Random) => Promise<{ sheet: Sheet; place: Figures } | null>;

/** Ways to put other figures on a receipt. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  "typed anew": async ({ sheet, figures }, _from, random) => {
    const place = random.pick(figures);
    const [paper, ink] = [shadesAt(sheet, place, 0.7), shadesAt(sheet, place, 0.04)];
    const pitch = place.width / place.text.length;
    const outlines: Readonly<Record<string, string>> = glyphs;
    const marks = place.text
      .replace(/\d/g, () => random.digits(1))
      .split("")
      .map((character, i) => `<path transform="translate(${i * pitch} ${place.height * 0.82}) scale(${pitch / 450} ${(0.95 * place.height) / 1000})" d="${outlines[character] ?? ""}"/>`); // prettier-ignore
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${place.width}" height="${place.height}"><rect width="100%" height="100%" fill="rgb(${paper.join()})"/><g fill="rgb(${ink.join()})" stroke="rgb(${ink.join()})" stroke-width="36">${marks.join("")}</g></svg>`;
    return pasted(sheet, place, (await sheetOf(sharp(Buffer.from(svg)).blur(0.6).removeAlpha())).data);
  },
  "copied from the same receipt": async ({ sheet, figures }, _from, random) => {
    const place = random.pick(figures);
    const others = figures.filter(({ left, top }) => Math.abs(top - place.top) > place.height || Math.abs(left - place.left) > place.width); // prettier-ignore
    if (others.length === 0) return null;
    const other = random.pick(others);
    const left = Math.max(0, other.left + other.width - place.width);
    const top = Math.min(sheet.height - place.height, other.top);
    const { width, height } = place;
    return pasted(sheet, place, (await sheetOf(imageOf(sheet).extract({ left, top, width, height }))).data);
  },
  "copied from another receipt": async ({ sheet, figures }, from, random) => {
    const place = random.pick(figures);
    const { text: _, ...region } = random.pick(from.figures);
    const [paper, ink] = [shadesAt(sheet, place, 0.7), shadesAt(sheet, place, 0.04)];
    const piece = imageOf(from.sheet).extract(region);
    const { data } = await sheetOf(piece.resize(place.width, place.height, { fit: "fill" }));
    const [itsPaper, itsInk] = [shadesAt(from.sheet, region, 0.7), shadesAt(from.sheet, region, 0.04)];
    const patch = Buffer.from(data.map((shade, i) => {
      const contrast = (paper[i % 3]! - ink[i % 3]!) / Math.max(20, itsPaper[i % 3]! - itsInk[i % 3]!);
      return Math.max(0, Math.min(255, Math.round(ink[i % 3]! + (shade - itsInk[i % 3]!) * contrast)));
    })); // prettier-ignore
    return pasted(sheet, place, patch);
  },
};

/** The shade of each colour that so large a share of a place is darker than. */
function shadesAt(sheet: Sheet, place: Omit<Figures, "text">, share: number): number[] {
  return [0, 1, 2].map((channel) => {
    const shades: number[] = [];
    for (let y = place.top; y < Math.min(sheet.height, place.top + place.height); y++)
      for (let x = place.left; x < place.left + place.width; x++)
        shades.push(sheet.data[3 * (y * sheet.width + x) + channel]!);
    return shades.sort((a, b) => a - b)[Math.floor(share * (shades.length - 1))]!;
  });
}

function pasted(sheet: Sheet, place: Figures, patch: Buffer): { sheet: Sheet; place: Figures } {
  const data = Buffer.from(sheet.data);
  for (let y = 0; y < place.height && place.top + y < sheet.height; y++)
    patch.copy(data, 3 * ((place.top + y) * sheet.width + place.left), 3 * y * place.width, 3 * (y + 1) * place.width);
  return { sheet: { ...sheet, data }, place };
}
