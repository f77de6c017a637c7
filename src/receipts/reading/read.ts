/** A point in pixels of the upright image. */
export type Point = { x: number; y: number };

/** One piece of text as the OCR found it: its four corners (top left first, clockwise) in the upright image. */
export type TextBox = {
  polygon: readonly [Point, Point, Point, Point];
  text: string;
  /** Mean probability of the characters, 0 to 1. */
  score: number;
  /** On paper that bends: half the change of the line's slope for each pixel along it; the corners are those of its ends. */
  bend?: number;
};

/** What the OCR saw on one image, after it was turned upright. `rotation` is the turn that was needed, in degrees clockwise. */
export type OcrPage = {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  boxes: readonly TextBox[];
};

/** A piece of a row: text between two gaps, with its left and right edge in deskewed pixels. */
export type Cell = { text: string; left: number; right: number; score: number };

/** One printed line, its cells from left to right. `y` is the middle in deskewed pixels, `height` that of its text. */
export type Row = {
  cells: readonly Cell[];
  text: string;
  y: number;
  height: number;
  left: number;
  right: number;
  /** The boxes it was put together from, from left to right. */
  members: readonly TextBox["polygon"][];
};

/** A box in the deskewed frame; `slope` is what is left of its own tilt (dy/dx), null where it is too short to tell, `bend` how that changes along it. */
type Placed = {
  left: number;
  right: number;
  leftY: number;
  rightY: number;
  y: number;
  height: number;
  slope: number | null;
  bend: number;
  box: TextBox;
};

/** How rows run around one box: y rises by `slope` × x + `bend` × x². */
type Course = { slope: number; bend: number };

/** A box this many times wider than high has a tilt that can be trusted. */
const TRUSTED_ASPECT = 4;
/** Two boxes are neighbours on a row when their middles, carried along the slope, differ by less than this share of the height. */
const ROW_TOLERANCE = 0.5;
/** A gap of more than this many text heights starts a new cell although the row goes on. */
const CELL_GAP_HEIGHTS = 0.9;

/** Boxes to rows from top to bottom. The page's tilt is taken out as a whole, what differs from place to place (paper that bends) by the slope of the wide boxes nearby. */
export function rowsOf(page: OcrPage): Row[] {
  const boxes = page.boxes.filter((box) => box.text.trim() !== "");
  const placed = place(boxes, pageAngle(boxes));
  const courses = coursesAround(placed);
  const links = linkNeighbours(placed, courses);
  return chains(levelled(placed, courses), links)
    .map(toRow)
    .sort((a, b) => a.y - b.y);
}

function pageAngle(boxes: readonly TextBox[]): number {
  const angles = boxes
    .map(({ polygon: [a, b, c, d] }) => ({
      angle: Math.atan2((b.y + c.y - a.y - d.y) / 2, (b.x + c.x - a.x - d.x) / 2),
      width: Math.hypot(b.x - a.x, b.y - a.y),
      height: Math.hypot(d.x - a.x, d.y - a.y),
    }))
    .filter((side) => side.width > TRUSTED_ASPECT * side.height);
  return weightedMedian(angles.map(({ angle, width }) => ({ value: angle, weight: width }))) ?? 0;
}

function place(boxes: readonly TextBox[], angle: number): Placed[] {
  const cos = Math.cos(-angle);
  const sin = Math.sin(-angle);
  const turn = (p: Point): Point => ({ x: p.x * cos - p.y * sin, y: p.x * sin + p.y * cos });
  return boxes.map((box) => {
    const [a, b, c, d] = box.polygon.map(turn) as [Point, Point, Point, Point];
    const left = (a.x + d.x) / 2;
    const right = (b.x + c.x) / 2;
    const leftY = (a.y + d.y) / 2;
    const rightY = (b.y + c.y) / 2;
    const height = Math.max(1, (Math.hypot(d.x - a.x, d.y - a.y) + Math.hypot(c.x - b.x, c.y - b.y)) / 2);
    const slope = right - left > TRUSTED_ASPECT * height ? (rightY - leftY) / (right - left) : null;
    return {
      left,
      right,
      leftY,
      rightY,
      y: (leftY + rightY) / 2,
      height,
      slope,
      bend: bendOf(box, right - left, height),
      box,
    };
  });
}

/** What deviates less from the straight, as a share of the height, is the unevenness of letters, and tells nothing of the row beyond the box. */
const BEND_SHARE_MIN = 0.08;

function bendOf({ bend = 0 }: TextBox, width: number, height: number): number {
  return Math.abs(bend) * (width / 2) ** 2 < BEND_SHARE_MIN * height ? 0 : bend;
}

/** A bend that lifts the ends of the text by less than this share of its height parts no row, and is left to the boxes that are wide enough to show it. */
const PARTING_SHARE_MIN = 0.25;

/**
 * How rows bend around a height of the page, by how the tilt of boxes changes from left to right: names tilt one way, prices the other,
 * though either is too short to show a bend of its own. Least squares; a line of so many points tells its tilt by the third power of its width, its bend by the fifth.
 * Null where that is too little to part rows.
 */
