import { sampleAt } from "./raster.ts";
import type { Raster } from "./raster.ts";

// A sheet of paper as a surface in space, seen by a camera: a mesh of small cells, each drawn as two triangles.

/**
 * How the sheet is bent: the angle of its surface along its length (`down`) and its width (`across`) by the share of
 * the way, in radians, and the height of what juts out of it at a place, in pixels of the sheet.
 */
export interface Shape {
  readonly down?: (share: number) => number;
  readonly across?: (share: number) => number;
  readonly relief?: (u: number, v: number) => number;
}

/** Where the camera is: three angles in radians, and its distance in longer sides of the sheet. */
export interface View {
  readonly pitch?: number;
  readonly yaw?: number;
  readonly roll?: number;
  readonly distance?: number;
}

/** The corners of the cells in the picture, and the light on each. The sheet's middle is at 0, 0. */
export interface Mesh {
  readonly columns: number;
  readonly rows: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly light: Float64Array;
}

const CELL_PX = 12;
const DISTANCE = 1.6;
/** The lamp is above the sheet, to its upper left. */
const LAMP = [-0.35, -0.35, 0.87] as const;
/** How much of the light depends on the angle of the paper to the lamp; the rest comes from the walls. */
const LAMP_SHARE = 0.8;

/** Returns the places along a bent way at equal steps: how far it got, and how high. */
function profile(length: number, steps: number, angle: (share: number) => number): { at: number; z: number }[] {
  const places = [{ at: 0, z: 0 }];
  for (let i = 0; i < steps; i++) {
    const slope = angle((i + 0.5) / steps);
    const { at, z } = places[i]!;
    places.push({ at: at + (Math.cos(slope) * length) / steps, z: z + (Math.sin(slope) * length) / steps });
  }
  const middle = places.at(-1)!.at / 2;
  const height = places.reduce((sum, { z }) => sum + z, 0) / places.length;
  return places.map(({ at, z }) => ({ at: at - middle, z: z - height }));
}

/** Lays a sheet of this size before the camera. Its middle keeps its size in the picture. */
export function seen(size: { width: number; height: number }, shape: Shape, view: View): Mesh {
  const { pitch = 0, yaw = 0, roll = 0, distance = DISTANCE } = view;
  const columns = Math.ceil(size.width / CELL_PX);
  const rows = Math.ceil(size.height / CELL_PX);
  const across = profile(size.width, columns, shape.across ?? (() => 0));
  const down = profile(size.height, rows, shape.down ?? (() => 0));
  const away = distance * Math.max(size.width, size.height);
  const count = (columns + 1) * (rows + 1);
  const [xs, ys, light] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const heights = Float64Array.from({ length: count }, (_, i) => {
    const [column, row] = [i % (columns + 1), Math.floor(i / (columns + 1))];
    const relief = shape.relief?.(column / columns, row / rows) ?? 0;
    return across[column]!.z + down[row]!.z + relief;
  });
  const [cosP, sinP, cosY, sinY] = [Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
  const [cosR, sinR] = [Math.cos(roll), Math.sin(roll)];
  for (let i = 0; i < count; i++) {
    const [column, row] = [i % (columns + 1), Math.floor(i / (columns + 1))];
    const [x0, y0, z0] = [across[column]!.at, down[row]!.at, heights[i]!];
    const [x1, y1] = [x0 * cosR - y0 * sinR, x0 * sinR + y0 * cosR];
    const [y2, z2] = [y1 * cosP - z0 * sinP, y1 * sinP + z0 * cosP];
    const [x3, z3] = [x1 * cosY - z2 * sinY, x1 * sinY + z2 * cosY];
    const scale = away / (away - z3);
    xs[i] = x3 * scale;
    ys[i] = y2 * scale;
    const right = column < columns ? i + 1 : i;
    const lower = row < rows ? i + columns + 1 : i;
    const slopeX = (heights[right]! - heights[right - 1]!) / (across[Math.min(column + 1, columns)]!.at - across[Math.min(column, columns - 1)]!.at || 1); // prettier-ignore
    const slopeY = (heights[lower]! - heights[lower - columns - 1]!) / (down[Math.min(row + 1, rows)]!.at - down[Math.min(row, rows - 1)]!.at || 1); // prettier-ignore
    const normal = Math.hypot(slopeX, slopeY, 1);
    const facing = Math.max(0, (LAMP[2] - slopeX * LAMP[0] - slopeY * LAMP[1]) / normal / LAMP[2]);
    light[i] = 1 - LAMP_SHARE + LAMP_SHARE * Math.min(1.15, facing);
  }
  return { columns, rows, xs, ys, light };
}

/** Left, top, right and bottom of a mesh. */
export function extentOf({ xs, ys }: Mesh): [number, number, number, number] {
  const [low, high] = [Math.min, Math.max];
  return [xs.reduce((a, b) => low(a, b)), ys.reduce((a, b) => low(a, b)), xs.reduce((a, b) => high(a, b)), ys.reduce((a, b) => high(a, b))]; // prettier-ignore
}

/** Draws the sheet into a picture, with its middle at x, y. */
export function drawSheet(canvas: Raster, sheet: Raster, mesh: Mesh, x: number, y: number): void {
  for (let row = 0; row < mesh.rows; row++) {
    for (let column = 0; column < mesh.columns; column++) {
      const first = row * (mesh.columns + 1) + column;
      const below = first + mesh.columns + 1;
      for (const corners of [[first, first + 1, below] as const, [first + 1, below + 1, below] as const])
        drawTriangle(canvas, sheet, mesh, corners, x, y);
    }
  }
}

function drawTriangle(
  canvas: Raster,
  sheet: Raster,
  { columns, rows, xs, ys, light }: Mesh,
  [a, b, c]: readonly [number, number, number],
  left: number,
  top: number,
): void {
  const [ax, ay, bx, by, cx, cy] = [xs[a]! + left, ys[a]! + top, xs[b]! + left, ys[b]! + top, xs[c]! + left, ys[c]! + top]; // prettier-ignore
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  // Not seen: edge on, or its back.
  if (area <= 0) return;
  const sheetX = (i: number): number => ((i % (columns + 1)) / columns) * (sheet.width - 1.01);
  const sheetY = (i: number): number => (Math.floor(i / (columns + 1)) / rows) * (sheet.height - 1.01);
  const yEnd = Math.min(canvas.height - 1, Math.ceil(Math.max(ay, by, cy)));
  const xEnd = Math.min(canvas.width - 1, Math.ceil(Math.max(ax, bx, cx)));
  for (let y = Math.max(0, Math.floor(Math.min(ay, by, cy))); y <= yEnd; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(ax, bx, cx))); x <= xEnd; x++) {
      const ofA = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area;
      const ofB = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area;
      const ofC = 1 - ofA - ofB;
      if (ofA < 0 || ofB < 0 || ofC < 0) continue;
      const u = ofA * sheetX(a) + ofB * sheetX(b) + ofC * sheetX(c);
      const v = ofA * sheetY(a) + ofB * sheetY(b) + ofC * sheetY(c);
      const bright = ofA * light[a]! + ofB * light[b]! + ofC * light[c]!;
      const at = 3 * (y * canvas.width + x);
      for (let channel = 0; channel < 3; channel++)
        canvas.data[at + channel] = Math.min(255, bright * sampleAt(sheet, u, v, channel));
    }
  }
}
