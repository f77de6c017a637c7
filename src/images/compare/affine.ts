/** A point in pixels. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** Maps a point of one picture to the same point of another: x' = a x + b y + e, y' = c x + d y + f. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** Applies the map to a point. */
export function moved({ a, b, c, d, e, f }: Affine, { x, y }: PlanePoint): PlanePoint {
  return { x: a * x + b * y + e, y: c * x + d * y + f };
}

/** Returns the inverse map. */
export function inverse({ a, b, c, d, e, f }: Affine): Affine {
  const determinant = a * d - b * c;
  const [ia, ib, ic, id] = [d / determinant, -b / determinant, -c / determinant, a / determinant];
  return { a: ia, b: ib, c: ic, d: id, e: -(ia * e + ib * f), f: -(ic * e + id * f) };
}

/**
 * Fits a map from the first to the second points of pairs (least squares); null if the points are collinear or
 * mirrored.
 */
export function fitted(pairs: readonly (readonly [PlanePoint, PlanePoint])[]): Affine | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const from = { x: mean(pairs.map(([p]) => p.x)), y: mean(pairs.map(([p]) => p.y)) };
  const to = { x: mean(pairs.map(([, q]) => q.x)), y: mean(pairs.map(([, q]) => q.y)) };
  const offsets = pairs.map(([p, q]) => ({ x: p.x - from.x, y: p.y - from.y, u: q.x - to.x, v: q.y - to.y }));
  const product = (one: "x" | "y", other: "x" | "y" | "u" | "v") => mean(offsets.map((o) => o[one] * o[other]));
  const [xx, xy, yy] = [product("x", "x"), product("x", "y"), product("y", "y")];
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 1e-6 * (xx + yy) ** 2)) return null;
  const slopes = (member: "u" | "v") => {
    const [p, q] = [product("x", member), product("y", member)];
    return [(p * yy - q * xy) / determinant, (q * xx - p * xy) / determinant] as const;
  };
  const [[a, b], [c, d]] = [slopes("u"), slopes("v")];
  if (a * d - b * c <= 0) return null;
  return { a, b, c, d, e: to.x - a * from.x - b * from.y, f: to.y - c * from.x - d * from.y };
}
