import ort from "onnxruntime-node";
import { CORE_SIDE_MIN_PX, findCores } from "./cores.ts";
import type { Core } from "./cores.ts";
import { lyingWith, otherAngles, smallestRectangle } from "./hull-rectangle.ts";
import type { Pixels, Rectangle } from "./image.ts";

// Text detection by Differentiable Binarization (Liao et al., 2019, arXiv:1911.08947): the model computes the
// probability of each pixel to be in the shrunken core of a line of text. Each connected core becomes the smallest
// rectangle around it, grown back.

/** Normalisation as in training (PP-OCRv4, ImageNet statistics, channels B, G, R). */
const MEANS = [0.485, 0.456, 0.406] as const;
const DEVIATIONS = [0.229, 0.224, 0.225] as const;
/** Growth of a core, as a share of area / perimeter: the inverse of the shrinking in training. */
const GROWTH = 1.7;
/** A box with a lower ratio of width to height gets the angle of the page: its own angle is noise. */
const TRUSTED_ASPECT = 3;

/** The bend is measured on lines this many times longer than high; a strongly bent line may look shorter. */
const BEND_ASPECT = 5;
const BEND_COLUMNS = 60;
/** A line that deviates less from straight, in heights, keeps its rectangle, which is more reliable. */
const BEND_SHARE_MIN = 0.1;

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
  const others = otherAngles(angles, pageAngle);
  return rectangles
    .map((r, i) => (wide.includes(r) ? bent(r, cores[i]!) : lyingWith(cores[i]!.hull, pageAngle, others)))
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

/**
 * Fits a horizontal line to the parabola through the middles of its columns, with the height of its core around that.
 * Returns a short line unchanged, since its bend cannot be measured.
 */
function bent(rectangle: Rectangle, { columns }: Core): Rectangle {
  const { x, y, width, height, angle } = rectangle;
  if (width < BEND_ASPECT * height && columns.tops.length < BEND_COLUMNS) return rectangle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middles = Array.from(columns.tops, (top, i) => {
    const bottom = columns.bottoms[i]!;
    const [dx, dy] = [columns.left + i + 0.5 - x, (top + bottom + 1) / 2 - y];
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
