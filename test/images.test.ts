import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { crc32, createDeflate, deflateSync } from "node:zlib";
import * as fc from "fast-check";
import sharp from "sharp";
import { examineImage } from "../src/images/worker/examination.ts";
import { metadataOf } from "../src/images/metadata.ts";
import { normaliseImage } from "../src/images/normalise.ts";
import { sniffFile, sniffImage } from "../src/images/sniff.ts";

const LIMITS = { pixelsMax: 50_000_000, longSideMaxPx: 2400 };
const dir = mkdtempSync(join(tmpdir(), "rewards-images-"));
after(() => rmSync(dir, { recursive: true }));

let files = 0;
function fileOf(bytes: Uint8Array): string {
  const path = join(dir, String(files++));
  writeFileSync(path, bytes);
  return path;
}

async function normalised(bytes: Uint8Array, limits = LIMITS) {
  const input = fileOf(bytes);
  const output = `${input}.jpg`;
  const result = await normaliseImage(input, output, limits);
  assert.equal(existsSync(output), result.kind === "ok", "a file exists exactly if the outcome is ok");
  return { result, output };
}

const red = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 255, g: 0, b: 0, alpha: channels === 4 ? 0.5 : 1 } } });
/** A picture that compresses badly, so that its bytes are mostly pixels. */
const noisy = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "red", noise: { type: "gaussian", mean: 128, sigma: 30 } },
  });

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

function pngHeader(width: number, height: number, depth = 8, colourType = 2): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = colourType;
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), pngChunk("IHDR", header)]);
}

/** The same PNG with a chunk more, behind its header. */
function withChunk(png: Buffer, type: string, data: Uint8Array): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
}

/** A JPEG with a segment more, behind its signature. */
function withSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