function bendByTilts(placed: readonly Placed[], y: number, reach: number): number | null {
  const near = placed.flatMap((p) => {
    const [width, weight] = [p.right - p.left, Math.exp(-(((p.y - y) / reach) ** 2))];
    if (weight < 0.05 || width < 2 * p.height) return [];
    return [
      {
        ...p,
        width,
        x: (p.left + p.right) / 2,
        tilt: (p.rightY - p.leftY) / width,
        weight: (weight * width ** 3) / 12,
      },
    ];
  });
  const total = near.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const mean = (of: (box: (typeof near)[number]) => number): number =>
    near.reduce((sum, box) => sum + box.weight * of(box), 0) / total;
  const [middle, tilt] = [mean(({ x }) => x), mean((box) => box.tilt)];
  let [shown, told] = [0, 0];
  for (const box of near) {
    const arm = 2 * (box.x - middle);
    shown += box.weight * arm * (box.tilt - tilt);
    told += box.weight * arm ** 2;
    if (box.box.bend === undefined) continue;
    shown += (box.weight * box.width ** 2 * box.box.bend) / 15;
    told += (box.weight * box.width ** 2) / 15;
  }
  const bend = told === 0 ? 0 : shown / told;
  const half = (Math.max(...near.map(({ right }) => right)) - Math.min(...near.map(({ left }) => left))) / 2;
  return Math.abs(bend) * half ** 2 > PARTING_SHARE_MIN * mean(({ height }) => height) ? bend : null;
}

/** For each box how the rows around it run: as the wide boxes nearby, the nearer the more. */
function coursesAround(placed: readonly Placed[]): Course[] {
  const reach = 6 * (weightedMedian(placed.map((p) => ({ value: p.height, weight: 1 }))) ?? 1);
  const wide = placed.flatMap((p) => (p.slope === null ? [] : [{ ...p, slope: p.slope }]));
  return placed.map(({ y }) => {
    const weights = wide.map((p) => (p.right - p.left) * Math.exp(-(((p.y - y) / reach) ** 2)));
    const bend =
      bendByTilts(placed, y, reach) ??
      weightedMedian(wide.map((p, i) => ({ value: p.bend, weight: weights[i]! }))) ??
      0;
    const slopes = wide.map((p, i) => ({ value: p.slope - bend * (p.left + p.right), weight: weights[i]! }));
    return { slope: weightedMedian(slopes) ?? 0, bend };
  });
}

/** The boxes with the middle that each would have if its row ran straight. */
function levelled(placed: readonly Placed[], courses: readonly Course[]): Placed[] {
  const middle = placed.reduce((sum, p) => sum + p.left + p.right, 0) / (2 * placed.length);
  return placed.map((p, i) => {
    const { slope, bend } = courses[i]!;
    const rise = (x: number): number => slope * (x - middle) + bend * (x * x - middle * middle);
    return { ...p, y: p.y - (rise(p.left) + rise(p.right)) / 2 };
  });
}

/** For each box the index of the one that follows it on its row, where the two choose each other. */
function linkNeighbours(placed: readonly Placed[], courses: readonly Course[]): (number | null)[] {
  /** Of going on from one box to another, null where that is no way: a box is not its own neighbour, for it is not to the right of itself. */
  const cost = (i: number, j: number): number | null => {
    const a = placed[i]!;
    const b = placed[j]!;
    const gap = b.left - a.right;
    const heightMin = Math.min(a.height, b.height);
    if (gap < -0.8 * heightMin || (a.left + a.right) / 2 >= (b.left + b.right) / 2) return null;
    const [courseA, courseB] = [courses[i]!, courses[j]!];
    const slope = (courseA.slope + courseB.slope + (courseA.bend + courseB.bend) * (a.right + b.left)) / 2;
    const dy = Math.abs(b.leftY - a.rightY - slope * gap) / heightMin;
    if (dy > ROW_TOLERANCE) return null;
    return dy * 4 * heightMin + Math.max(0, gap);
  };
  const next = placed.map((_, i) => cheapest(placed.length, (j) => cost(i, j)));
  const previous = placed.map((_, j) => cheapest(placed.length, (i) => cost(i, j)));
  return next.map((j, i) => (j !== null && previous[j] === i ? j : null));
}

/** Of so many the index that costs least; null where none may be chosen. */
function cheapest(count: number, cost: (index: number) => number | null): number | null {
  let best: number | null = null;
  let bestCost = Infinity;
  for (let index = 0; index < count; index++) {
    const value = cost(index);
    if (value !== null && value < bestCost) {
      best = index;
      bestCost = value;
    }
  }
  return best;
}

function chains(placed: readonly Placed[], next: readonly (number | null)[]): Placed[][] {
  const followed = new Set(next.filter((j) => j !== null));
  return placed.flatMap((_, start) => {
    if (followed.has(start)) return [];
    const chain: Placed[] = [];
    for (let i: number | null = start; i !== null; i = next[i] ?? null) chain.push(placed[i]!);
    return [chain];
  });
}

function toRow(chain: readonly Placed[]): Row {
  const cells: Cell[] = [];
  for (const { left, right, height, box } of chain) {
    const before = cells.at(-1);
    if (before && left - before.right < CELL_GAP_HEIGHTS * height) {
      before.text += ` ${box.text.trim()}`;
      before.right = right;
      before.score = Math.min(before.score, box.score);
    } else {
      cells.push({ text: box.text.trim(), left, right, score: box.score });
    }
  }
  const width = chain.reduce((sum, p) => sum + p.right - p.left, 0) || 1;
  return {
    cells,
    text: cells.map((cell) => cell.text).join("  "),
    y: chain.reduce((sum, p) => sum + p.y * (p.right - p.left), 0) / width,
    height: weightedMedian(chain.map((p) => ({ value: p.height, weight: p.right - p.left }))) ?? 1,
    left: chain[0]!.left,
    right: chain.at(-1)!.right,
    members: chain.map(({ box }) => box.polygon),
  };
}

function weightedMedian(entries: readonly { value: number; weight: number }[]): number | null {
  const sorted = entries.toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const { value, weight } of sorted) {
    sum += weight;
    if (sum >= half) return value;
  }
  return null;
}
