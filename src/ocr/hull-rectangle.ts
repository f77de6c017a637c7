import type { Point } from "./cores.ts";
import type { Rectangle } from "./image.ts";

/**
 * Another paper in the picture may have more lines than the receipt, which lies at another angle: a box that is this
 * much smaller at the angle of that many other lines belongs to them.
 */
const OTHER_AREA_SHARE = 0.75;
const OTHER_LINES_MIN = 4;
/** Lines of one paper differ by less, in radians; two papers by more. */
const ANGLE_GAP = 0.05;
const OTHER_ANGLE_MIN = 0.1;

/** Returns the rectangle of least area around a hull; one of its sides is along an edge of the hull. */
export function smallestRectangle(hull: Point[]): Rectangle {
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

/** Returns the middle angles of the groups of lines that lie at another angle than the page. `sorted`: of all lines. */
export function otherAngles(sorted: readonly number[], pageAngle: number): number[] {
  const groups: number[][] = [];
  for (const angle of sorted) {
    if (Math.abs(angle - pageAngle) < OTHER_ANGLE_MIN) continue;
    const last = groups.at(-1);
    if (last && angle - last.at(-1)! < ANGLE_GAP) last.push(angle);
    else groups.push([angle]);
  }
  return groups.filter(({ length }) => length >= OTHER_LINES_MIN).map((group) => group[group.length >> 1]!);
}

/** Returns the rectangle of a hull without an angle of its own: at the page's, or where it is much smaller. */
export function lyingWith(hull: Point[], pageAngle: number, others: readonly number[]): Rectangle {
  const atPage = rectangleAlong(hull, pageAngle);
  const atOthers = others.map((angle) => rectangleAlong(hull, angle));
  const smallest = atOthers.reduce((a, b) => (areaOf(b) < areaOf(a) ? b : a), atPage);
  return areaOf(smallest) < OTHER_AREA_SHARE * areaOf(atPage) ? smallest : atPage;
}

function areaOf({ width, height }: Rectangle): number {
  return width * height;
}