/** The compressed pixels of a PNG whose pixels are in one chunk. */
function pixelsOf(png: Buffer): Buffer {
  const at = png.indexOf("IDAT");
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

async function meanColour(path: string): Promise<number[]> {
  const { channels } = await sharp(path).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

// Fixtures that take a while are made before the first test: a wait between two tests lets the runner think it is done.

const MIB = 1024 * 1024;
// Deflated piece by piece, so that the test itself never holds what it says the decoder must not.
const inflatesTo200MiB = await buffer(Readable.from(Array<Buffer>(200).fill(Buffer.alloc(MIB))).pipe(createDeflate()));

const inflatesTo7MiB = deflateSync(Buffer.alloc(7 * MIB, "a"));

const accepted: readonly [string, Buffer, readonly number[]][] = [
  ["a CMYK JPEG", await red(40, 30).toColourspace("cmyk").jpeg().toBuffer(), [232, 0, 0]],
  [
    "a grey JPEG",
    await sharp({ create: { width: 40, height: 30, channels: 3, background: "#888" } })
      .greyscale()
      .jpeg()
      .toBuffer(),
    [136, 136, 136],
  ],
  ["a 16-bit PNG with transparency", await red(40, 30, 4).toColourspace("rgb16").png().toBuffer(), [255, 127, 127]],
  ["a PNG with a palette", await red(40, 30).png({ palette: true }).toBuffer(), [255, 0, 0]],
  ["an interlaced PNG", await red(40, 30).png({ progressive: true }).toBuffer(), [255, 0, 0]],
  [
    "a progressive JPEG in Display P3",
    await red(40, 30).withIccProfile("p3").jpeg({ progressive: true }).toBuffer(),
    [255, 0, 0],
  ],
];

const notImages: readonly [string, Uint8Array][] = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from([0xff])],
  ["a GIF", await red(4, 4).gif().toBuffer()],
  ["a WebP", await red(4, 4).webp().toBuffer()],
  ["a TIFF", await red(4, 4).tiff().toBuffer()],
  ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj << >> endobj")],
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ["text", Buffer.from("MILK 1.45\nTOTAL 1.45\n")],
  ["HTML behind a JPEG signature", Buffer.from("\xff\xd8\xff<html><script>alert(1)</script></html>", "latin1")],
  ["HTML behind a JFIF head", Buffer.from("\xff\xd8\xff\xe0<html><script>alert(1)</script></html>", "latin1")],
  ["HTML behind a PNG signature", Buffer.from("\x89PNG\r\n\x1a\n<html><body>not a picture</body></html>", "latin1")],
  ["a bare PNG signature", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ["a PNG of no width", pngHeader(0, 10)],
  ["a PNG of a depth that there is not", pngHeader(10, 10, 7)],
  ["a PNG header with a wrong checksum", pngHeader(10, 10).fill(0, 32)],
];

for (const [name, bytes] of notImages) {
  test(`${name} is not an image`, async () => {
    const { result } = await normalised(bytes);
    assert.deepEqual(result, { kind: "not_an_image" });
  });
}

test("a PNG of 30,000 × 30,000 is refused from its header", async () => {
  const { result } = await normalised(Buffer.concat([pngHeader(30_000, 30_000), Buffer.alloc(110_000)]));
  assert.deepEqual(result, { kind: "too_large" });
});

test("a header that claims 2^32−1 squared is refused", async () => {
  assert.deepEqual(await sniffFile(fileOf(pngHeader(2 ** 32 - 1, 2 ** 32 - 1)), LIMITS), { kind: "too_large" });
});

test("a JPEG of 65,535 × 65,535 is refused from its header", async () => {
  const jpeg = await red(8, 8).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.fill(0xff, frame + 5, frame + 9);
  assert.deepEqual((await normalised(jpeg)).result, { kind: "too_large" });
});

test("the limit of pixels is exact", () => {
  const limits = { pixelsMax: 1_000 };
  assert.equal(sniffImage(pngHeader(10, 100), limits).kind, "ok");
  assert.equal(sniffImage(pngHeader(10, 101), limits).kind, "too_large");
});

test("the size is found in the header of a JPEG with any data before it", async () => {
  const jpeg = await red(31, 17).jpeg().toBuffer();
  const note = Buffer.alloc(65_000, "note");
  let long: Buffer = jpeg;
  for (let i = 0; i < 12; i++) long = withSegment(long, 0xe1, note);
  assert.ok(long.length > 700_000);
  assert.equal(sniffImage(long.subarray(0, 1_024), LIMITS).kind, "incomplete");
  assert.deepEqual(await sniffFile(fileOf(long), LIMITS), { kind: "ok", format: "jpeg", width: 31, height: 17 });
});

test("every head that is too short is incomplete, never wrong", async () => {
  for (const image of [await red(31, 17).jpeg().toBuffer(), await red(31, 17).png().toBuffer()]) {
    const full = sniffImage(image, LIMITS);
    assert.equal(full.kind, "ok");
    for (let length = 1; length < image.length; length++) {
      const part = sniffImage(image.subarray(0, length), LIMITS);
      if (part.kind !== "incomplete") assert.deepEqual(part, full);
    }
  }
});

test("no bytes whatever break the reading of a header", () => {
  const signature = fc.constantFrom("", "\xff\xd8\xff", "\xff\xd8\xff\xe0", "\x89PNG\r\n\x1a\n");
  fc.assert(
    fc.property(signature, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const kinds = ["ok", "too_large", "not_an_image", "incomplete"];
      assert.ok(kinds.includes(sniffImage(Buffer.concat([Buffer.from(start, "latin1"), rest]), LIMITS).kind));
    }),
  );
});

for (const type of ["zTXt", "iTXt", "iCCP"]) {
  test(`a ${type} chunk that would inflate to 200 MiB is passed over`, async () => {
    const keyword = Buffer.from(type === "iTXt" ? "k\0\x01\0\0\0" : "k\0\0", "latin1");
    await holdsLittle([pngChunk(type, Buffer.concat([keyword, inflatesTo200MiB]))]);
  });
}

test("text that would inflate to 1.4 GB in pieces, each within a decoder's own limit, is passed over", async () => {
  await holdsLittle(
    Array.from({ length: 200 }, (_, i) =>
      pngChunk("zTXt", Buffer.concat([Buffer.from(`k${i}\0\0`, "latin1"), inflatesTo7MiB])),
    ),
  );
});

