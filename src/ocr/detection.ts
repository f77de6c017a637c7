import ort from "onnxruntime-node";
import type { Pixels, Rectangle } from "./image.ts";

// Text detection by Differentiable Binarization (Liao et al., 2019, arXiv:1911.08947): the model computes the
// probability of each pixel to be in the shrunken core of a line of text. Each connected core becomes the smallest
// rectangle around it, grown back.

/** Normalisation as in training (PP-OCRv4, ImageNet statistics, channels B, G, R). */
const MEANS = [0.485, 0.456, 0.406] as const;
const DEVIATIONS = [0.229, 0.224, 0.225] as const;
const PIXEL_THRESHOLD = 0.3;
/** A core with a lower mean probability is a stain, a fold or a logo. */
const CORE_SCORE_MIN = 0.55;
/** Growth of a core, as a share of area / perimeter: the inverse of the shrinking in training. */
const GROWTH = 1.7;
const CORE_SIDE_MIN_PX = 3;
/** A box with a lower ratio of width to height gets the angle of the page: its own angle is noise. */
const TRUSTED_ASPECT = 3;

/** The bend is measured on lines this many times longer than high; a strongly bent line may look shorter. */
const BEND_ASPECT = 5;
const BEND_COLUMNS = 60;
/** A line that deviates less from straight, in heights, keeps its rectangle, which is more reliable. */
const BEND_SHARE_MIN = 0.1;

/** `columns`: the first and last row of the core in each column of pixels. */
interface Core {
  hull: Point[];
  columns: Map<number, { top: number; bottom: number }>;
}
interface Point {
  x: number;
  y: number;
}

/** Finds the lines of text on an image with sides that are multiples of 32. Rectangles are in its pixels. */
export async function detectText(session: ort.InferenceSession, image: Pixels): Promise<Rectangle[]> {
  const { width, height } = image;
  const output = await session.run({ x: new ort.Tensor("float32", normalized(image), [1, 3, height, width]) });
  const probabilities = Object.values(output)[0]!.data as Float32Array;
  const cores = findCores(probabilities, width, height);
  const rectangles = cores.map((core) => smallestRectangle(core.hull));
  const wide = rectangles.filter((r) => Math.max(r.width, r.height) > TRUSTED_ASPECT * Math.min(r.width, r.height));
  const angles = wide.map((r) => r.angle).sort((a, b) => a - b);
  const pageAngle = angles[angles.length >> 1] ?? 0;
  return rectangles
    .map((r, i) => (wide.includes(r) ? bent(r, cores[i]!) : rectangleAlong(cores[i]!.hull, pageAngle)))
    .filter((r) => Math.min(r.width, r.height) >= CORE_SIDE_MIN_PX)
    .map(grown);
}

/** The normalised value of each level, in the order of the model's channels. */
const NORMALIZED = [0, 1, 2].map((channel) =>
  Float32Array.from({ length: 256 }, (_, level) => (level / 255 - MEANS[channel]!) / DEVIATIONS[channel]!),
) as [Float32Array, Float32Array, Float32Array];

function normalized({ data, width, height }: Pixels): Float32Array {
  const plane = width * height;
  const tensor = new Float32Array(3 * plane);
  const [first, second, third] = NORMALIZED;
  for (let i = 0, at = 0; i < plane; i++, at += 3) {
    tensor[i] = first[data[at + 2]!]!;
    tensor[i + plane] = second[data[at + 1]!]!;
    tensor[i + 2 * plane] = third[data[at]!]!;
  }
  return tensor;
}

/** Returns the connected cores (8 neighbours) with their convex hulls, except weak ones. */
function findCores(probabilities: Float32Array, width: number, height: number): Core[] {
  const seen = new Uint8Array(width * height);
  const cores: Core[] = [];
  for (let start = 0; start < probabilities.length; start++) {
    if (probabilities[start]! < PIXEL_THRESHOLD || seen[start]) continue;
    const { sum, count, rows, columns } = spreadFrom(start, seen, probabilities, width, height);
    if (count < CORE_SIDE_MIN_PX * CORE_SIDE_MIN_PX || sum / count < CORE_SCORE_MIN) continue;
    // The outer edges of the pixels, so that a core of one row has a height of one.
    const points = [...rows].flatMap(([y, { left, right }]) => [
      { x: left, y },
      { x: right + 1, y },
      { x: left, y: y + 1 },
      { x: right + 1, y: y + 1 },
    ]);
    cores.push({ hull: convexHull(points), columns });
  }
  return cores;
}

