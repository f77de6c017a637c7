import { flatPaper, pictured } from "./draw.ts";
import { LAST_LAYOUTS } from "./last.ts";
import { LATER_AMERICAN_LAYOUTS } from "./later-american.ts";
import { LATER_ASIAN_LAYOUTS } from "./later-asian.ts";
import { LATER_ENGLISH_LAYOUTS } from "./later-english.ts";
import { LATER_GERMAN_LAYOUTS } from "./later-german.ts";
import { LATER_SOUTHERN_LAYOUTS } from "./later-southern.ts";
import { LATER_WESTERN_LAYOUTS } from "./later-western.ts";
import { AMERICAN_LAYOUTS } from "./layouts-american.ts";
import { ASIAN_LAYOUTS } from "./layouts-asian.ts";
import { BRITISH_LAYOUTS } from "./layouts-british.ts";
import { GERMAN_LAYOUTS } from "./layouts-german.ts";
import { ROMANCE_LAYOUTS } from "./layouts-romance.ts";
import { randomBy } from "./random.ts";
import type { Truth } from "./sale.ts";

/**
 * `first` are those that the reader's rules were made with; `later` ones were drawn once it was made, and first read before any rule was changed;
 * `last` ones once that reading had changed the rules.
 */
const SHOPS = {
  first: Object.entries({
    ...BRITISH_LAYOUTS,
    ...AMERICAN_LAYOUTS,
    ...GERMAN_LAYOUTS,
    ...ROMANCE_LAYOUTS,
    ...ASIAN_LAYOUTS,
  }),
  later: Object.entries({
    ...LATER_ENGLISH_LAYOUTS,
    ...LATER_AMERICAN_LAYOUTS,
    ...LATER_GERMAN_LAYOUTS,
    ...LATER_WESTERN_LAYOUTS,
    ...LATER_SOUTHERN_LAYOUTS,
    ...LATER_ASIAN_LAYOUTS,
  }),
  last: Object.entries(LAST_LAYOUTS),
} as const;

/** Which layouts to draw. */
export type Shops = keyof typeof SHOPS;

/** Whether there are layouts of the name. */
export function isShops(name: string): name is Shops {
  return Object.hasOwn(SHOPS, name);
}

/** A drawn receipt: its truth at once, its picture or its flat paper when it is asked for. The same seed draws the same one; seeds in a row go through all layouts. */
export interface DrawnReceipt {
  file: string;
  layout: string;
  truth: Truth;
  picture: () => Promise<{ jpeg: Buffer; roughness: string }>;
  flat: () => Promise<Buffer>;
}

/** The receipt of a seed. */
export function drawnReceipt(seed: number, shops: Shops = "first"): DrawnReceipt {
  const layouts = SHOPS[shops];
  const [layout, draw] = layouts[seed % layouts.length]!;
  const random = randomBy(seed);
  const { paper, truth } = draw(random);
  return {
    file: `${layout}_${seed}.jpg`,
    layout,
    truth,
    picture: () => pictured(paper, randomBy(seed ^ 0x77777), seed),
    flat: () => flatPaper(paper, randomBy(seed ^ 0x77777)),
  };
}
