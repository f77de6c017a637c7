import { lastStepsOf, strangestPatch } from "../image-compression.ts";
import type { StrangePatch } from "../image-compression.ts";
import { strongestWave } from "../moire.ts";
import { evenShareOf, metadataOf } from "../metadata.ts";
import { decodeShades, normaliseImage } from "../images.ts";
import type { ImageLimits, Normalised } from "../images.ts";

/** What an uploaded picture says of its making: in the text of its file, in the picture as it came, and in the one that is kept. */
export interface Traces {
  readonly metadata: string;
  /** Null where nothing can be told. */
  readonly patch: StrangePatch | null;
  readonly evenShare: number;
  readonly wave: number;
}

/** What became of an upload; its traces where it is kept. */
export type Examined =
  | { readonly kind: "ok"; readonly traces: Traces }
  | { readonly kind: Exclude<Normalised["kind"], "ok"> };

/**
 * Rewrites an upload as the picture that is kept (see `normaliseImage`) and looks for traces of how it was made. Each of the two is decoded once.
 * A picture of two megapixels takes some 150 ms of the processor, 90 of them in JavaScript without a pause. Throws StorageFull.
 */
export async function examineImage(inputPath: string, outputPath: string, limits: ImageLimits): Promise<Examined> {
  const normalised = await normaliseImage(inputPath, outputPath, limits);
  if (normalised.kind !== "ok") return normalised;
  // In the picture as it came: what is kept was compressed once more.
  const patch = normalised.decoded && strangestPatch(normalised.decoded, await lastStepsOf(inputPath));
  const metadata = await metadataOf(inputPath);
  const shades = await decodeShades(outputPath);
  return { kind: "ok", traces: { metadata, patch, evenShare: await evenShareOf(shades), wave: strongestWave(shades) } };
}
