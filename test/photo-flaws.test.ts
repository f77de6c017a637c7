import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import sharp from "sharp";
import type { Sharp } from "sharp";
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";

const RECEIPTS = join(import.meta.dirname, "../../shared/receipts/images");
/** As the page's script takes a look. */
const LOOK_LONG_SIDE = 1000;
/** Tests one of this number of development receipts: enough to notice a change, quick enough for every run. */
const STRIDE = 4;

type Look = (pixels: { data: Uint8Array; width: number; height: number }, size: object) => string[];
const flaws = (await import(new URL("../src/pages/assets/flaws.js", import.meta.url).href)) as { flawsOf: Look };

async function flawsOf(image: Sharp): Promise<string[]> {
  const photo = sharp(await image.png().toBuffer());
  const { width, height } = await photo.metadata();
  const { data, info } = await photo
    .resize({ width: LOOK_LONG_SIDE, height: LOOK_LONG_SIDE, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return flaws.flawsOf({ data, width: info.width, height: info.height }, { width, height });
}

let photo: Buffer;
before(async () => {
  photo = await sampleImage("completed", 1);
});

test("a good photo gets no advice", async () => {
  assert.deepEqual(await flawsOf(sharp(photo)), []);
});

test("a photo that is dark, blurred, small or cut at its print gets that flaw", async () => {
  const { width, height } = await sharp(photo).metadata();
  assert.deepEqual(await flawsOf(sharp(photo).linear(0.3, 0)), ["dark"]);
  assert.deepEqual(await flawsOf(sharp(photo).blur(6)), ["blurred"]);
  assert.deepEqual(await flawsOf(sharp(photo).resize(400)), ["small"]);
  const [left, top] = [Math.round(width * 0.4), Math.round(height * 0.25)];
  const print = { left, top, width: Math.round(width * 0.2), height: Math.round(height * 0.5) };
  assert.ok((await flawsOf(sharp(photo).extract(print).resize({ height: 2000 }))).includes("cut"));
});

test("a photo of one shade, and one of a single pixel, are no reason to stumble", async () => {
  for (const side of [1, 2, 900]) {
    const blank = sharp({ create: { width: side, height: side, channels: 3, background: "#fff" } });
    assert.ok(!(await flawsOf(blank)).includes("dark"));
  }
});

const skip = existsSync(RECEIPTS) ? false : "the development receipts are not here";
test("no real receipt is called dark or blurred", { skip }, async () => {
  for (const file of readdirSync(RECEIPTS).filter((_, i) => i % STRIDE === 0)) {
    const found = await flawsOf(sharp(join(RECEIPTS, file)).autoOrient().flatten({ background: "#fff" }));
    assert.ok(!found.includes("dark") && !found.includes("blurred"), `${file}: ${found.join(", ")}`);
  }
});