/** Rewrites a PNG with these chunks and looks for its traces in little memory. */
async function holdsLittle(chunks: readonly Buffer[]): Promise<void> {
  const png = await red(50, 40).png().toBuffer();
  const memoryBefore = process.resourceUsage().maxRSS;
  const input = fileOf(Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]));
  const examined = await examineImage(input, `${input}.jpg`, LIMITS);
  assert.ok(examined.kind === "ok" && examined.traces.metadata.length <= MIB);
  assert.ok(process.resourceUsage().maxRSS - memoryBefore < 100 * 1024, "it was not inflated (KiB)");
}

test("what the text of a PNG says is read, compressed or not, and a chunk that is broken says nothing", async () => {
  const png = await red(4, 4).png().toBuffer();
  const bodies: readonly [string, string, Buffer][] = [
    ["tEXt", "Software\0", Buffer.from("GIMP")],
    ["zTXt", "Software\0\0", deflateSync("GIMP")],
    ["iTXt", "XML:com.adobe.xmp\0\0\0en\0t\0", Buffer.from("GIMP")],
    ["iTXt", "XML:com.adobe.xmp\0\x01\0en\0t\0", deflateSync("GIMP")],
  ];
  for (const [type, head, body] of bodies) {
    const { output } = await normalised(withChunk(png, type, Buffer.concat([Buffer.from(head, "latin1"), body])));
    assert.match(await metadataOf(output.slice(0, -".jpg".length)), /GIMP/, `${type} ${head}`);
  }
  for (const [type, data] of [
    ["zTXt", "Software"],
    ["zTXt", "Software\0\0GIMP"],
    ["iTXt", "Software\0\x01\0en"],
  ] as const) {
    const { result, output } = await normalised(withChunk(png, type, Buffer.from(data, "latin1")));
    assert.equal(result.kind, "ok");
    await metadataOf(output.slice(0, -".jpg".length));
  }
});

test("a JPEG cut anywhere in its pixels is unreadable", async () => {
  const jpeg = await noisy(600, 400).jpeg().toBuffer();
  for (const share of [0.2, 0.5, 0.9, 0.99]) {
    const { result } = await normalised(jpeg.subarray(0, Math.floor(jpeg.length * share)));
    assert.deepEqual(result, { kind: "unreadable" });
  }
});

test("a PNG cut in half, or with broken pixels, is unreadable", async () => {
  const png = await noisy(300, 200).png().toBuffer();
  assert.deepEqual((await normalised(png.subarray(0, png.length / 2))).result, { kind: "unreadable" });
  const broken = Buffer.from(png);
  broken.fill(0x55, 2_000, 3_000);
  assert.deepEqual((await normalised(broken)).result, { kind: "unreadable" });
});

for (const [name, bytes, colour] of accepted) {
  test(`${name} becomes a JPEG in sRGB, 8 bits a channel`, async () => {
    const { result, output } = await normalised(bytes);
    assert.ok(result.kind === "ok");
    assert.deepEqual([result.pixels.width, result.pixels.height], [40, 30]);
    const { format, space, depth, channels, icc } = await sharp(output).metadata();
    assert.deepEqual(
      { format, space, depth, channels, icc },
      { format: "jpeg", space: "srgb", depth: "uchar", channels: 3, icc: undefined },
    );
    for (const [index, mean] of (await meanColour(output)).entries())
      assert.ok(Math.abs(mean - (colour[index] ?? 0)) <= 4, `${mean} for ${colour[index]}`);
  });
}

