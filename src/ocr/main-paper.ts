import type { Rectangle } from "./image.ts";
import { isBright, paperUnder } from "./paper-levels.ts";
import type { Levels, PaperLevels, Place } from "./paper-levels.ts";
import { regionFrom } from "./paper-region.ts";
import type { Region } from "./paper-region.ts";

// A photo may show other papers beside or under the receipt: another receipt, a letter. Their lines would be joined
// with the receipt's rows. Lines near one another are of one block; a block belongs to a paper if most ways to the
// paper's lines are as bright as paper and its angle is the same. The receipt is the paper with most text near the
// middle of the picture. Of the others the lines beside it are left out, and those above or below only if an edge goes
// all around the receipt's paper: a dark header and what is beyond a fold belong to it.

/** A shorter line has no angle of its own. */
const WIDE_ASPECT = 4;
/** Lines nearer than this, in heights of the line, are of one block. */
const NEAR_HEIGHTS = 2.5;
/** Lines of one paper differ by less than this angle, in radians. */
const ANGLE_MAX = 0.1;
/** What is darker than this share of the darker one of two papers, in any channel, is no paper. */
const DARK_SHARE = 0.75;
/** A wide line whose middle is nearer than this across a short one, in its heights, is of the same row. */
const SAME_ROW_HEIGHTS = 0.6;
/** The number of a paper's lines that a line is compared with: the nearest ones. */
const COMPARED = 3;
/** Blocks are compared with at most this many papers; those of none of them are papers by themselves. */
const PAPERS_MAX = 8;
/** A picture with fewer wide lines on its main paper is left as it is. */
const WIDE_LINES_MIN = 4;
/** A block with less than this share of its width above or below the receipt is beside it. */
const BESIDE_SHARE = 0.5;
/**
 * A block on paper as bright as the way to it is another paper's only by its angle. On bent paper the column of amounts
 * has another angle than the names, but its lines are short.
 */
const TURNED_LINES_MIN = 3;
const TURNED_ASPECT_MIN = 8;
/** Their angle is compared where they are nearest: seen from the side, or bent, one paper has many angles. */
const TURNED_PAIRS = 5;
/** How far from the middle of a line its paper is, in its heights. */
const AROUND_HEIGHTS = 0.7;
/** How much less text counts towards the edges of the picture: at a third of the way by a factor of e. */
const MIDDLE_WEIGHT = 8;

interface Line {
  readonly rectangle: Rectangle;
  readonly paper: Levels;
  readonly weight: number;
}

/** Returns the lines without those of other papers. The picture is `width` × `height`. */
export function ofMainPaper(
  rectangles: readonly Rectangle[],
  papers: PaperLevels,
  picture: { width: number; height: number },
): Rectangle[] {
  const isWide = ({ width, height }: Rectangle): boolean => width > WIDE_ASPECT * height;
  const toLine = (rectangle: Rectangle): Line => ({
    rectangle,
    paper: paperUnder(papers, rectangle),
    weight: weightOf(rectangle, picture),
  });
  const wide = rectangles.filter(isWide).map(toLine);
  const sheets = sheetsOf(blocksOf(wide, papers), papers);
  if (sheets.length < 2) return [...rectangles];
  // A short line is of the paper of the nearest wide line that it reaches, of its own row if there is one.
  const short = rectangles
    .filter((rectangle) => !isWide(rectangle))
    .map((rectangle) => {
      const line = toLine(rectangle);
      const row = wide.filter((other) => isSameRow(rectangle, other.rectangle));
      const candidates = [...nearest(line, row), ...nearest(line, wide)];
      return { line, wide: candidates.find((other) => isClear(line, other, papers)) };
    });
  const main = mainOf(sheets, short);
  if (main.length < WIDE_LINES_MIN) return [...rectangles];
  const own = new Set(main);
  const frame = frameOf(
    main,
    short.filter(({ wide }) => wide && own.has(wide)).map(({ line }) => line),
  );
  const isCutOff = cutOffBy(main, papers);
  const isOther = (group: readonly Line[]): boolean =>
    isTurned(group, main) || (isBeside(group, frame) ? !isReached(group, main, papers) : isCutOff(group));
  const others = new Set(sheets.filter((sheet) => sheet !== main && isOther(sheet)).flat());
  if (others.size === 0) return [...rectangles];
  const isWithin = bodyOf(main, frame.angle);
  for (const { line, wide } of short) {
    if (isWithin(line)) continue;
    const isOut = wide ? others.has(wide) : isBeside([line], frame) || isCutOff([line]);
    if (isOut) others.add(line);
  }
  const left = new Set([...others].map(({ rectangle }) => rectangle));
  return rectangles.filter((rectangle) => !left.has(rectangle));
}

