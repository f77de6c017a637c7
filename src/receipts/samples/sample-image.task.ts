import { SAMPLE_MOMENT, drawSample } from "./outcomes.ts";
import type { SampleMoment, SampleOutcome } from "./outcomes.ts";
import { photograph } from "../../images/photograph.ts";

/** The photo of a sample as a JPEG: the same for the same outcome, seed and moment of the sale. */
export function sampleImage(
  outcome: SampleOutcome,
  seed: number,
  moment: SampleMoment = SAMPLE_MOMENT,
): Promise<Buffer> {
  return photograph(drawSample(outcome, moment), { seed });
}
