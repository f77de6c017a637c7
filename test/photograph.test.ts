import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";
import sharp from "sharp";
import { photograph } from "../src/receipts/samples/photograph.task.ts";
import { SAMPLE_MOMENT, drawSample } from "../src/receipts/samples/outcomes.ts";

const sample = drawSample("completed", SAMPLE_MOMENT);
/** Drawn in a sixth of the time: enough where two photos are compared. */
const SMALL = { frameLongPx: 800 };

test("the same drawing and seed give the same JPEG, another seed another", async () => {
  const photo = await photograph(sample, { seed: 7, ...SMALL });
  assert.deepEqual(await photograph(sample, { seed: 7, ...SMALL }), photo);
  assert.notDeepEqual(await photograph(sample, { seed: 8, ...SMALL }), photo);
});

test("a photo is a JPEG of a phone's size, the paper light upon a darker table", async () => {
  const photo = await photograph(sample, { seed: 7 });
  const { format, width, height } = await sharp(photo).metadata();
  assert.deepEqual({ format, width, height }, { format: "jpeg", width: 1500, height: 2000 });
  assert.ok(photo.length > 100_000 && photo.length < 1_500_000, `${photo.length} bytes`);
  const meanOf = async (left: number, top: number) =>
    (
      await sharp(await sharp(photo).extract({ left, top, width: 60, height: 60 }).toBuffer())
        .greyscale()
        .stats()
    ).channels[0]?.mean ?? 0;
  assert.ok((await meanOf(720, 1000)) > 1.5 * (await meanOf(20, 1000)));
});

test("a photo is the same on a machine without fonts", async () => {
  const program = `
    import { createHash } from "node:crypto";
    import { photograph } from "./src/receipts/samples/photograph.task.ts";
    import { SAMPLE_MOMENT, drawSample } from "./src/receipts/samples/outcomes.ts";
    const photo = await photograph(drawSample("completed", SAMPLE_MOMENT), { seed: 7, frameLongPx: ${SMALL.frameLongPx} });
    console.log(createHash("sha256").update(photo).digest("hex"));`;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: new URL("..", import.meta.url),
    env: { FONTCONFIG_FILE: "/nonexistent/fonts.conf", FONTCONFIG_PATH: "/nonexistent", HOME: "/nonexistent" },
    encoding: "utf8",
  });
  assert.equal(child.stderr, "");
  const photo = await photograph(sample, { seed: 7, ...SMALL });
  assert.equal(child.stdout.trim(), createHash("sha256").update(photo).digest("hex"));
});