/** How much a line counts: its area, less towards the edges of the picture. */
export function weightOf({ x, y, width, height }: Rectangle, picture: { width: number; height: number }): number {
  const [dx, dy] = [(2 * x) / picture.width - 1, (2 * y) / picture.height - 1];
  return width * height * Math.exp(-MIDDLE_WEIGHT * (dx * dx + dy * dy));
}

/** The paper with most text near the middle of the picture; a receipt's amounts are short lines. */
function mainOf(
  sheets: readonly (readonly Line[])[],
  short: readonly { line: Line; wide: Line | undefined }[],
): readonly Line[] {
  const shortOf = Map.groupBy(short, ({ wide }) => wide);
  const weights = sheets.map((sheet) =>
    sheet.reduce((sum, line) => sum + line.weight + total((shortOf.get(line) ?? []).map((one) => one.line)), 0),
  );
  return sheets[weights.indexOf(Math.max(...weights))]!;
}

function total(group: readonly Line[]): number {
  return group.reduce((sum, { weight }) => sum + weight, 0);
}

/** Joins lines that are near one another, at the same angle, over paper. */
function blocksOf(lines: readonly Line[], papers: PaperLevels): Line[][] {
  const blockOf = lines.map((_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (blockOf[at] !== at) at = blockOf[at] = blockOf[blockOf[at]!]!;
    return at;
  };
  for (const [i, line] of lines.entries()) {
    const near = NEAR_HEIGHTS * line.rectangle.height;
    for (const [j, other] of lines.entries()) {
      if (root(i) === root(j) || distance(line.rectangle, other.rectangle) > near) continue;
      if (isSameAngle(line.rectangle, other.rectangle) && isClear(line, other, papers)) blockOf[root(i)] = root(j);
    }
  }
  return [...Map.groupBy(lines.keys(), root).values()].map((block) => block.map((i) => lines[i]!));
}

/** Joins blocks to papers, the one with most text first. */
function sheetsOf(blocks: readonly Line[][], papers: PaperLevels): Line[][] {
  const sheets: Line[][] = [];
  for (const block of blocks.toSorted((a, b) => total(b) - total(a))) {
    const own = sheets.slice(0, PAPERS_MAX).find((sheet) => !isTurned(block, sheet) && isReached(block, sheet, papers));
    if (own) own.push(...block);
    else sheets.push([...block]);
  }
  return sheets;
}

/** Whether most ways from the lines of a block to the nearest ones of a paper are over paper. */
function isReached(block: readonly Line[], sheet: readonly Line[], papers: PaperLevels): boolean {
  let [clear, all] = [0, 0];
  for (const line of block) {
    for (const other of nearest(line, sheet)) {
      all++;
      if (isClear(line, other, papers)) clear++;
    }
  }
  return 2 * clear > all;
}

/** Whether the lines of a block that are nearest to a paper have another angle than those of the paper beside them. */
function isTurned(block: readonly Line[], sheet: readonly Line[]): boolean {
  const aspects = block.map(({ rectangle: { width, height } }) => width / height).sort((a, b) => a - b);
  if (block.length < TURNED_LINES_MIN || aspects[aspects.length >> 1]! < TURNED_ASPECT_MIN) return false;
  if (Math.abs(frameOf(block).angle - frameOf(sheet).angle) <= ANGLE_MAX) return false;
  const pairs = block.map((line) => {
    const [near] = nearest(line, sheet);
    return { away: distance(line.rectangle, near!.rectangle), turn: line.rectangle.angle - near!.rectangle.angle };
  });
  const turns = pairs.sort((a, b) => a.away - b.away).slice(0, TURNED_PAIRS).map(({ turn }) => Math.abs(turn)); // prettier-ignore
  return turns.sort((a, b) => a - b)[turns.length >> 1]! > ANGLE_MAX;
}

function isSameAngle(a: Rectangle, b: Rectangle): boolean {
  return Math.abs(a.angle - b.angle) < ANGLE_MAX;
}

/** Distance of two lines: across the first one of their middles, along it of their ends. */
export function distance(a: Rectangle, b: Rectangle): number {
  const along = Math.abs((b.x - a.x) * Math.cos(a.angle) + (b.y - a.y) * Math.sin(a.angle));
  return Math.hypot(Math.max(0, along - (a.width + b.width) / 2), across(a, b));
}

function isSameRow(a: Rectangle, b: Rectangle): boolean {
  return isSameAngle(a, b) && across(a, b) < SAME_ROW_HEIGHTS * a.height;
}

function across(a: Rectangle, b: Rectangle): number {
  return Math.abs((b.y - a.y) * Math.cos(a.angle) - (b.x - a.x) * Math.sin(a.angle));
}

/** The nearest lines, the nearest first. */
function nearest({ rectangle }: Line, lines: readonly Line[]): Line[] {
  const found: { line: Line; away: number }[] = [];
  for (const line of lines) {
    const away = distance(rectangle, line.rectangle);
    if (found.length === COMPARED && away >= found.at(-1)!.away) continue;
    const place = found.findIndex((known) => away < known.away);
    found.splice(place < 0 ? found.length : place, 0, { line, away });
    if (found.length > COMPARED) found.pop();
  }
  return found.map(({ line }) => line);
}

/** Whether the shortest way between two lines is over paper as bright as theirs. */
function isClear(a: Line, b: Line, papers: PaperLevels): boolean {
  const second = placeOn(b.rectangle, placeOn(a.rectangle, b.rectangle));
  const first = placeOn(a.rectangle, second);
  const least = a.paper.map((level, channel) => DARK_SHARE * Math.min(level, b.paper[channel]!));
  return isBright(papers, first, second, least as [number, number, number]);
}

/** The place on the middle of a line that is nearest to another place. */
function placeOn({ x, y, width, angle }: Rectangle, place: Place): Place {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = (place.x - x) * cos + (place.y - y) * sin;
  const within = Math.max(-width / 2, Math.min(width / 2, along));
  return { x: x + within * cos, y: y + within * sin };
}

/** The reading direction of lines, and how far they reach along it. */
interface Frame {
  readonly angle: number;
  readonly left: number;
  readonly right: number;
}

/** Whether the middle of a line is within the reach of a paper's lines, from the first to the last one. */
function bodyOf(lines: readonly Line[], angle: number): (line: Line) => boolean {
  const { left, right } = reach(lines, angle);
  const downOf = ({ rectangle: { x, y } }: Line): number => y * Math.cos(angle) - x * Math.sin(angle);
  const downs = lines.map(downOf);
  const [top, bottom] = [Math.min(...downs), Math.max(...downs)];
  return (line) => {
    const along = line.rectangle.x * Math.cos(angle) + line.rectangle.y * Math.sin(angle);
    return along >= left && along <= right && downOf(line) >= top && downOf(line) <= bottom;
  };
}

/** Short lines widen the frame, but have no angle. */
function frameOf(group: readonly Line[], short: readonly Line[] = []): Frame {
  const angles = group.map(({ rectangle }) => rectangle.angle).sort((a, b) => a - b);
  const angle = angles[angles.length >> 1]!;
  return { angle, ...reach([...group, ...short], angle) };
}

function reach(group: readonly Line[], angle: number): { left: number; right: number } {
  let [left, right] = [Infinity, -Infinity];
  for (const { rectangle } of group) {
    const middle = rectangle.x * Math.cos(angle) + rectangle.y * Math.sin(angle);
    left = Math.min(left, middle - rectangle.width / 2);
    right = Math.max(right, middle + rectangle.width / 2);
  }
  return { left, right };
}

/** Lines above or below are cut off if an edge goes all around the receipt's paper, and they are not within it. */
function cutOffBy(main: readonly Line[], papers: PaperLevels): (group: readonly Line[]) => boolean {
  let region: Region | null = null;
  return (group) => {
    const { isOpen, has } = (region ??= regionOf(main, papers));
    return !isOpen && !group.some((line) => placesAround(line).some(has));
  };
}

function regionOf(main: readonly Line[], papers: PaperLevels): Region {
  const [red, green, blue] = middleLevels(main);
  const least = [DARK_SHARE * red, DARK_SHARE * green, DARK_SHARE * blue] as const;
  return regionFrom(papers, main.map(({ rectangle }) => rectangle), least); // prettier-ignore
}

/** The middle of a line, and the paper above and below it: large print is dark itself. */
function placesAround({ rectangle: { x, y, height, angle } }: Line): Place[] {
  return [-AROUND_HEIGHTS, 0, AROUND_HEIGHTS].map((share) => ({
    x: x - share * height * Math.sin(angle),
    y: y + share * height * Math.cos(angle),
  }));
}

function middleLevels(lines: readonly Line[]): Levels {
  const middle = (channel: 0 | 1 | 2): number =>
    lines.map(({ paper }) => paper[channel]).sort((a, b) => a - b)[lines.length >> 1]!;
  return [middle(0), middle(1), middle(2)];
}

function isBeside(group: readonly Line[], frame: Frame): boolean {
  const { left, right } = reach(group, frame.angle);
  return Math.min(right, frame.right) - Math.max(left, frame.left) < BESIDE_SHARE * (right - left);
}
