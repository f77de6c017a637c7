import sharp from "sharp";
import { flatPaper } from "../drawn/draw.ts";
import { newPaper } from "../drawn/paper.ts";
import { randomBy } from "../drawn/random.ts";
import { sharpOf } from "./raster.ts";
import type { Raster } from "./raster.ts";

// Pictures of pictures: what a phone's screen shows, and what a program makes of a PDF's page.

const PHONE = { width: 1080, height: 2340 } as const;
const A4_INCHES = { width: 8.27, height: 11.69 } as const;

/** A row of an interface's own text, as a picture of this height. */
async function label(text: string, heightPx: number, isDark: boolean, seed: number): Promise<Buffer> {
  const paper = newPaper(text.length);
  paper.text(text);
  const drawn = sharp(await flatPaper(paper, randomBy(seed)))
    .normalise()
    .resize({ height: heightPx });
  return (isDark ? drawn.negate() : drawn).png().toBuffer();
}

/**
 * A screenshot of a phone: a bar with the clock, the picture, and names of buttons; at strength 2 in a message between
 * others, at 3 smaller and among more of them.
 */
export async function screenshot(sheet: Raster, strength: number, seed: number): Promise<Buffer> {
  const random = randomBy(seed);
  const isDark = random.chance(0.5);
  const background = isDark ? "#000" : "#fff";
  const [areaWidth, areaHeight, left, top] = (
    [
      [1080, 2000, 0, 150],
      [960, 1700, 60, 400],
      [760, 1400, 260, 560],
    ] as const
  )[strength - 1]!;
  const picture = await sharpOf(sheet).resize(areaWidth, areaHeight, { fit: "inside" }).png().toBuffer();
  const { width, height } = await sharp(picture).metadata();
  const clock = `${random.int(7, 22)}:${random.digits(1)}${random.int(0, 9)}`;
  const parts: [string, number, number, number][] = [
    [clock, 60, 60, 20],
    [`5G ${random.int(11, 99)}%`, 60, 800, 20],
    ["Share      Edit      Delete", 70, 150, 2240],
  ];
  if (strength > 1) parts.push(["Mum", 80, 120, 100], ["can you claim this?", 80, 60, 250]);
  if (strength > 2) parts.push([`Yesterday ${clock}`, 60, 380, 360], ["and this one", 80, 60, 450]);
  const labels = parts.map(async ([text, heightPx, x, y], i) => ({
    input: await label(text, heightPx, isDark, seed + i),
    left: x,
    top: y,
  }));
  return sharp({ create: { ...PHONE, channels: 3, background } })
    .composite([
      { input: picture, left: left + Math.floor((areaWidth - width) / 2), top: top + Math.floor((areaHeight - height) / 2) }, // prettier-ignore
      ...(await Promise.all(labels)),
    ])
    .png()
    .toBuffer();
}

/**
 * A page of A4 with the receipt on it, as a scanner's PDF shows it: grey at 200 dots an inch, black and white at 200,
 * grey at 110.
 */
export async function page(sheet: Raster, strength: number, seed: number): Promise<Buffer> {
  const random = randomBy(seed);
  const dotsPerInch = strength === 3 ? 110 : 200;
  const [width, height] = [Math.round(A4_INCHES.width * dotsPerInch), Math.round(A4_INCHES.height * dotsPerInch)];
  // Till paper is 80 mm wide; what is too long is scaled to the page, as a scanner does.
  const wanted = { width: Math.round(3.15 * dotsPerInch), height: Math.round(0.96 * height) };
  const scan = sharpOf(sheet)
    .grayscale()
    .resize({ ...wanted, fit: "inside" });
  if (strength === 2) scan.normalise().threshold(140);
  const { data, info } = await scan.png().toBuffer({ resolveWithObject: true });
  const place = { left: random.int(0, width - info.width), top: random.int(0, height - info.height) };
  const composed = sharp({ create: { width, height, channels: 3, background: "#fff" } }).composite([
    { input: data, ...place },
  ]);
  return strength === 2 ? composed.png().toBuffer() : composed.jpeg({ quality: 75 }).toBuffer();
}
