import sharp from "sharp";
import type { Sharp } from "sharp";

/** Three bytes a pixel, row after row. */
export interface Raster {
  data: Buffer;
  width: number;
  height: number;
}

/** The pixels of a picture, upright, with a long side of this many pixels at most. */
export async function decoded(picture: Uint8Array, longSideMaxPx = Infinity): Promise<Raster> {
  const upright = sharp(picture).autoOrient().flatten({ background: "white" }).toColourspace("srgb");
  if (!Number.isFinite(longSideMaxPx)) return rasterOf(upright);
  return rasterOf(upright.resize(longSideMaxPx, longSideMaxPx, { fit: "inside", withoutEnlargement: true }));
}

/** The pixels of a pipeline. */
export async function rasterOf(pipeline: Sharp): Promise<Raster> {
  const { data, info } = await pipeline.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** A pipeline over pixels. */
export function sharpOf({ data, width, height }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** A JPEG of the pixels as a phone writes it. */
export async function jpegOf(raster: Raster, quality = 85): Promise<Buffer> {
  return sharpOf(raster).jpeg({ quality }).toBuffer();
}

/** Every pixel times the light at its place (x and y from 0 to 1), with the noise of a sensor. */
export function lit(
  { data, width, height }: Raster,
  light: (x: number, y: number) => number,
  grain: number,
  random: () => number,
): Raster {
  const out = Buffer.alloc(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const pixel = at / 3;
    const factor = light((pixel % width) / width, Math.floor(pixel / width) / height);
    const noise = (random() + random() - 1) * 2 * grain;
    for (let channel = 0; channel < 3; channel++)
      out[at + channel] = Math.min(255, Math.max(0, data[at + channel]! * factor + noise));
  }
  return { data: out, width, height };
}

/** Between the four nearest pixels. */
export function sampleAt({ data, width }: Raster, x: number, y: number, channel: number): number {
  const left = Math.floor(x);
  const at = 3 * (Math.floor(y) * width + left) + channel;
  const below = at + 3 * width;
  const right = x - left;
  const upper = data[at]! * (1 - right) + data[at + 3]! * right;
  const lower = data[below]! * (1 - right) + data[below + 3]! * right;
  return upper + (lower - upper) * (y - Math.floor(y));
}
