import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import sharp from "sharp";
import { createOcr, OcrFailure } from "../src/ocr/ocr.ts";
import { drawReceipt } from "../src/receipts/samples/drawing.ts";
import { keptModels } from "./support/kept-files.ts";

/** A receipt drawn by the project, turned by `turn` degrees. */
function picture(turn = 0): Promise<Buffer> {
  return sharp(Buffer.from(drawing(1)))
    .rotate(turn)
    .png()
    .toBuffer();
}

function drawing(lines: number, names: readonly string[] = ["SKIMMED MILK"]): string {
  const { svg } = drawReceipt({
    language: "en",
    currency: "GBP",
    merchant: {
      name: "LARKMEADOW MARKET",
      address: ["14 Harbour Lane"],
      phone: "01632 960142",
      vatNumber: "GB 000 4172 00",
    },
    date: "2026-02-03",
    time: "10:20",
    receiptNumber: "0042",
    lines: Array.from({ length: lines }, (_, i) => ({ name: names[i % names.length]!, amountMinor: 1234 })),
    payment: { kind: "card", scheme: "VISA", cardLast4: "4242" },
  });
  return svg;
}

/** A sheet of `columns` drawn receipts of `lines` lines beside one another, 4,000 px high. */
async function sheet(columns: number, lines: number): Promise<Buffer> {
  const one = sharp(Buffer.from(drawing(lines)), { unlimited: true })
    .resize({ height: 4_000 })
    .png();
  const { data, info } = await one.toBuffer({ resolveWithObject: true });
  const background = { r: 255, g: 255, b: 255 };
  return sharp({ create: { width: columns * info.width, height: 4_000, channels: 3, background } })
    .composite(Array.from({ length: columns }, (_, i) => ({ input: data, left: i * info.width, top: 0 })))
    .jpeg({ quality: 50 })
    .toBuffer();
}

const kind = (expected: OcrFailure["kind"]) => (error: unknown) =>
  error instanceof OcrFailure && error.kind === expected;

describe("an OCR process", () => {
  const ocr = createOcr({ processes: 1, ...keptModels() });
  after(() => ocr.close());

  test("reads the text of an image, at any rotation", async () => {
    for (const turn of [0, 90, 180, 270]) {
      const { boxes } = await ocr.read({ bytes: await picture(turn) });
      const text = boxes.map((box) => box.text).join(" ");
      assert.match(text, /12\.34/, `turned by ${turn}`);
      assert.match(text.replaceAll(" ", ""), /SKIMMEDMILK/, `turned by ${turn}`);
    }
  });

  test("reads the sign of euros", async () => {
    const { boxes } = await ocr.read({ bytes: Buffer.from(drawing(2, ["Brot 1,29 €", "SKIMMED MILK"])) });
    const text = boxes.map((box) => box.text).join(" ");
    assert.match(text, /1,29 ?€/);
  });

  test("reads a receipt of 120 lines, and not a page of small print, which would cost many times as much", async () => {
    const long = await ocr.readMeasured({ bytes: await sheet(1, 120) });
    assert.equal(long.page.hasTooMuchText, undefined);
    assert.ok(long.page.boxes.length > 120, `${long.page.boxes.length} boxes`);
    const dense = await ocr.readMeasured({ bytes: await sheet(6, 110) });
    assert.equal(dense.page.hasTooMuchText, true);
    assert.equal(dense.stepCpuMs.recognise, 0);
  });

  test("reports an image that cannot be decoded or does not exist, and reads the next one", async () => {
    const whole = await picture();
    await assert.rejects(ocr.read({ bytes: whole.subarray(0, whole.length / 2) }), kind("unreadable"));
    await assert.rejects(ocr.read({ bytes: Buffer.from("not an image") }), kind("unreadable"));
    await assert.rejects(ocr.read({ path: "/no/such/file.png" }), kind("failed"));
    assert.ok((await ocr.read({ bytes: whole })).boxes.length > 0);
  });
});
