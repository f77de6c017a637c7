import { pictured } from "./draw.ts";
import { ASIAN_LAYOUTS } from "./layouts-asian.ts";
import { CONTINENTAL_LAYOUTS } from "./layouts-continental.ts";
import { ENGLISH_LAYOUTS } from "./layouts-english.ts";
import { randomBy } from "./random.ts";
import type { Truth } from "./sale.ts";

const LAYOUTS = Object.entries({ ...ENGLISH_LAYOUTS, ...CONTINENTAL_LAYOUTS, ...ASIAN_LAYOUTS });

/** A drawn receipt: its truth at once, its picture when it is asked for. The same seed draws the same one; seeds in a row go through all layouts. */
export type DrawnReceipt = {
  file: string;
  layout: string;
  truth: Truth;
  picture: () => Promise<{ jpeg: Buffer; roughness: string }>;
};

/** The receipt of a seed. */
export function drawnReceipt(seed: number): DrawnReceipt {
  const [layout, draw] = LAYOUTS[seed % LAYOUTS.length]!;
  const random = randomBy(seed);
  const { paper, truth } = draw(random);
  return {
    file: `${layout}_${seed}.jpg`,
    layout,
    truth,
    picture: () => pictured(paper, randomBy(seed ^ 0x77777), seed),
  };
}
