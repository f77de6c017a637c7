// Copies with one digit (or more) painted over, and which of them are caught: by the pictures, or by the facts.
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { purchaseFingerprint } from "../src/receipts/duplicates/duplicate-checks.ts";
import { digitsOf, overpainted } from "../test/support/overpainted-pictures.ts";
import type { Digit } from "../test/support/overpainted-pictures.ts";
import { compare } from "./duplicate-pairs.ts";
import type { Read } from "./duplicate-pairs.ts";

type Alter = (picture: Buffer) => Promise<Buffer>;

/** What is done to the painted picture before it is submitted again. */
const SAVED: Readonly<Record<string, Alter>> = {
  "at JPEG quality 60": (picture) => sharp(picture).jpeg({ quality: 60 }).toBuffer(),
  "scaled to 80 %": async (picture) => {
    const { width } = await sharp(picture).metadata();
    return sharp(picture)
      .resize({ width: Math.round(0.8 * width) })
      .jpeg({ quality: 88 })
      .toBuffer();
  },
  "turned by 1.5°": (picture) => sharp(picture).rotate(1.5, { background: "#888" }).jpeg({ quality: 88 }).toBuffer(),
  "grey, darkened, cropped": async (picture) => {
    const { width, height } = await sharp(picture).metadata();
    const [left, top] = [Math.round(0.02 * width), Math.round(0.02 * height)];
    return sharp(picture)
      .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
      .greyscale()
      .modulate({ brightness: 0.85 })
      .jpeg({ quality: 80 })
      .toBuffer();
  },
  "with mirrored margins": (picture) =>
    sharp(picture)
      .extend({ top: 60, bottom: 90, left: 80, right: 40, extendWith: "mirror" })
      .jpeg({ quality: 85 })
      .toBuffer(),
  "with a strip pasted over a row": async (picture) => {
    const { width, height } = await sharp(picture).metadata();
    const strip = { width: Math.round(0.7 * width), height: Math.round(0.02 * height), channels: 3 as const };
    const input = await sharp({ create: { ...strip, background: "#ccc" } })
      .png()
      .toBuffer();
    return sharp(picture)
      .composite([{ input, left: Math.round(0.15 * width), top: Math.round(0.2 * height) }])
      .jpeg({ quality: 85 })
      .toBuffer();
  },
};

/** Several digits at once; the purchase still has only one way of its own in which it differs. */
const COMBINED_KINDS = [
  ["terminal", "minute"],
  ["phone", "VAT id"],
  ["phone", "total"],
] as const;

/**
 * Paints over a digit of each kind in each picture, three copies of each, saved in different ways; prints how many are
 * caught. `declared` is the shop of the declaration.
 */
export async function painted(
  title: string,
  originals: readonly (readonly [string, Buffer])[],
  read: (name: string, picture: Buffer) => Promise<Read | null>,
  copies = 3,
): Promise<void> {
  const counts = new Map<string, { caught: number; byPicture: number; all: number }>();
  const missed: string[] = [];
  let done = 0;
  for (const [i, [name, picture]] of originals.entries()) {
    const original = await read(name, picture);
    if (!original) continue;
    const digits = digitsOf(original.page, original.reading.totalMinor);
    const wanted: [string, Digit[]][] = [...digits].map(([kind, digit]) => [kind, [digit]]);
    for (const kinds of COMBINED_KINDS) {
      const both = kinds.flatMap((kind) => digits.get(kind) ?? []);
      if (both.length === kinds.length && both[0]!.box !== both[1]!.box) wanted.push([kinds.join(" and "), both]);
    }
    for (const [kind, some] of wanted) {
      const { picture: forged } = await overpainted(await readFile(original.path), original.page, some);
      for (let copy = 0; copy < copies; copy++) {
        const [way, save] = Object.entries(SAVED)[(i + copy) % Object.keys(SAVED).length]!;
        const again = await read(`${name} ${kind}`, await save(forged));
        const result = again && (await compare(again, original));
        const byPicture = result !== null && result.kind !== "different";
        const byFacts = again !== null && isSamePurchase(again, original);
        const count = counts.get(kind) ?? { caught: 0, byPicture: 0, all: 0 };
        counts.set(kind, {
          caught: count.caught + Number(byPicture || byFacts),
          byPicture: count.byPicture + Number(byPicture),
          all: count.all + 1,
        });
        if (!byPicture && !byFacts) missed.push(`  missed: ${name}, ${kind}, ${way}, ${result?.shared} keys in common`);
      }
    }
    done++;
    if (done % 10 === 0) console.error(`${title}: ${done} of ${originals.length}`);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count.all, 0);
  const caught = [...counts.values()].reduce((sum, count) => sum + count.caught, 0);
  console.log(`\n${title}, painted over: ${caught} of ${all} caught (by pictures alone)`);
  for (const [kind, count] of counts)
    console.log(`  ${kind.padEnd(24)} ${count.caught} of ${count.all} (${count.byPicture})`);
  if (missed.length > 0) console.log(missed.sort().join("\n"));
}

/** Whether the facts of two receipts are equal: shop, minute and total. */
function isSamePurchase({ reading }: Read, other: Read): boolean {
  const declared = { merchantName: null, amount: null, transactionTimestamp: null };
  const printOf = (one: Read["reading"]) =>
    purchaseFingerprint(one.businessName ?? one.merchantName ?? "", one, declared)?.toString("hex");
  return printOf(reading) !== undefined && printOf(reading) === printOf(other.reading);
}
