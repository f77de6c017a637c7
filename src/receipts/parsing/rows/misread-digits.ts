/**
 * Digits that the OCR confuses on worn or blurred paper: most often it reads 6 as 0 or 5, then 0 as 4 or 8, 8 as 3, 4
 * as 1, 9 as 0.
 */
const CONFUSED: ReadonlySet<string> = new Set(
  "04 06 08 09 14 17 35 38 39 56 58 68 89".split(" ").flatMap(([a, b]) => [`${a}${b}`, `${b}${a}`]),
);
/** Digits behind the point. */
const DECIMALS = 2;

/**
 * Whether the OCR may have read `printed` as `read`, both in hundredths: with one digit replaced by a similar one, or
 * without one digit before the point.
 */
export function mayBeReadFor(read: number, printed: number): boolean {
  if (Math.sign(read) !== Math.sign(printed)) return false;
  const [readFigures, printedFigures] = [figuresOf(read), figuresOf(printed)];
  if (readFigures.length === printedFigures.length) {
    const different = readFigures.filter((digit, i) => digit !== printedFigures[i]);
    const at = readFigures.findIndex((digit, i) => digit !== printedFigures[i]);
    return different.length === 1 && CONFUSED.has(`${readFigures[at]}${printedFigures[at]}`);
  }
  if (printedFigures.length !== readFigures.length + 1) return false;
  return printedFigures
    .slice(0, -DECIMALS)
    .some((_, at) => printedFigures.toSpliced(at, 1).join("") === readFigures.join(""));
}

function figuresOf(minor: number): string[] {
  return String(Math.abs(minor)).padStart(DECIMALS, "0").split("");
}
