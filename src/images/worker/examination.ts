import { moirePeak } from "../moire.ts";
import { evenShareOf } from "../even-share.ts";
import { metadataOf } from "../metadata.ts";
import { normaliseImage } from "../normalise.ts";
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

/** The steps of an examination, in their order.  */
export type ExaminationStep = "normalise" | "write" | "metadata" | "measure";

/**
 * Writes the normalised picture of an upload (see `normaliseImage`) and collects traces of how the upload was made.
 * The upload is decoded once. Calls `onStep` at the start of each step. Throws StorageFull.
 */
export async function examineImage(
  inputPath: string,
  outputPath: string,
  limits: ImageLimits,
  onStep: (step: ExaminationStep) => void = () => {},
): Promise<Examined> {
  onStep("normalise");
  const normalised = await normaliseImage(inputPath, outputPath, limits, () => onStep("write"));
  if (normalised.kind !== "ok") return normalised;
  onStep("metadata");
  const metadata = await metadataOf(inputPath);
  onStep("measure");
  const { pixels } = normalised;
  return { kind: "ok", traces: { metadata, evenShare: await evenShareOf(pixels), moirePeak: moirePeak(pixels) } };
}
