import type { Chance } from "./chance.ts";
import { lit } from "./raster.ts";
import type { Raster } from "./raster.ts";

// The shadow of the person who takes the picture, under a lamp behind: a phone, the hand and the arm that hold it.

/** Distance of a place to the edge of a box with round corners, less than 0 within it. */
function toBox(x: number, y: number, halfWidth: number, halfHeight: number, round: number): number {
  const [dx, dy] = [Math.abs(x) - halfWidth + round, Math.abs(y) - halfHeight + round];
  return Math.hypot(Math.max(0, dx), Math.max(0, dy)) + Math.min(0, Math.max(dx, dy)) - round;
}

/** From below or a side, to the middle of the picture and beyond; its edge is a few rows of print wide at most. */
export function overshadowed(sheet: Raster, { of, within, sign, random }: Chance): Raster {
  const depth = of([0.3, 0.45], [0.45, 0.65], [0.65, 0.8]);
  const soft = within(0.006, 0.03);
  const [phoneX, phoneY] = [within(0.3, 0.7), within(0.35, 0.65)];
  const [halfWidth, halfHeight] = [within(0.14, 0.22), within(0.16, 0.26)];
  const turn = sign * within(0.1, 0.5);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const long = sheet.height / sheet.width;
  const light = (shareX: number, shareY: number): number => {
    const [x, y] = [shareX - phoneX, (shareY - phoneY) * Math.min(long, 1.8)];
    const [u, v] = [x * cos + y * sin, y * cos - x * sin];
    const phone = toBox(u, v, halfWidth, halfHeight, 0.03);
    const hand = toBox(u - halfWidth, v - halfHeight * 0.5, 0.12, 0.16, 0.1);
    const arm = toBox(u - halfWidth - 0.05, v - halfHeight - 1, 0.1, 1, 0.05);
    return 1 - depth / (1 + Math.exp(Math.min(phone, hand, arm) / soft));
  };
  return lit(sheet, light, 3, random);
}
