/** A place in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The pixels of a line's middle: their convex hull, and the first and last row in each column from `left` on. */
export interface Core {
  readonly hull: Point[];
  readonly columns: { readonly left: number; readonly tops: Int32Array; readonly bottoms: Int32Array };
}

const PIXEL_THRESHOLD = 0.3;
/** A core with a lower mean probability is a stain, a fold or a logo. */
const CORE_SCORE_MIN = 0.55;
export const CORE_SIDE_MIN_PX = 3;

/** Returns the connected cores (8 neighbours), except weak ones. */
export function findCores(probabilities: Float32Array, width: number, height: number): Core[] {
  const found = new Uint8Array(probabilities.length);
  for (let at = 0; at < found.length; at++) if (probabilities[at]! >= PIXEL_THRESHOLD) found[at] = 1;
  const pixels = new Int32Array(found.length);
  const cores: Core[] = [];
  for (let start = found.indexOf(1); start >= 0; start = found.indexOf(1, start + 1)) {
    const core = pixels.subarray(0, spread(start, found, pixels, width, height));
    let sum = 0;
    for (let i = 0; i < core.length; i++) sum += probabilities[core[i]!]!;
    if (core.length < CORE_SIDE_MIN_PX * CORE_SIDE_MIN_PX || sum / core.length < CORE_SCORE_MIN) continue;
    cores.push(coreOf(core, width));
  }
  return cores;
}

/** Writes the found pixels that are connected to one, and takes them from `found`. Returns their number. */
function spread(start: number, found: Uint8Array, pixels: Int32Array, width: number, height: number): number {
  pixels[0] = start;
  found[start] = 0;
  let count = 1;
  for (let done = 0; done < count; done++) {
    const at = pixels[done]!;
    const x = at % width;
    const y = (at - x) / width;
    const [left, right] = [x === 0 ? x : x - 1, x === width - 1 ? x : x + 1];
    const [top, bottom] = [y === 0 ? y : y - 1, y === height - 1 ? y : y + 1];
    for (let ny = top; ny <= bottom; ny++) {
      for (let next = ny * width + left, last = ny * width + right; next <= last; next++) {
        if (found[next] === 0) continue;
        found[next] = 0;
        pixels[count++] = next;
      }
    }
  }
  return count;
}

function coreOf(pixels: Int32Array, width: number): Core {
  let [left, right, top, bottom] = [Infinity, 0, Infinity, 0];
  for (let i = 0; i < pixels.length; i++) {
    const x = pixels[i]! % width;
    const y = (pixels[i]! - x) / width;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  const rows = bottom - top + 1;
  const [lefts, rights] = [new Int32Array(rows).fill(right), new Int32Array(rows)];
  const tops = new Int32Array(right - left + 1).fill(bottom);
  const bottoms = new Int32Array(tops.length);
  for (let i = 0; i < pixels.length; i++) {
    const x = pixels[i]! % width;
    const y = (pixels[i]! - x) / width;
    if (x < lefts[y - top]!) lefts[y - top] = x;
    if (x > rights[y - top]!) rights[y - top] = x;
    if (y < tops[x - left]!) tops[x - left] = y;
    if (y > bottoms[x - left]!) bottoms[x - left] = y;
  }
  // The outer edges of the pixels, so that a core of one row has a height of one.
  const corners = Array.from(lefts).flatMap((first, i) => {
    const [after, y] = [rights[i]! + 1, top + i];
    return [
      { x: first, y },
      { x: after, y },
      { x: first, y: y + 1 },
      { x: after, y: y + 1 },
    ];
  });
  return { hull: convexHull(corners), columns: { left, tops, bottoms } };
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
