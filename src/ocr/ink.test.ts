import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pixels, Rectangle } from "./image.ts";
import { withPrintOnly } from "./ink.ts";

/** White paper with black letters: bars of 3 px every 6 px, from `top` to `bottom`, across the whole width. */
function printed(bands: readonly { top: number; bottom: number }[]): Pixels {
  const [width, height] = [300, 96];
  const data = new Uint8Array(3 * width * height).fill(250);
  for (const { top, bottom } of bands)
    for (let y = top; y < bottom; y++)
      for (let x = 0; x < width; x++) if (x % 6 < 3) data.fill(10, 3 * (y * width + x), 3 * (y * width + x) + 3);
  return { data, width, height };
}

const BOX: Rectangle = { x: 150, y: 48, width: 250, height: 48, angle: 0, bend: 0 };

test("a box that is too high is cut to its print, without the feet of the line above", () => {
  const [line] = withPrintOnly(printed([{ top: 20, bottom: 28 }, { top: 36, bottom: 60 }]), [BOX]); // prettier-ignore
  assert.ok(line!.height > 30 && line!.height < 42, `height ${line!.height}`);
  assert.ok(Math.abs(line!.y - 48) <= 3, `y ${line!.y}`);
});

test("print that is low in its box becomes its middle", () => {
  const [line] = withPrintOnly(printed([{ top: 30, bottom: 52 }]), [BOX]);
  assert.ok(Math.abs(line!.y - 41) <= 1.5, `y ${line!.y}`);
});

test("a box that its print fills stays as it is, and so does a row of dashes", () => {
  const [filled] = withPrintOnly(printed([{ top: 32, bottom: 64 }]), [BOX]);
  const [dashes] = withPrintOnly(printed([{ top: 46, bottom: 50 }]), [BOX]);
  assert.deepEqual([filled!.height, dashes!.height, filled!.y, dashes!.y], [48, 48, 48, 48]);
});
