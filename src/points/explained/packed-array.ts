// What explains an award, in fewer bytes than its text (packed-inputs.ts): of a food half, of a receipt a quarter.
import { createPackedJson } from "../../packed-json/packed-json.ts";

// Both lists are stored by their places: append only. What has an object of no shape is stored as text.

const SHAPES: readonly (readonly string[])[] = [];
const WORDS = (
  "0 200 400 600 800 1000 1200 1600 2000 points/1 g kg ml l piece A B C D E general cheese beverage " +
  "fats_oils_nuts_seeds red_meat water input+reference reference input 78 3625410 bag discount deposit non_food alcohol"
).split(" ");
const PACKED = createPackedJson({ shapes: SHAPES, words: WORDS });
const NOTHING_KNOWN = { ownerId: "", strings: [] };

/** Packs what explains an award; null: it has no packed form. Unpacked, it is the JSON of the same array. */
export function packArray(array: readonly unknown[]): Buffer | null {
  return PACKED.pack(array, null, NOTHING_KNOWN);
}

/** Returns the text. */
export function unpackText(packed: Buffer): string {
  return JSON.stringify(PACKED.unpack(packed, NOTHING_KNOWN));
}