test("an image that EXIF says is turned or mirrored is put upright", async () => {
  // Red at the left of the top as stored.
  const corner = await sharp({ create: { width: 60, height: 20, channels: 3, background: "white" } })
    .composite([{ input: await red(30, 10).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
  const corners = ["left top", "right top", "right bottom", "left bottom"];
  for (const [i, at] of [...corners, ...corners].entries()) {
    const { result, output } = await normalised(
      await sharp(corner)
        .withMetadata({ orientation: i + 1 })
        .png()
        .toBuffer(),
    );
    assert.ok(result.kind === "ok");
    const [width, height] = [result.pixels.width, result.pixels.height];
    assert.deepEqual([width, height], i < 4 ? [60, 20] : [20, 60]);
    const box = { left: at.startsWith("left") ? 2 : width / 2 + 2, top: at.endsWith("top") ? 2 : height / 2 + 2 };
    const part = await sharp(output)
      .extract({ ...box, width: width / 2 - 4, height: height / 2 - 4 })
      .toBuffer();
    const [redness = 0, greenness = 255] = (await sharp(part).stats()).channels.map(({ mean }) => mean);
    assert.ok(redness > 240 && greenness < 20, `orientation ${i + 1}: ${at}`);
  }
});

test("place, camera and text are not in the kept file", async () => {
  const secret = "51 deg 30 min secret place";
  const jpeg = await red(40, 30)
    .withExif({
      IFD0: { Copyright: secret, Make: secret },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${secret} --></x:xmpmeta>`)
    .jpeg()
    .toBuffer();
  const png = withChunk(await red(40, 30).png().toBuffer(), "tEXt", Buffer.from(`Comment\0${secret}`));
  for (const image of [withSegment(jpeg, 0xfe, Buffer.from(secret)), png]) {
    assert.ok(image.includes(secret));
    const { output } = await normalised(image);
    const { exif, xmp, iptc, comments } = await sharp(output).metadata();
    assert.deepEqual(
      { exif, xmp, iptc, comments },
      { exif: undefined, xmp: undefined, iptc: undefined, comments: undefined },
    );
    assert.ok(!readFileSync(output).includes("secret"));
  }
});

test("of an animated PNG the first frame is kept", async () => {
  const first = await red(20, 20).png().toBuffer();
  const second = await sharp({ create: { width: 20, height: 20, channels: 3, background: "blue" } })
    .png()
    .toBuffer();
  const control = (sequence: number) => {
    const frame = Buffer.alloc(26);
    frame.writeUInt32BE(sequence, 0);
    frame.writeUInt32BE(20, 4);
    frame.writeUInt32BE(20, 8);
    frame.writeUInt16BE(1, 20);
    frame.writeUInt16BE(10, 22);
    return pngChunk("fcTL", frame);
  };
  const animated = Buffer.concat([
    first.subarray(0, 33),
    pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    control(0),
    first.subarray(33, -12),
    control(1),
    pngChunk("fdAT", Buffer.concat([Buffer.from([0, 0, 0, 2]), pixelsOf(second)])),
    first.subarray(-12),
  ]);
  const { result, output } = await normalised(animated);
  assert.ok(result.kind === "ok" && result.pixels.height === 20);
  const [redness = 0, , blueness = 255] = await meanColour(output);
  assert.ok(redness > 250 && blueness < 5);
});

test("an image of one pixel is kept as it is", async () => {
  const { result } = await normalised(await red(1, 1).png().toBuffer());
  assert.ok(result.kind === "ok");
  assert.deepEqual([result.pixels.width, result.pixels.height], [1, 1]);
});

test("a long image is bounded by its long side, a small one is not enlarged", async () => {
  const long = (await normalised(await red(100, 6_000).png().toBuffer())).result;
  assert.ok(long.kind === "ok");
  assert.deepEqual([long.pixels.width, long.pixels.height], [40, 2_400]);
  const small = (await normalised(await red(100, 60).png().toBuffer())).result;
  assert.ok(small.kind === "ok" && small.pixels.width === 100);
});

test("a longer side just above its limit is kept as it is", async () => {
  const { result } = await normalised(await red(2_600, 60).jpeg().toBuffer());
  assert.ok(result.kind === "ok");
  assert.deepEqual([result.pixels.width, result.pixels.height], [2_600, 60]);
  const { width } = await sharp((await normalised(await red(2_700, 60).jpeg().toBuffer())).output).metadata();
  assert.equal(width, LIMITS.longSideMaxPx);
});

test("just under 50 megapixels is accepted", async () => {
  const { result } = await normalised(await red(7_071, 7_071).jpeg().toBuffer());
  assert.ok(result.kind === "ok" && result.pixels.width === LIMITS.longSideMaxPx);
});

test("twenty at once are all examined, a broken one among them", async () => {
  const photo = await noisy(600, 400).jpeg().toBuffer();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => normalised(index === 7 ? photo.subarray(0, photo.length / 2) : photo)),
  );
  assert.deepEqual(
    responses.map(({ result }) => result.kind),
    responses.map((_, index) => (index === 7 ? "unreadable" : "ok")),
  );
});
