import type { OcrPage, TextBox } from "../../src/ocr/page.ts";

// Boxes of a printed list as the OCR finds them on paper that lies bent, curled or at an angle before a camera. The
// geometry is computed, not drawn: thousands of papers take a second.

/**
 * How the paper lies: arcs across and along it, and the angles of the camera, in radians. `twist` is the slope that
 * rows have of their own at a height of the sheet: what is crumpled is not smooth.
 */
export interface Lie {
  readonly twist?: (y: number) => number;
  readonly across: number;
  readonly along: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly roll: number;
}

/** A piece of print on the sheet, in heights of its letters. */
export interface Print {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

const LETTER_PX = 20;
/** Rectangles of the OCR are this many times as high as the letters. */
const BOX_HEIGHTS = 1.8;
/** A shorter box has the angle of the page, a longer one its own; longer still, its own bend (ocr/detection.ts). */
const ANGLE_ASPECT = 3;
const BEND_ASPECT = 5;
/** The camera's distance in lengths of the sheet. */
const DISTANCE = 1.4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Returns how far along and how high an arc is at a share of a length. */
function arcAt(length: number, arc: number, share: number): { at: number; z: number } {
  const turned = arc * (share - 0.5);
  if (Math.abs(arc) < 1e-6) return { at: length * (share - 0.5), z: 0 };
  return { at: (length / arc) * Math.sin(turned), z: -(length / arc) * (Math.cos(turned) - 1) };
}

/** Returns where a place of the sheet is in the picture. */
function seenBy(
  width: number,
  height: number,
  { across, along, pitch, yaw, roll }: Lie,
): (x: number, y: number) => Place {
  const away = DISTANCE * Math.max(width, height);
  return (x, y) => {
    const [a, d] = [arcAt(width, across, x / width), arcAt(height, along, y / height)];
    const z0 = a.z + d.z;
    const [x1, y1] = [a.at * Math.cos(roll) - d.at * Math.sin(roll), a.at * Math.sin(roll) + d.at * Math.cos(roll)];
    const [y2, z2] = [y1 * Math.cos(pitch) - z0 * Math.sin(pitch), y1 * Math.sin(pitch) + z0 * Math.cos(pitch)];
    const [x3, z3] = [x1 * Math.cos(yaw) - z2 * Math.sin(yaw), x1 * Math.sin(yaw) + z2 * Math.cos(yaw)];
    const scale = away / (away - z3);
    return { x: x3 * scale, y: y2 * scale };
  };
}

/** The boxes of prints on a sheet, its size in heights of letters; `noise` moves ends by shares of a height. */
export function pageOf(
  prints: readonly Print[],
  [width, height]: readonly [number, number],
  lie: Lie,
  noise: () => number = () => 0,
): OcrPage {
  const seen = seenBy(width * LETTER_PX, height * LETTER_PX, lie);
  const at = (x: number, y: number): Place =>
    seen(x * LETTER_PX, (y + (x - width / 2) * (lie.twist?.(y) ?? 0)) * LETTER_PX);
  const measured = prints.map((print) => ({ print, ...measure(print, at, noise) }));
  const angles = measured.filter(({ aspect }) => aspect > ANGLE_ASPECT).map(({ angle }) => angle);
  const pageAngle = angles.sort((a, b) => a - b)[angles.length >> 1] ?? 0;
  const boxes = measured.map(({ print, middle, length, high, aspect, angle, bend }): TextBox => {
    const turn = aspect > ANGLE_ASPECT ? angle : pageAngle;
    const ownBend = aspect > BEND_ASPECT ? bend : 0;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const corner = (u: number, v: number): Place => {
      const lower = v * (high / 2) + ownBend * (length / 2) ** 2;
      const along = u * (length / 2);
      return { x: middle.x + along * cos - lower * sin, y: middle.y + along * sin + lower * cos };
    };
    const polygon = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] as const;
    return { polygon, text: print.text, score: 1, ...(ownBend !== 0 && { bend: ownBend }) };
  });
  return { width: 2_000, height: 2_000, rotation: 0, boxes };
}

/** What the OCR measures of a piece of print: its middle, length and height, its angle, and its bend if it is long. */
function measure(
  { left, right, y }: Print,
  at: (x: number, y: number) => Place,
  noise: () => number,
): { middle: Place; length: number; high: number; aspect: number; angle: number; bend: number } {
  const [first, last] = [at(left, y), at(right, y)];
  const middle = at((left + right) / 2, y);
  const [above, below] = [at((left + right) / 2, y - 0.5), at((left + right) / 2, y + 0.5)];
  const high = BOX_HEIGHTS * Math.hypot(below.x - above.x, below.y - above.y);
  const shift = noise() * high;
  const [firstY, lastY] = [first.y + shift + noise() * high, last.y + shift + noise() * high];
  const [dx, dy] = [last.x - first.x, lastY - firstY];
  const length = Math.hypot(dx, dy);
  const angle = Math.atan2(dy, dx);
  const sag = (firstY + lastY) / 2 - (middle.y + shift);
  const isBent = length / high > BEND_ASPECT;
  const bend = isBent ? (sag + noise() * 0.3 * high) / (length / 2) ** 2 : 0;
  const centre = isBent
    ? { x: middle.x, y: (firstY + lastY) / 2 - bend * (length / 2) ** 2 }
    : { x: (first.x + last.x) / 2, y: (firstY + lastY) / 2 - (sag * 2) / 3 };
  return { middle: centre, length, high, aspect: length / high, angle, bend };
}
