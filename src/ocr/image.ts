import sharp from "sharp";
import type { Sharp } from "sharp";

/** Eight-bit RGB pixels, row after row. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/**
 * A rectangle in pixels with its reading direction: `angle` in radians, `width` along it. On bent paper lines are bent:
 * at u pixels along the line from its middle they are `bend` × u² lower; 0 for straight lines.
 */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  angle: number;
  bend: number;
}

/** Returns the part of a line between two positions, given as shares of its width. */
export function stretchOf(line: Rectangle, from: number, to: number): Rectangle {
  const along = ((from + to) / 2 - 0.5) * line.width;
  const lower = line.bend * along * along;
  return {
    ...line,
    x: line.x + along * Math.cos(line.angle) - lower * Math.sin(line.angle),
    y: line.y + along * Math.sin(line.angle) + lower * Math.cos(line.angle),
    width: (to - from) * line.width,
    angle: line.angle + Math.atan(2 * line.bend * along),
  };
}

/** Returns the line turned by half a turn: read from its end. */
export function halfTurned(line: Rectangle): Rectangle {
  return { ...line, angle: line.angle + Math.PI, bend: -line.bend };
}

/** Limit of the decoder. Uploads above a limit are already rejected (decision 15); this one is a second safeguard. */
const DECODED_PIXELS_MAX = 52_000_000;
/**
 * Larger images are scaled down to this; 16 megapixels are 48 MB. The service keeps none that are larger, and scaling a
 * photo of 12 megapixels to 9 took longer than decoding it.
 */
const PIXELS_MAX = 16_000_000;

/**
 * Decodes a JPEG or PNG, turned by its EXIF orientation, on white, no larger than PIXELS_MAX. Throws the errors of
 * sharp.
 */
export async function loadPixels(input: string | Uint8Array): Promise<Pixels> {
  const image = sharp(input, {
    limitInputPixels: DECODED_PIXELS_MAX,
    failOn: "error",
    autoOrient: true,
    sequentialRead: true,
  });
  const { width, height } = await image.metadata();
  const scale = Math.min(1, Math.sqrt(PIXELS_MAX / (width * height)));
  const pipeline = image.flatten({ background: "#ffffff" }).toColourspace("srgb");
  // Metadata has the size before the rotation by EXIF; a limit for the longer side is right for both.
  const sideMax = Math.max(1, Math.floor(Math.max(width, height) * scale));
  if (scale < 1) pipeline.resize({ width: sideMax, height: sideMax, fit: "inside" });
  return toPixels(pipeline);
}

/** Scales to exactly this size, in pixels. */
export async function resized(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  if (width === pixels.width && height === pixels.height) return pixels;
  return toPixels(fromPixels(pixels).resize(width, height, { fit: "fill", kernel: "cubic" }));
}

/** Cuts out a part and scales it to this size, in pixels. */
export async function croppedTo(
  pixels: Pixels,
  part: { left: number; top: number; width: number; height: number },
  width: number,
  height: number,
): Promise<Pixels> {
  return toPixels(fromPixels(pixels).extract(part).resize(width, height, { fit: "fill", kernel: "cubic" }));
}

/** Rotates clockwise. */
export async function turned(pixels: Pixels, degrees: 90 | 180 | 270): Promise<Pixels> {
  return toPixels(fromPixels(pixels).rotate(degrees));
}

function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Where the samples of a straightened rectangle are in its picture. */
interface Sampling {
  /** Samples for each pixel, along and across: several if the text is larger than the target. */
  readonly samples: number;
  /** For each sample along the line its place, and how much lower the line is there. */
  readonly alongX: Float64Array;
  readonly alongY: Float64Array;
  readonly lower: Float64Array;
}

/** Computes what is the same in every row of the target, once. */
function samplingOf(rectangle: Rectangle, width: number, height: number): Sampling {
  const cos = Math.cos(rectangle.angle);
  const sin = Math.sin(rectangle.angle);
  const stepX = rectangle.width / width;
  const samples = Math.min(4, Math.max(1, Math.round(Math.max(stepX, rectangle.height / height))));
  const alongX = new Float64Array(width * samples);
  const alongY = new Float64Array(width * samples);
  const lower = new Float64Array(width * samples);
  for (let i = 0; i < alongX.length; i++) {
    const u = (Math.floor(i / samples) + ((i % samples) + 0.5) / samples) * stepX - rectangle.width / 2;
    alongX[i] = rectangle.x + u * cos - 0.5;
    alongY[i] = rectangle.y + u * sin - 0.5;
    lower[i] = rectangle.bend * u * u;
  }
  return { samples, alongX, alongY, lower };
}

