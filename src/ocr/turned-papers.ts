import { SLOPES, WIDE_ASPECT, comparedAt, continueRows, middleOf, toLine } from "./gutter.ts";
import type { Compared, Line, Slope } from "./gutter.ts";
import type { Rectangle } from "./image.ts";
import { distance, weightOf } from "./main-paper.ts";

// White paper under the receipt, turned a little against it: a letter whose lines end at the receipt's edge. Of 20
// lines the middle angle is exact to 0.003. Many lines beside the receipt at one angle, which isn't the receipt's and
// whose rows don't continue the receipt's, are another paper's; so are lines at that angle above and below.

/** Lines of one paper differ by less than this angle, in radians, from their middle one. */
const SPREAD = 0.02;
/** Share of the way to the other paper's angle that is still the receipt's. */
const OWN_SHARE = 0.4;
/** Another paper has another angle by at least this. */
const TURN_MIN = 0.03;
/**
 * Lines turned by this much whose ends are out of the picture need not be compared with the rows: print of the same
 * pitch meets either all of them or none.
 */
const FAR_TURN_MIN = 0.08;
/** A line ends out of the picture if it comes this near to its edge, in its heights. */
const EDGE_HEIGHTS = 0.25;
/** The wide lines that another paper has beside the receipt, at least. */
const BESIDE_MIN = 5;
/** Papers that are looked for. */
const PAPERS_MAX = 4;
/** How far a line may reach over the end of the receipt's lines, in its heights. */
const REACH_HEIGHTS = 0.5;
/** Lines of the other paper this near, in heights, show where it ends. */
const NEAR_HEIGHTS = 3;
/** What is above or below the receipt is the other paper's if that is nearer by this share. */
const NEARER_SHARE = 0.7;
const ROUNDS_MAX = 4;
/** Share of the receipt's lines that end before the place that counts as its side. */
const SIDE_SHARE = 0.85;
/** A column of one paper is this share of a height or less off its rows, beside the shift that all of it has. */
const STEP_HEIGHTS = 0.2;
/** Shifts that are tried, in heights: a fold between the two moves all of a column up or down. */
const SHIFTS = Array.from({ length: 13 }, (_, i) => (i - 6) / 4);
/** Share of a column's lines in step with rows. Of 600 drawn letters 569 are left out with it, without the rule 580. */
const IN_STEP_SHARE = 0.95;

/** The slope halfway to a place: that far a line bent as it is has moved up or down there. */
const halfwayBent: Slope = ({ rectangle, along }, at, pageAngle) =>
  Math.tan(rectangle.angle - pageAngle) + rectangle.bend * (at - along);
const WAYS_ON: readonly Slope[] = [...SLOPES, halfwayBent];

/** Returns the lines without those of papers that are turned against the receipt. The picture is `width` × `height`. */
export function withoutTurnedPapers(
  rectangles: readonly Rectangle[],
  picture: { width: number; height: number },
): Rectangle[] {
  const wide = rectangles.filter(({ width, height }) => width > WIDE_ASPECT * height);
  const angle = middleAngle(wide, picture);
  if (angle === null) return [...rectangles];
  let lines: readonly Line[] = rectangles.map((each) => toLine(each, angle, weightOf(each, picture)));
  const turned = wide.filter((line) => Math.abs(line.angle - angle) >= TURN_MIN).map((line) => line.angle);
  for (const other of anglesOf(turned)) lines = withoutPaper(lines, angle, other, picture.width);
  const kept = new Set(lines.map(({ rectangle }) => rectangle));
  return rectangles.filter((rectangle) => kept.has(rectangle));
}

/** The angle with half of the text, weighted towards the middle of the picture, on either side. */
function middleAngle(wide: readonly Rectangle[], picture: { width: number; height: number }): number | null {
  const sorted = wide
    .map((line) => ({ angle: line.angle, weight: weightOf(line, picture) }))
    .sort((a, b) => a.angle - b.angle);
  let left = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return sorted.find(({ weight }) => (left -= weight) <= 0)?.angle ?? null;
}

/** The angles that most lines share, those of most lines first. */
function anglesOf(angles: readonly number[]): number[] {
  const found: number[] = [];
  let left = angles;
  while (found.length < PAPERS_MAX) {
    const groups = left.map((angle) => left.filter((other) => Math.abs(other - angle) < SPREAD));
    const largest = groups.reduce<number[]>((a, b) => (b.length > a.length ? b : a), []);
    if (largest.length < BESIDE_MIN) break;
    found.push(middleOf(largest));
    left = left.filter((angle) => !largest.includes(angle));
  }
  return found;
}

