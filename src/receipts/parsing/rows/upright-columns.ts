import { leastSquares } from "./least-squares.ts";
import type { Row } from "./rows.ts";

// Seen at an angle, or on curled paper, the edges of the text lean or bend: amounts at the top and at the foot of the
// list end at another x, and seem to be in other columns. The edge that most amounts share is found as a curve, and
// rows are moved so that it is upright.

/** How the x of an edge changes along the page: `lean` × t + `bow` × t², with t from -1 at the top to 1 at the foot. */
interface Curve {
  readonly x: number;
  readonly lean: number;
  readonly bow: number;
}

interface Edge extends Curve {
  /** The number of ends on it. */
  readonly inliers: number;
}

interface Point {
  readonly t: number;
  readonly x: number;
}

/** Text that ends in figures, perhaps with a sign or a tax mark behind them. */
const ENDS_IN_FIGURES = /(?<![A-Za-z\d])\d[\d.,' ]*\d\W{0,3}[A-Z*]{0,2}$/i;
/** An end of text within this many heights of a curve is on it. */
const NEAR_HEIGHTS = 0.7;
/** Fewer ends are no edge; of more than these only the first ones count. */
const POINTS_MIN = 8;
const POINTS_MAX = 120;
/** Curves are drawn through three ends out of at most this many, this far apart (the page is 2 high). */
const TRIED_MAX = 20;
const APART_MIN = 0.2;
/** An edge that leans or bows by less, in heights, is upright: columns are wider than that. */
const BENT_HEIGHTS_MIN = 1;
/** Holds the bow of few ends at 0, as this many ends would. */
const BOW_HOLD = 0.1;
/** A curve must have this many more ends, and this many times as many, as the best upright edge. */
const GAIN_MIN = 2;
const GAIN_SHARE_MIN = 1.5;

/** Moves the cells of rows so that the edge of the amounts, where it clearly leans or bows, is upright. */
export function withUprightColumns(rows: readonly Row[]): Row[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < POINTS_MIN) return [...rows];
  const height = medianOf(rows.map((row) => row.height));
  const [middle, half] = [(first.y + last.y) / 2, Math.max(1, (last.y - first.y) / 2)];
  const points = rows.flatMap((row) => {
    const cell = row.cells.at(-1)!;
    return ENDS_IN_FIGURES.test(cell.text) ? [{ t: (row.y - middle) / half, x: cell.right }] : [];
  });
  const edge = bentEdge(points, NEAR_HEIGHTS * height);
  if (edge === null || Math.abs(edge.lean) + Math.abs(edge.bow) < BENT_HEIGHTS_MIN * height) return [...rows];
  return rows.map((row) => moved(row, -offsetAt(edge, (row.y - middle) / half)));
}

function moved(row: Row, by: number): Row {
  const cells = row.cells.map((cell) => ({ ...cell, left: cell.left + by, right: cell.right + by }));
  return { ...row, cells, left: row.left + by, right: row.right + by };
}

function offsetAt({ lean, bow }: Curve, t: number): number {
  return lean * t + bow * t * t;
}

/** The curve that clearly more ends share than the best upright edge; null if there is none. */
function bentEdge(all: readonly Point[], near: number): Edge | null {
  const points = all.slice(0, POINTS_MAX);
  if (points.length < POINTS_MIN) return null;
  const upright = bestOf(points.map(({ x }) => counted({ x, lean: 0, bow: 0 }, points, near)));
  // Curves through three ends, then least squares through the ends near the best one, wider at first.
  const curved = triplesOf(points).map(curveThrough);
  let best = bestOf([upright, ...curved.map((curve) => counted(curve, points, near))]);
  for (const reach of [2, 1]) {
    const fitted = fittedTo(best, points, reach * near);
    const again = fitted && counted(fitted, points, near);
    if (again && again.inliers >= best.inliers) best = again;
  }
  const isClear =
    best.inliers >= Math.max(POINTS_MIN, upright.inliers + GAIN_MIN) &&
    best.inliers >= GAIN_SHARE_MIN * upright.inliers;
  return isClear ? best : null;
}

function bestOf(edges: readonly Edge[]): Edge {
  return edges.reduce((best, edge) => (edge.inliers > best.inliers ? edge : best));
}

function counted(curve: Curve, points: readonly Point[], near: number): Edge {
  let inliers = 0;
  for (const { t, x } of points) if (Math.abs(x - curve.x - offsetAt(curve, t)) <= near) inliers++;
  return { ...curve, inliers };
}

/** Of many ends only some are tried, at equal steps; far enough apart to show a lean and a bow. */
function triplesOf(points: readonly Point[]): [Point, Point, Point][] {
  const step = Math.max(1, points.length / TRIED_MAX);
  const tried = Array.from({ length: Math.floor(points.length / step) }, (_, i) => points[Math.floor(i * step)]!);
  return tried.flatMap((a, i) =>
    tried
      .slice(i + 1)
      .flatMap((b, j) =>
        tried
          .slice(i + j + 2)
          .flatMap((c): [Point, Point, Point][] => (b.t - a.t < APART_MIN || c.t - b.t < APART_MIN ? [] : [[a, b, c]])),
      ),
  );
}

function curveThrough([a, b, c]: readonly [Point, Point, Point]): Curve {
  const [first, second] = [(b.x - a.x) / (b.t - a.t), (c.x - b.x) / (c.t - b.t)];
  const bow = (second - first) / (c.t - a.t);
  const lean = first - bow * (a.t + b.t);
  return { x: a.x - lean * a.t - bow * a.t * a.t, lean, bow };
}

/** Returns the parabola through the ends within a distance of a curve; null if they are too few. */
function fittedTo(curve: Curve, points: readonly Point[], reach: number): Curve | null {
  const on = points.filter(({ t, x }) => Math.abs(x - curve.x - offsetAt(curve, t)) <= reach);
  if (on.length < POINTS_MIN) return null;
  const found = leastSquares(
    on.map(({ t, x }) => ({ terms: [1, t, t * t], value: x, weight: 1 })),
    [0, 0, BOW_HOLD],
  );
  return found && { x: found[0]!, lean: found[1]!, bow: found[2]! };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