/**
 * Writes a tilted rectangle, straightened to `width` × `height`, into planes B, G, R with row stride `stride`. Averages
 * several samples if the text is larger than the target.
 */
export function straightenInto(
  target: Uint8Array,
  offset: number,
  stride: number,
  pixels: Pixels,
  rectangle: Rectangle,
  width: number,
  height: number,
): void {
  const { data, width: sourceWidth, height: sourceHeight } = pixels;
  const { samples, alongX, alongY, lower } = samplingOf(rectangle, width, height);
  const cos = Math.cos(rectangle.angle);
  const sin = Math.sin(rectangle.angle);
  const stepY = rectangle.height / height;
  const plane = stride * height;
  const share = 1 / (samples * samples);
  const [xMax, yMax] = [sourceWidth - 1.001, sourceHeight - 1.001];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let across = 0; across < samples; across++) {
        const straight = (row + (across + 0.5) / samples) * stepY - rectangle.height / 2;
        for (let i = column * samples; i < (column + 1) * samples; i++) {
          const v = straight + lower[i]!;
          let x = alongX[i]! - v * sin;
          let y = alongY[i]! + v * cos;
          // Comparisons, which are nearly always false: Math.min and Math.max take longer.
          if (x < 0) x = 0;
          else if (x > xMax) x = xMax;
          if (y < 0) y = 0;
          else if (y > yMax) y = yMax;
          // Neither is negative: this rounds down, faster than Math.floor.
          const left = x | 0;
          const top = y | 0;
          const fx = x - left;
          const fy = y - top;
          const a = (top * sourceWidth + left) * 3;
          const b = a + sourceWidth * 3;
          const wa = (1 - fx) * (1 - fy);
          const wb = fx * (1 - fy);
          const wc = (1 - fx) * fy;
          const wd = fx * fy;
          red += data[a]! * wa + data[a + 3]! * wb + data[b]! * wc + data[b + 3]! * wd;
          green += data[a + 1]! * wa + data[a + 4]! * wb + data[b + 1]! * wc + data[b + 4]! * wd;
          blue += data[a + 2]! * wa + data[a + 5]! * wb + data[b + 2]! * wc + data[b + 5]! * wd;
        }
      }
      const at = offset + row * stride + column;
      target[at] = blue * share + 0.5;
      target[at + plane] = green * share + 0.5;
      target[at + 2 * plane] = red * share + 0.5;
    }
  }
}

/**
 * Returns the mean of the channels (0 to 255) of a tilted rectangle, straightened to `width` × `height`. Takes the
 * nearest pixel at each sample: with its neighbours, as for the text, ink took half as long again, and of 1,120 lines
 * of 28 photos 5 were read otherwise, with the same results. So this loop is not that of the text, whose own
 * samples need the neighbours: without them 98 of the lines were read otherwise, and a total was lost.
 */
export function levelsOf(pixels: Pixels, rectangle: Rectangle, width: number, height: number): Uint8Array {
  const { data, width: sourceWidth, height: sourceHeight } = pixels;
  const { samples, alongX, alongY, lower } = samplingOf(rectangle, width, height);
  const cos = Math.cos(rectangle.angle);
  const sin = Math.sin(rectangle.angle);
  const stepY = rectangle.height / height;
  const share = 1 / (3 * samples * samples);
  const [xMax, yMax] = [sourceWidth - 1, sourceHeight - 1];
  const levels = new Uint8Array(width * height);
  const sums = new Float32Array(width);
  for (let row = 0; row < height; row++) {
    sums.fill(0);
    for (let across = 0; across < samples; across++) {
      const straight = (row + (across + 0.5) / samples) * stepY - rectangle.height / 2;
      for (let column = 0, i = 0; column < width; column++) {
        let sum = 0;
        for (const end = i + samples; i < end; i++) {
          const v = straight + lower[i]!;
          // Rounds to the nearest: one half is added before it is cut off.
          const x = (alongX[i]! - v * sin + 0.5) | 0;
          const y = (alongY[i]! + v * cos + 0.5) | 0;
          const left = x < 0 ? 0 : x > xMax ? xMax : x;
          const top = y < 0 ? 0 : y > yMax ? yMax : y;
          const at = 3 * (top * sourceWidth + left);
          sum += data[at]! + data[at + 1]! + data[at + 2]!;
        }
        sums[column]! += sum;
      }
    }
    for (let column = 0; column < width; column++) levels[row * width + column] = sums[column]! * share + 0.5;
  }
  return levels;
}
