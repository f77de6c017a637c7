// Thailand counts the years from 543 BC. Many of its tills print them so, some with two figures: `21/03/2569`,
// `21/03/69`.

const YEARS_AHEAD = 543;
const THAILAND = "TH";
/** No till printed an earlier year than 2017, and none a later one than 2049: as much as a date may be in. */
const YEARS = { first: 2560, last: 2592 } as const;

/** A year of four figures behind day and month: elsewhere such figures are a number's (`Ref 12/06/2580`). */
const FOUR_FIGURES =
  /(?=25[6-9]\d(?!\d))(?<=(?<!\d)\d{1,2}\s?[-./\s]\s?(?:\d{1,2}|\p{L}{3,12})\.?\s?[-./\s]\s?)25[6-9]\d(?!\d)/gu;
/** A year of two figures behind day and month: only in Thailand. What is looked at first is the rarer part. */
const TWO_FIGURES =
  /(?=[6-9]\d(?!\d))(?<=(?<!\d|\d[-./])\d{1,2}(?:[-./]\d{1,2}|[-\s]\p{L}{3,10}\.?)[-./\s])[6-9]\d(?![\d:]|[-./]\d)/gu;

/** Returns a row with its years as they are counted elsewhere, each in as many figures. */
export function withCommonYears(row: string, country: string | null): string {
  if (country !== null && country !== THAILAND) return row;
  const common = row.replace(FOUR_FIGURES, (year) => inCommonYears(year, 0));
  return country === THAILAND ? common.replace(TWO_FIGURES, (year) => inCommonYears(year, 2500)) : common;
}

function inCommonYears(figures: string, century: number): string {
  const year = century + Number(figures);
  return year < YEARS.first || year > YEARS.last ? figures : String(year - YEARS_AHEAD).slice(-figures.length);
}
