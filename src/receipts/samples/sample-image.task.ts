import { SAMPLE_MOMENT, drawSample } from "./outcomes.ts";
import type { SampleMoment, SampleOutcome } from "./outcomes.ts";
import { photograph } from "./photograph.task.ts";

/** Draws the photo of a sample as a JPEG. Deterministic for the same outcome, seed and moment. */
export function sampleImage(
  outcome: SampleOutcome,
  seed: number,
  moment: SampleMoment = SAMPLE_MOMENT,
): Promise<Buffer> {
  return photograph(drawSample(outcome, moment), { seed });
}
