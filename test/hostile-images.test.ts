import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import sharp from "sharp";
import { createImageExaminer } from "../src/images/worker/examiner.ts";
import type { ExaminerOptions } from "../src/images/worker/examiner.ts";
import { blackPng, exifOf, framesOf, inflating, manyScans, pngChunk, pngHeader } from "./support/hostile-images.ts";
import { formFor, picture } from "./support/groceries.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

// Uploads through the API, examined by real processes: what a hostile image costs is refused or bounded, nothing of it
// is left, and the uploads of another application go through meanwhile.

const LINUX = process.platform === "linux" ? false : "the system doesn't report what processes use";
const MIB = 1024 * 1024;
const SMALL = { width: 700, height: 700 };
const HUGE = { width: 7_071, height: 7_071 };

const usual = createImageExaminer();
let examiner = usual;
let service: ReceiptsUnderTest;
let app: TestClient;
let other: TestClient;
let photo: Buffer;

before(async () => {
  service = await startReceipts({
    examiner: { examine: (...upload) => examiner.examine(...upload), close: () => usual.close() },
    imageBytesMax: 10 * MIB,
    imagePixelsMax: 50_000_000,
  });
  [app, other, photo] = [await service.client(), await service.client(), await picture()];
});
after(async () => {
  await usual.close();
  await service.close();
});

/** Examines the uploads of a test by another examiner. */
function examinedBy(t: TestContext, options: ExaminerOptions): void {
  const another = createImageExaminer(options);
  examiner = another;
  t.after(async () => {
    examiner = usual;
    await another.close();
  });
}

async function sent(client: TestClient, image: Buffer): Promise<LightMyRequestResponse> {
  return client.upload({ fields: formFor(await client.enrol()), image });
}

/** Uploads an image while another application uploads a photo. Returns the error of the image; null: accepted. */
async function errorOf(image: Buffer): Promise<string | null> {
  const [response, meanwhile] = await Promise.all([sent(app, image), sent(other, photo)]);
  assert.equal(meanwhile.statusCode, 200, meanwhile.body);
  assert.deepEqual(service.temporaryFiles(), []);
  if (response.statusCode === 200) return null;
  const { status, errors, detail } = response.json<{ status: number; errors?: object; detail?: string }>();
  return `${status} ${Object.values(errors ?? {}).join() || detail}`;
}

async function claiming(width: number, height: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

test("a size that no photo has is refused by the header, with no process to decode it", async (t) => {
  examinedBy(t, { program: new URL("http://127.0.0.1/no-program") });
  const images: [Buffer, RegExp][] = [
    [await blackPng({ width: 1, height: 19_000_000 }), /^400 must be a photo: its longer side is at most 32767 pixels/],
    [await blackPng({ width: 19_000_000, height: 1 }), /^400 must be a photo/],
    [await blackPng({ width: 1_000, height: 32_768, colourType: 0 }), /^400 must be a photo/],
    [await blackPng({ width: 10, height: 1_001 }), /^400 must be a photo.* at most 100 times its shorter side/],
    [Buffer.concat([pngHeader({ width: 30_000, height: 30_000 }), Buffer.alloc(110_000)]), /^413 .* pixels/],
    [await claiming(7_000, 7_000), /^400 must be a complete JPEG/],
    [Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(9 * MIB, 0xff)]), /^400 must be a complete JPEG/],
  ];
  for (const [image, expected] of images) {
    const response = await sent(app, image);
    const { status, errors, detail } = response.json<{ status: number; errors?: object; detail?: string }>();
    assert.match(`${status} ${Object.values(errors ?? {}).join() || detail}`, expected);
  }
  assert.deepEqual(service.temporaryFiles(), []);
});

