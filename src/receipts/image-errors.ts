import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { IMAGE_FIELD } from "./upload.ts";

/** What is wrong with a file that gives no picture; `foreignFormat`: what it is instead, where that is known. */
export function notAnImage(foreignFormat: string | null): Errors {
  const hint = foreignFormat === null ? "" : `; this is ${foreignFormat}, which has to be converted before it is sent`;
  return { [IMAGE_FIELD]: [`must be a complete JPEG or PNG image${hint}`] };
}

/** An image larger than is taken. */
export function tooManyPixels(pixelsMax: number): Problem {
  return new Problem("payloadTooLarge", { detail: `The image has more than ${pixelsMax} pixels.` });
}
