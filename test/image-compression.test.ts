import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { lastStepsOf, strangestPatch } from "../src/images/image-compression.ts";
import { normaliseImage } from "../src/images/images.ts";
import { randomness } from "../src/images/seeded-noise.ts";
import { CHECK_THRESHOLDS } from "../src/receipts/checks/authenticate.ts";
import { drawReceipt } from "../src/receipts/samples/drawing.ts";
import { MARKET_RECEIPT } from "./support/duplicate-pictures.ts";

const work = await mkdtemp(path.join(tmpdir(), "rewards-compression-test-"));
after(() => rm(work, { recursive: true, force: true }));

/** Of a drawn receipt: the lines with their amounts. */
const PART = { left: 20, top: 500, width: 690, height: 640 };

interface Sheet {
  readonly data: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 3 };
}

async function sheetOf(picture: Buffer): Promise<Sheet> {
  const { data, info } = await sharp(picture)
    .flatten({ background: "white" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

/** Print on grey paper with some grain, as a camera sees it: no shade is cut off. */
async function photographed(): Promise<Sheet> {
  const { data, raw } = await sheetOf(
    await sharp(Buffer.from(drawReceipt(MARKET_RECEIPT).svg))
      .extract(PART)
      .png()
      .toBuffer(),
  );
  const random = randomness(5);
  for (let at = 0; at < data.length; at += 3) data.fill(60 + 0.55 * data[at]! + 12 * random(), at, at + 3);
  return { data, raw };
}

const jpegOf = ({ data, raw }: Sheet, quality: number): Promise<Buffer> =>
  sharp(data, { raw }).jpeg({ quality }).toBuffer();

async function evidenceIn(picture: Buffer) {
  const file = path.join(work, "picture");
  await writeFile(file, picture);
  const normalised = await normaliseImage(file, `${file}.jpg`, { pixelsMax: 10_000_000, longSideMaxPx: 4_000 });
  assert.ok(normalised.kind === "ok" && normalised.decoded);
  return strangestPatch(normalised.decoded, await lastStepsOf(file));
}

/** Lays a piece of a sheet on another place of it. */
function moved({ data, raw }: Sheet, from: Box, to: { left: number; top: number }): Sheet {
  const changed = Buffer.from(data);
  for (let y = 0; y < from.height; y++) {
    const start = 3 * ((from.top + y) * raw.width + from.left);
    data.copy(changed, 3 * ((to.top + y) * raw.width + to.left), start, start + 3 * from.width);
  }
  return { data: changed, raw };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

test("figures pasted into a photo are seen at their place when it is saved again", async () => {
  const came = await sheetOf(await jpegOf(await photographed(), 80));
  // The third amount in place of the first.
  const [width, height] = [90, 40];
  const place = { left: 585, top: 13, width, height };
  const forged = moved(came, { ...place, top: place.top + 93 }, place);
  for (const saved of [await jpegOf(forged, 92), await sharp(forged.data, { raw: forged.raw }).png().toBuffer()]) {
    const patch = await evidenceIn(saved);
    assert.ok(patch && patch.evidence > CHECK_THRESHOLDS.patchMax, `evidence: ${patch?.evidence}`);
    assert.ok(patch.left < place.left + width && place.left < patch.left + patch.width, "beside the place");
    assert.ok(patch.top < place.top + height && place.top < patch.top + patch.height, "above or below the place");
  }
});

test("an honest photo has no such place, saved once, twice, cropped or as PNG", async () => {
  const photo = await photographed();
  const once = await jpegOf(photo, 80);
  const twice = await sheetOf(once);
  const cropped = sharp(once).extract({ left: 3, top: 5, width: photo.raw.width - 9, height: photo.raw.height - 9 });
  for (const [how, picture] of Object.entries({
    once,
    twice: await jpegOf(twice, 92),
    coarser: await jpegOf(twice, 60),
    cropped: await cropped.jpeg({ quality: 93 }).toBuffer(),
    png: await sharp(once).png().toBuffer(),
  })) {
    const evidence = (await evidenceIn(picture))?.evidence ?? 0;
    assert.ok(evidence <= CHECK_THRESHOLDS.patchMax, `${how}: ${evidence}`);
  }
});

test("a picture of which nothing can be told has no place that stands out", async () => {
  const grey = await sharp({ create: { width: 5, height: 5, channels: 3, background: "#888" } })
    .jpeg()
    .toBuffer();
  assert.equal(await evidenceIn(grey), null);
});