/** Marks the pixels above the threshold that are connected to one; returns their sum, number and extents. */
function spreadFrom(start: number, seen: Uint8Array, probabilities: Float32Array, width: number, height: number) {
  const rows = new Map<number, { left: number; right: number }>();
  const columns: Core["columns"] = new Map();
  let sum = 0;
  let count = 0;
  seen[start] = 1;
  const stack = [start];
  while (stack.length > 0) {
    const at = stack.pop()!;
    const x = at % width;
    const y = (at - x) / width;
    sum += probabilities[at]!;
    count++;
    const row = rows.get(y);
    if (!row) rows.set(y, { left: x, right: x });
    else if (x < row.left) row.left = x;
    else if (x > row.right) row.right = x;
    const column = columns.get(x);
    if (!column) columns.set(x, { top: y, bottom: y });
    else if (y < column.top) column.top = y;
    else if (y > column.bottom) column.bottom = y;
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const next = ny * width + nx;
        if (seen[next] || probabilities[next]! < PIXEL_THRESHOLD) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
  return { sum, count, rows, columns };
}

/** Andrew's monotone chain: the lower half of the hull, then the upper one. */
function convexHull(points: Point[]): Point[] {
  const sorted = points.sort((a, b) => a.x - b.x || a.y - b.y);
  return [...halfHull(sorted), ...halfHull(sorted.toReversed())];
}

function halfHull(sorted: readonly Point[]): Point[] {
  const chain: Point[] = [];
  for (const p of sorted) {
    while (chain.length >= 2) {
      const a = chain.at(-2)!;
      const b = chain.at(-1)!;
      if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
      chain.pop();
    }
    chain.push(p);
  }
  return chain.slice(0, -1);
}

/** Returns the rectangle of least area around a hull; one of its sides is along an edge of the hull. */
function smallestRectangle(hull: Point[]): Rectangle {
  let best: Rectangle | undefined;
  for (let i = 0; i < hull.length; i++) {
    const a = hull[i]!;
    const b = hull[(i + 1) % hull.length]!;
    // A quarter turn gives the same rectangle: keep the direction within 45 degrees of the image's rows.
    const edge = Math.atan2(b.y - a.y, b.x - a.x);
    const candidate = rectangleAlong(hull, edge - Math.round(edge / (Math.PI / 2)) * (Math.PI / 2));
    if (!best || candidate.width * candidate.height < best.width * best.height) best = candidate;
  }
  return best!;
}

function rectangleAlong(hull: Point[], angle: number): Rectangle {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (const { x, y } of hull) {
    const u = x * cos + y * sin;
    const v = y * cos - x * sin;
    if (u < left) left = u;
    if (u > right) right = u;
    if (v < top) top = v;
    if (v > bottom) bottom = v;
  }
  const u = (left + right) / 2;
  const v = (top + bottom) / 2;
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top, angle, bend: 0 };
}

/**
 * Fits a horizontal line to the parabola through the middles of its columns, with the height of its core around that.
 * Returns a short line unchanged, since its bend cannot be measured.
 */
function bent(rectangle: Rectangle, { columns }: Core): Rectangle {
  const { x, y, width, height, angle } = rectangle;
  if (width < BEND_ASPECT * height && columns.size < BEND_COLUMNS) return rectangle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middles = [...columns].map(([column, { top, bottom }]) => {
    const [dx, dy] = [column + 0.5 - x, (top + bottom + 1) / 2 - y];
    return { u: dx * cos + dy * sin, v: dy * cos - dx * sin, half: ((bottom + 1 - top) / 2) * cos };
  });
  const { a, b, c } = parabolaThrough(middles);
  if (Math.abs(c) * (width / 2) ** 2 < BEND_SHARE_MIN * height) return { ...rectangle, bend: c };
  let [above, below] = [0, 0];
  for (const { u, v, half } of middles) {
    const residue = v - (a + b * u + c * u * u);
    above = Math.min(above, residue - half);
    below = Math.max(below, residue + half);
  }
  const shift = a + (above + below) / 2;
  const line = {
    x: x - shift * sin,
    y: y + shift * cos,
    width,
    height: below - above,
    angle: angle + Math.atan(b),
    bend: c,
  };
  return width < BEND_ASPECT * line.height ? rectangle : line;
}

/** Fits v = a + b u + c u² (least squares). */
function parabolaThrough(points: readonly { u: number; v: number }[]): { a: number; b: number; c: number } {
  const sum = (term: (point: { u: number; v: number }) => number): number =>
    points.reduce((total, point) => total + term(point), 0);
  const n = points.length;
  const [u1, u2, u3, u4] = [1, 2, 3, 4].map((power) => sum(({ u }) => u ** power)) as [number, number, number, number];
  const [v0, v1, v2] = [0, 1, 2].map((power) => sum(({ u, v }) => v * u ** power)) as [number, number, number];
  const determinant = n * (u2 * u4 - u3 * u3) - u1 * (u1 * u4 - u2 * u3) + u2 * (u1 * u3 - u2 * u2);
  if (Math.abs(determinant) < 1e-9) return { a: 0, b: 0, c: 0 };
  return {
    a: (v0 * (u2 * u4 - u3 * u3) - u1 * (v1 * u4 - v2 * u3) + u2 * (v1 * u3 - v2 * u2)) / determinant,
    b: (n * (v1 * u4 - v2 * u3) - v0 * (u1 * u4 - u2 * u3) + u2 * (u1 * v2 - u2 * v1)) / determinant,
    c: (n * (u2 * v2 - u3 * v1) - u1 * (u1 * v2 - u2 * v1) + v0 * (u1 * u3 - u2 * u2)) / determinant,
  };
}

function grown(rectangle: Rectangle): Rectangle {
  const { width, height } = rectangle;
  const distance = (width * height * GROWTH) / (2 * (width + height));
  return { ...rectangle, width: width + 2 * distance, height: height + 2 * distance };
}
