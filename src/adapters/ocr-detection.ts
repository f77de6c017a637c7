import ort from "onnxruntime-node";
import type { Pixels, Rectangle } from "./ocr-image.ts";

// Text detection by Differentiable Binarization (Liao et al., 2019, arXiv:1911.08947): the model gives each pixel's probability of
// being the shrunken core of a line of text; each connected core becomes the smallest rectangle around it, grown back.

/** As the model was trained (PP-OCRv4, ImageNet statistics, channels B, G, R). */
const MEANS = [0.485, 0.456, 0.406] as const;
const DEVIATIONS = [0.229, 0.224, 0.225] as const;
const PIXEL_THRESHOLD = 0.3;
/** Mean probability of a core below which it is a stain, a fold or a logo. */
const CORE_SCORE_MIN = 0.55;
/** How far a core is grown, as a share of area / perimeter: the reverse of the training's shrinking. */
const GROWTH = 1.7;
const CORE_SIDE_MIN_PX = 3;
/** Below this ratio of width to height a box's own tilt is noise, the page's is taken. */
const TRUSTED_ASPECT = 3;

type Core = { hull: { x: number; y: number }[] };

/** Finds the lines of text on an image whose sides are multiples of 32. Rectangles are in its pixels. */
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
    .map((r, i) => (wide.includes(r) ? r : rectangleAlong(cores[i]!.hull, pageAngle)))
    .filter((r) => Math.min(r.width, r.height) >= CORE_SIDE_MIN_PX)
    .map(grown);
}

function normalized({ data, width, height }: Pixels): Float32Array {
  const plane = width * height;
  const tensor = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel++) {
    const scale = 1 / (255 * DEVIATIONS[channel]!);
    const shift = MEANS[channel]! / DEVIATIONS[channel]!;
    const from = 2 - channel;
    const to = channel * plane;
    for (let i = 0; i < plane; i++) tensor[to + i] = data[3 * i + from]! * scale - shift;
  }
  return tensor;
}

/** Connected cores (8 neighbours) with their convex hulls, weak ones left out. */
function findCores(probabilities: Float32Array, width: number, height: number): Core[] {
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const cores: Core[] = [];
  for (let start = 0; start < probabilities.length; start++) {
    if (seen[start] || probabilities[start]! < PIXEL_THRESHOLD) continue;
    let sum = 0;
    let count = 0;
    const extents = new Map<number, { left: number; right: number }>();
    seen[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % width;
      const y = (at - x) / width;
      sum += probabilities[at]!;
      count++;
      const extent = extents.get(y);
      if (!extent) extents.set(y, { left: x, right: x });
      else if (x < extent.left) extent.left = x;
      else if (x > extent.right) extent.right = x;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || probabilities[next]! < PIXEL_THRESHOLD) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (count < CORE_SIDE_MIN_PX * CORE_SIDE_MIN_PX || sum / count < CORE_SCORE_MIN) continue;
    // The far edges of the outermost pixels, so that a core one pixel high has a height of one.
    const points = [...extents].flatMap(([y, { left, right }]) => [
      { x: left, y },
      { x: right + 1, y },
      { x: left, y: y + 1 },
      { x: right + 1, y: y + 1 },
    ]);
    cores.push({ hull: convexHull(points) });
  }
  return cores;
}

/** Andrew's monotone chain: the lower half of the hull, then the upper one. */
function convexHull(points: { x: number; y: number }[]): { x: number; y: number }[] {
  const sorted = points.sort((a, b) => a.x - b.x || a.y - b.y);
  return [...halfHull(sorted), ...halfHull(sorted.toReversed())];
}

function halfHull(sorted: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const chain: { x: number; y: number }[] = [];
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

/** The rectangle of least area around a hull: one of its sides lies along an edge of the hull. */
function smallestRectangle(hull: { x: number; y: number }[]): Rectangle {
  let best: Rectangle | undefined;
  for (let i = 0; i < hull.length; i++) {
    const a = hull[i]!;
    const b = hull[(i + 1) % hull.length]!;
    // A quarter turn more or less is the same rectangle: keep the direction within 45 degrees of the image's rows.
    const edge = Math.atan2(b.y - a.y, b.x - a.x);
    const candidate = rectangleAlong(hull, edge - Math.round(edge / (Math.PI / 2)) * (Math.PI / 2));
    if (!best || candidate.width * candidate.height < best.width * best.height) best = candidate;
  }
  return best!;
}

function rectangleAlong(hull: { x: number; y: number }[], angle: number): Rectangle {
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
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top, angle };
}

function grown(rectangle: Rectangle): Rectangle {
  const { width, height } = rectangle;
  const distance = (width * height * GROWTH) / (2 * (width + height));
  return { ...rectangle, width: width + 2 * distance, height: height + 2 * distance };
}
