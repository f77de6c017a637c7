/** Digits that the OCR takes for each other, on paper that is worn or blurred: 6 is read as 0 or 5 most often, then 0 as 4 or 8, 8 as 3, 4 as 1, 9 as 0. */
const LOOK_ALIKES: ReadonlySet<string> = new Set(
  "04 06 08 09 14 17 35 38 39 56 58 68 89".split(" ").flatMap(([a, b]) => [`${a}${b}`, `${b}${a}`]),
);
/** Digits behind the point. */
const DECIMALS = 2;

/** Whether `read` may be what the OCR made of `printed`, both in hundredths: one digit taken for another like it, or one before the point lost. */
export function mayBeReadFor(read: number, printed: number): boolean {
  if (Math.sign(read) !== Math.sign(printed)) return false;
  const [seen, true_] = [figuresOf(read), figuresOf(printed)];
  if (seen.length === true_.length) {
    const different = seen.filter((digit, i) => digit !== true_[i]);
    const at = seen.findIndex((digit, i) => digit !== true_[i]);
    return different.length === 1 && LOOK_ALIKES.has(`${seen[at]}${true_[at]}`);
  }
  if (true_.length !== seen.length + 1) return false;
  return true_.slice(0, -DECIMALS).some((_, at) => true_.toSpliced(at, 1).join("") === seen.join(""));
}

function figuresOf(minor: number): string[] {
  return String(Math.abs(minor)).padStart(DECIMALS, "0").split("");
}
