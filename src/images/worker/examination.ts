import { moirePeak } from "../moire.ts";
import { evenShareOf } from "../even-share.ts";
import { metadataOf } from "../metadata.ts";
import { decodeShades, normaliseImage } from "../normalise.ts";
import type { ImageLimits, Normalised } from "../normalise.ts";

/** Traces of how an uploaded picture was made, in the text of its file and in the normalised picture. */
export interface Traces {
  readonly metadata: string;
  readonly evenShare: number;
  readonly moirePeak: number;
}

/** The result of an examination; with traces if the picture was stored. */
export type Examined =
  | { readonly kind: "ok"; readonly traces: Traces }
  | { readonly kind: Exclude<Normalised["kind"], "ok"> };

/**
 * Writes the normalised picture of an upload (see `normaliseImage`) and collects traces of how the upload was made.
 * Each of the two pictures is decoded once. Throws StorageFull.
 */
export async function examineImage(inputPath: string, outputPath: string, limits: ImageLimits): Promise<Examined> {
  const normalised = await normaliseImage(inputPath, outputPath, limits);
  if (normalised.kind !== "ok") return normalised;
  const metadata = await metadataOf(inputPath);
  const shades = await decodeShades(outputPath);
  return { kind: "ok", traces: { metadata, evenShare: await evenShareOf(shades), moirePeak: moirePeak(shades) } };
}