function withoutPaper(lines: readonly Line[], angle: number, other: number, pictureWidth: number): readonly Line[] {
  const isWide = ({ rectangle: { width, height } }: Line): boolean => width > WIDE_ASPECT * height;
  const isAt = ({ rectangle }: Line, at: number, spread: number): boolean => Math.abs(rectangle.angle - at) < spread;
  // The receipt may be bent: the more the other paper is turned, the more angles are its own.
  const own = lines.filter(
    (line) => isWide(line) && isAt(line, angle, Math.max(SPREAD, OWN_SHARE * Math.abs(other - angle))),
  );
  const others = lines.filter((line) => isWide(line) && isAt(line, other, SPREAD));
  if (own.length < BESIDE_MIN) return lines;
  const leftEnd = shareOf(
    own.map(({ from }) => from),
    1 - SIDE_SHARE,
  );
  const rightEnd = shareOf(
    own.map(({ to }) => to),
    SIDE_SHARE,
  );
  const [top, bottom] = endsOf(own);
  const level = others.filter(({ across }) => across >= top && across <= bottom);
  const sides = [
    { beside: level.filter(({ to, height }) => to <= leftEnd + REACH_HEIGHTS * height), isLeft: true },
    { beside: level.filter(({ from, height }) => from >= rightEnd - REACH_HEIGHTS * height), isLeft: false },
  ];
  const out = new Set<Line>();
  for (const { beside, isLeft } of sides) {
    if (beside.length < BESIDE_MIN) continue;
    const isBeyond = beyondOf(beside, isLeft);
    const [beyond, within] = [lines.filter(isBeyond), lines.filter((line) => !isBeyond(line))];
    const edge = middleOf(beside.map(({ from, to }) => (isLeft ? to : from)));
    const isFar = Math.abs(other - angle) >= FAR_TURN_MIN && areCut(beside, isLeft, pictureWidth);
    const isOwn = (slope: Slope): boolean => {
      const compared = comparedAt(beyond, within, edge, angle, slope);
      return continueRows(compared) || isInStep(compared);
    };
    if (!isFar && WAYS_ON.some(isOwn)) continue;
    beyond.forEach((line) => out.add(line));
  }
  if (out.size === 0) return lines;
  const isApart = ({ across, height }: Line): boolean => across < top - height || across > bottom + height;
  for (const line of others) if (isApart(line)) out.add(line);
  // Rests of the other paper: words, and rows of two papers that were found as one line.
  const rests = lines.filter((line) => isApart(line) && !own.includes(line));
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const known = [...out];
    const near = rests.filter((line) => !out.has(line) && isNearer(line, known, own));
    near.forEach((line) => out.add(line));
  }
  return lines.filter((line) => !out.has(line));
}

/** Whether a line is so much nearer to lines of the other paper than to the receipt's that it is of that paper. */
function isNearer({ rectangle }: Line, others: readonly Line[], own: readonly Line[]): boolean {
  const away = (lines: readonly Line[]): number =>
    Math.min(...lines.map((line) => distance(line.rectangle, rectangle)));
  return away(others) < NEARER_SHARE * away(own);
}

/**
 * Whether nearly all lines are alike far from a row: the amounts on the bent or folded side of the same paper. The
 * lines of a letter have a spacing of their own, and are now at a row, now between two.
 */
function isInStep(compared: readonly Compared[]): boolean {
  return SHIFTS.some((shift) => {
    const inStep = compared.filter(({ aways, height }) =>
      aways.some((away) => Math.abs(away - shift * height) < STEP_HEIGHTS * height),
    );
    return inStep.length >= IN_STEP_SHARE * compared.length;
  });
}

/** Whether a line is beyond the end that the lines of the other paper near it have. */
function beyondOf(beside: readonly Line[], isLeft: boolean): (line: Line) => boolean {
  return (line) => {
    const near = beside.filter(({ across }) => Math.abs(across - line.across) < NEAR_HEIGHTS * line.height);
    if (near.length === 0) return false;
    const reach = REACH_HEIGHTS * line.height;
    return isLeft
      ? line.to <= Math.max(...near.map(({ to }) => to)) + reach
      : line.from >= Math.min(...near.map(({ from }) => from)) - reach;
  };
}

/** Whether most of these lines end out of the picture on that side. */
function areCut(lines: readonly Line[], isLeft: boolean, pictureWidth: number): boolean {
  const cut = lines.filter(({ rectangle: { x, width, angle }, height }) => {
    const reach = (width / 2) * Math.cos(angle) + EDGE_HEIGHTS * height;
    return isLeft ? x - reach <= 0 : x + reach >= pictureWidth;
  });
  return 2 * cut.length > lines.length;
}

function endsOf(lines: readonly Line[]): [top: number, bottom: number] {
  const acrosses = lines.map(({ across }) => across);
  return [Math.min(...acrosses), Math.max(...acrosses)];
}

/** The value that this share of all values is below. */
function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}
