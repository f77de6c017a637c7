import { SAMPLE_MOMENT, drawSample } from "./outcomes.ts";
import type { SampleMoment, SampleOutcome } from "./outcomes.ts";

/** Draws the photo of a sample as a JPEG. Deterministic for the same outcome, seed and moment. */
export async function sampleImage(
  outcome: SampleOutcome,
  seed: number,
  moment: SampleMoment = SAMPLE_MOMENT,
): Promise<Buffer> {
  // With the first sample: its image library costs each start 50 ms of processor time and 20 MB.
  const { photograph } = await import("./photograph.task.ts");
  return await photograph(drawSample(outcome, moment), { seed });
}
