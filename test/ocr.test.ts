import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import sharp from "sharp";
import { createOcr, OcrFailure } from "../src/ocr/ocr.ts";
import { drawReceipt } from "../src/receipts/samples/drawing.ts";

/** A receipt drawn by the project, turned by `turn` degrees. */
async function picture(turn = 0): Promise<Buffer> {
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
    lines: [{ name: "SKIMMED MILK", amountMinor: 1234 }],
    payment: { kind: "card", scheme: "VISA", cardLast4: "4242" },
  });
  return sharp(Buffer.from(svg)).rotate(turn).png().toBuffer();
}

const kind = (expected: OcrFailure["kind"]) => (error: unknown) =>
  error instanceof OcrFailure && error.kind === expected;

describe("an OCR process", () => {
  const ocr = createOcr({ processes: 1 });
  after(() => ocr.close());

  test("reads the text of an image, at any rotation", async () => {
    for (const turn of [0, 90, 180, 270]) {
      const { boxes } = await ocr.read({ bytes: await picture(turn) });
      const text = boxes.map((box) => box.text).join(" ");
      assert.match(text, /12\.34/, `turned by ${turn}`);
      assert.match(text.replaceAll(" ", ""), /SKIMMEDMILK/, `turned by ${turn}`);
    }
  });

  test("reports an image that cannot be decoded or does not exist, and reads the next one", async () => {
    const whole = await picture();
    await assert.rejects(ocr.read({ bytes: whole.subarray(0, whole.length / 2) }), kind("unreadable"));
    await assert.rejects(ocr.read({ bytes: Buffer.from("not an image") }), kind("unreadable"));
    await assert.rejects(ocr.read({ path: "/no/such/file.png" }), kind("failed"));
    assert.ok((await ocr.read({ bytes: whole })).boxes.length > 0);
  });
});
