import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";

/** How to convert a format, where it is not simply saved again. */
const REMEDIES: Readonly<Record<string, string>> = {
  HEIC: "; iOS does so by itself if the file field accepts image/jpeg",
  PDF: "; send a picture of its page, 200 pixels an inch",
};

/** Returns the error of a file that is no image, in a field. `foreignFormat`: its actual format, null if unknown. */
export function notAnImage(foreignFormat: string | null, field: string): Errors {
  const remedy =
    foreignFormat === null
      ? ""
      : `; this is ${foreignFormat}, which has to be converted to JPEG before it is sent${REMEDIES[foreignFormat] ?? ""}`;
  return { [field]: [`must be a complete JPEG or PNG image${remedy}`] };
}

/** Returns the error of an image whose sides no photo has. */
export function notAPhoto(
  { longestMaxPx, ratioMax }: { longestMaxPx: number; ratioMax: number },
  field: string,
): Errors {
  const sides = `at most ${longestMaxPx} pixels, and at most ${ratioMax} times its shorter side`;
  return { [field]: [`must be a photo: its longer side is ${sides}`] };
}

/** Returns the error of an image that takes more to decode than any photo. */
export function tooCostly(field: string): Errors {
  return { [field]: ["takes too much time or memory to decode; save it again as an ordinary JPEG"] };
}

/** Returns the problem of an image with too many pixels. */
export function tooManyPixels(pixelsMax: number): Problem {
  return new Problem("payloadTooLarge", { detail: `The image has more than ${pixelsMax} pixels.` });
}

/** Returns the problem of images that are too large together. */
export function tooManyBytes(bytesMax: number, images: number): Problem {
  const detail = images > 1 ? `The images together have more than ${bytesMax} bytes.` : `The image has more than ${bytesMax} bytes.`; // prettier-ignore
  return new Problem("payloadTooLarge", { detail });
}
