import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import sharp from "sharp";
import { createOcr, OcrFailure } from "../src/adapters/ocr.ts";
import { drawReceipt } from "../src/receipts/samples/drawing.ts";

/** A receipt drawn by the project, turned by so many degrees. */
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

/** The processes of this one that run the OCR program, by /proc or ps. */
async function ocrProcesses(): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,args="]).catch(() => ({ stdout: "" }));
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(" ").includes("ocr-process"))
    .map(([pid]) => Number(pid));
}

describe("a pool of OCR processes", () => {
  const ocr = createOcr({ processes: 1 });
  after(() => ocr.close());

  it("reads the text of an image, upright whichever way it lies", async () => {
    for (const turn of [0, 90, 180, 270]) {
      const { boxes } = await ocr.read({ bytes: await picture(turn) });
      const text = boxes.map((box) => box.text).join(" ");
      assert.match(text, /12\.34/, `turned by ${turn}`);
      assert.match(text.replaceAll(" ", ""), /SKIMMEDMILK/, `turned by ${turn}`);
    }
  });

  it("says that an image cannot be decoded, and reads the next one", async () => {
    const whole = await picture();
    await assert.rejects(ocr.read({ bytes: whole.subarray(0, whole.length / 2) }), kind("unreadable"));
    await assert.rejects(ocr.read({ bytes: Buffer.from("not an image") }), kind("unreadable"));
    await assert.rejects(ocr.read({ path: "/nowhere/at/all.png" }), kind("unreadable"));
    assert.ok((await ocr.read({ bytes: whole })).boxes.length > 0);
  });

  it("replaces a process that dies: the one image fails as crashed, the next is read", async (t) => {
    const [pid] = await ocrProcesses();
    if (pid === undefined) return t.skip("no ps here to find the process");
    const reading = ocr.read({ bytes: await picture() });
    process.kill(pid, "SIGKILL");
    await assert.rejects(reading, kind("crashed"));
    assert.ok((await ocr.read({ bytes: await picture() })).boxes.length > 0);
  });

  it("ends what takes too long as a timeout, what takes too much memory as crashed", async () => {
    const hasty = createOcr({ processes: 1, timeoutMs: 1 });
    await assert.rejects(hasty.read({ bytes: await picture() }), kind("timeout"));
    await hasty.close();
    const narrow = createOcr({ processes: 1, memoryLimitMb: 1 });
    if (process.platform === "linux") await assert.rejects(narrow.read({ bytes: await picture() }), kind("crashed"));
    await narrow.close();
  });

  it("leaves no process behind when it is closed, and refuses what comes later", async () => {
    const pool = createOcr({ processes: 1 });
    await pool.read({ bytes: await picture() });
    const before = (await ocrProcesses()).length;
    await pool.close();
    if (before > 0) assert.equal((await ocrProcesses()).length, before - 1);
    await assert.rejects(pool.read({ bytes: await picture() }), kind("crashed"));
  });
});