test("a long till receipt is accepted, as are an interlaced picture, an animation of many frames, much metadata", async () => {
  const images: Buffer[] = [
    await sharp({ create: { width: 600, height: 12_000, channels: 3, background: "white" } })
      .jpeg()
      .toBuffer(),
    await blackPng({ width: 900, height: 32_767, colourType: 0 }),
    await blackPng({ ...SMALL, interlace: 1 }),
    await blackPng(SMALL, framesOf(10_000)),
    await blackPng(SMALL, [pngChunk("eXIf", exifOf(600_000))]),
    await blackPng(SMALL, Array<Buffer>(200).fill(await inflating("zTXt", 7))),
    await blackPng(SMALL, [await inflating("iCCP", 200)]),
  ];
  for (const image of images) assert.equal(await errorOf(image), null);
});

test("more scans or chunks than an encoder writes are refused before they are decoded", async () => {
  const costly = "400 takes too much time or memory to decode; save it again as an ordinary JPEG";
  assert.equal(await errorOf(manyScans(HUGE.width, HUGE.height, 880)), costly);
  assert.equal(await errorOf(manyScans(SMALL.width, SMALL.height, 12)), null);
  for (const type of ["IDAT", "sRGB", "abCd"]) {
    const chunk = pngChunk(type, Buffer.alloc(type === "sRGB" ? 1 : 0));
    assert.equal(await errorOf(await blackPng(SMALL, Array<Buffer>(700_000).fill(chunk))), costly, type);
  }
});

test("what is cut or damaged is no complete image", async () => {
  const png = await blackPng(SMALL);
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const jpeg = await sharp({ create: { ...SMALL, channels: 3, background: "red", noise } })
    .jpeg()
    .toBuffer();
  const broken = Buffer.from(png).fill(0x55, 60, 200);
  for (const image of [png.subarray(0, png.length / 2), jpeg.subarray(0, jpeg.length / 2), broken])
    assert.match((await errorOf(image)) ?? "accepted", /^400 must be a complete JPEG or PNG image/);
});

test(
  "a picture that takes much memory is decoded outside of the service, within a limit",
  { skip: LINUX },
  async () => {
    const image = await blackPng({ ...HUGE, depth: 16, colourType: 6, interlace: 1 });
    const memoryBefore = process.resourceUsage().maxRSS;
    assert.equal(await errorOf(image), null);
    const usual = examiner;
    examiner = createImageExaminer({ memoryLimitBytes: 300 * MIB });
    assert.match((await errorOf(image)) ?? "accepted", /^400 takes too much time or memory to decode/);
    await examiner.close();
    examiner = usual;
    assert.ok(process.resourceUsage().maxRSS - memoryBefore < 150 * 1024, "the service itself holds none of it (KiB)");
  },
);

test("too many uploads at once get 503 with Retry-After at once, one application's leave room for another's", async (t) => {
  const waitingLimits = { all: 10, ofApplication: 2, ofSession: 1 };
  examinedBy(t, { processes: 1, waitingLimits, waitMsMax: 120_000 });
  const costly = await blackPng({ width: 3_000, height: 3_000, depth: 16, colourType: 6 });
  const order: string[] = [];
  const named = async (name: string, upload: Promise<LightMyRequestResponse>) => {
    const response = await upload;
    order.push(`${name} ${response.statusCode}`);
    return response;
  };
  const uploads = Array.from({ length: 5 }, () => named("a", sent(app, costly)));
  for (const deadline = Date.now() + 30_000; !order.includes("a 503"); await sleep(5))
    assert.ok(Date.now() < deadline, "no upload was refused");
  const another = named("b", sent(other, photo));
  const responses = await Promise.all([...uploads, another]);
  const refused = responses.filter(({ statusCode }) => statusCode === 503);
  assert.deepEqual(
    refused.map(({ headers }) => headers["retry-after"]),
    ["5", "5"],
  );
  assert.deepEqual(order.slice(0, 2), ["a 503", "a 503"]);
  assert.ok(order.indexOf("b 200") < 4, `the two that waited before it come after it: ${order.join(", ")}`);
  assert.deepEqual(service.temporaryFiles(), []);
});
