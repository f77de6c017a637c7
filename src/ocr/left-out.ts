import type { Rectangle } from "./image.ts";

/** A line is not lower than this share of another one that it is the end of; several lines may be found as one. */
const HEIGHT_SHARE_MIN = 0.5;

/**
 * Returns the lines of a second search without those that the first one had left out: of other papers it may see no
 * more than the ends of lines, which nothing else shows to be theirs.
 */
export function withoutLeftOut(lines: readonly Rectangle[], leftOut: readonly Rectangle[]): Rectangle[] {
  return lines.filter((line) => !leftOut.some((other) => isEndOf(line, other)));
}

/** Whether the middle of a line is in another one. */
function isEndOf({ x, y, height }: Rectangle, other: Rectangle): boolean {
  if (height < HEIGHT_SHARE_MIN * other.height) return false;
  const [cos, sin] = [Math.cos(other.angle), Math.sin(other.angle)];
  const [along, across] = [(x - other.x) * cos + (y - other.y) * sin, (y - other.y) * cos - (x - other.x) * sin];
  return Math.abs(along) <= other.width / 2 && Math.abs(across) <= other.height / 2;
}
