import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { findMoment } from "./dates.ts";

/** Fixed, so that the measurement is the same every time. */
const RUNS = { seed: 20_251_112, numRuns: 100 };
const COUNTRIES = ["GB", "IE", "US", "PH", "AU", "DE", "FR", "ES", "IT", "PT", "NL", "BE", "DK", "FI", "PL", "RO", "TR", "MY", "ID"]; // prettier-ignore
const LANGUAGES = "en de fr es it pt nl da sv nb fi pl cs hu ro tr ms id".split(" ");

interface Moment {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const two = (value: number): string => String(value).padStart(2, "0");
const dateOf = ({ year, month, day }: Moment): string => `${year}-${two(month)}-${two(day)}`;
const clockOf = ({ hour, minute }: Moment): string => `${two(hour)}:${two(minute)}`;
const digits = (count: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((figures) => figures.join(""));

const moments: fc.Arbitrary<Moment> = fc.record({
  year: fc.integer({ min: 2016, max: 2029 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
});

/** A day in figures, in the country's order. */
function inFigures({ year, month, day }: Moment, country: string, separator: string, yearDigits: 2 | 4): string {
  const parts = country === "US" || country === "PH" ? [two(month), two(day)] : [two(day), two(month)];
  return [...parts, yearDigits === 4 ? String(year) : two(year % 100)].join(separator);
}

/** Numbers on receipts beside the date. */
const numbers = fc.oneof(
  fc.tuple(digits(4), digits(3), digits(2), digits(6)).map((parts) => parts.join(" ")),
  digits(3).map((figures) => `Tel 0${figures[0]} ${figures}${figures[1]} ${figures}4`),
  fc.tuple(digits(2), digits(2), digits(2), digits(2)).map((parts) => `Tel 05-${parts.join("-")}`),
  fc.tuple(digits(2), digits(2), digits(2), digits(2)).map((parts) => `Tel. 04.${parts.join(".")}`),
  fc.tuple(digits(2), digits(2), digits(2)).map((parts) => `Tel 01 ${parts.join(" ")} 25`),
  fc.tuple(digits(3), digits(3), digits(5)).map(([a, b, c]) => `St.Nr. ${a.slice(1)}/${b}/${c}`),
  fc.tuple(digits(3), digits(3), digits(4)).map(([a, b, c]) => `(${a}) ${b}-${c}`),
  fc.tuple(digits(13), digits(2)).map(([ean, cents]) => `${ean} COFFEE 500G  4.${cents}`),
  digits(12).map((figures) => `REF ${figures}`),
  digits(8).map((figures) => `TID ${figures}`),
  fc.constantFrom("2 MARS 45G  1.20", "10 LED 20W", "3 MAYO 20", "1/2 CHICKEN 12.11", "EXP 12/27", "Mo-Fr 8.30-12.30 14.00-18.30", "Open 8-12 14-18", "V2.1.10", "since 1975", "A 7,00% 12.11 0,85 12,96"), // prettier-ignore
);

const OTHERS = ["Valid until", "Offer ends", "Points expire on", "Gültig bis", "Umtausch bis", "mindestens haltbar bis", "Valable jusqu'au", "Date limite :", "Válido hasta", "Caduca el", "Fecha de caducidad:", "Scadenza", "Geldig t/m", "Vervaldatum", "Voimassa", "Wazne do", "Valabil pana la", "Son kullanma tarihi", "Sah hingga", "Tarikh luput", "Return by", "Refund or exchange before", "Best before", "MHD", "BBE", "GST registered since", "Expiry date:"]; // prettier-ignore

describe("dates as tills print them", () => {
  test("figures in the country's order, with any separator, beside a time and the numbers of till and sale", () => {
    const habits = fc.record({
      moment: moments,
      country: fc.constantFrom(...COUNTRIES),
      separator: fc.constantFrom("/", "-", "."),
      yearDigits: fc.constantFrom<2 | 4>(2, 4),
      frame: fc.constantFrom("D T", "D  T", "T D", "DT", "Date:D  T", "0034 D T 0912 05 1234", "T12 R0034 D T", "D - T", "D  4711 023  T"), // prettier-ignore
    });
    fc.assert(
      fc.property(habits, fc.array(numbers, { maxLength: 4 }), ({ moment, frame, ...habit }, others) => {
        const written = inFigures(moment, habit.country, habit.separator, habit.yearDigits);
        const row = frame.replace(/D(?!a)/, written).replace(/T(?!\d)/, clockOf(moment));
        const read = findMoment([...others, row, "Thank you"], { country: habit.country, today: null });
        assert.deepEqual([read.date, read.time], [dateOf(moment), `${clockOf(moment)}:00`], row);
      }),
      RUNS,
    );
  });

  test("months named in eighteen languages, as the OCR reads them", () => {
    for (const language of LANGUAGES)
      for (let month = 1; month <= 12; month++)
        for (const name of namesOf(language, month))
          for (const row of [`12 ${name} 2025`, `12-${name.toUpperCase()}-2025`, `12${name}202514:32`])
            assert.equal(findMoment([row], { country: null, today: null }).date, `2025-${two(month)}-12`, row);
  });

  test("the purchase wins over dates of other things", () => {
    fc.assert(
      fc.property(moments, moments, fc.constantFrom(...OTHERS), fc.constantFrom("/", "."), fc.boolean(), (moment, other, words, separator, isFirst) => {
        const rows = [inFigures(moment, "GB", separator, 4), `${words} ${inFigures(other, "GB", separator, 4)}`];
        const read = findMoment(isFirst ? rows : rows.toReversed(), { country: "GB", today: null });
        assert.equal(read.date, dateOf(moment), rows.join(" | "));
      }), // prettier-ignore
      RUNS,
    );
  });

  test("if only other things have a date, there is none", () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...OTHERS), (other, words) => {
        const written = inFigures(other, "GB", "/", 4);
        for (const rows of [[`${words} ${written}`], [words, written], [`01/02/2015 - ${written}`]])
          assert.equal(findMoment(rows, { country: "GB", today: null }).date, null, rows.join(" | "));
      }),
      RUNS,
    );
  });

  test("no number of a receipt is a date", () => {
    const isDate = fc.sample(fc.array(numbers, { minLength: 10, maxLength: 10 }), { ...RUNS, numRuns: 100 });
    const wrong = isDate.filter((rows) => findMoment(rows, { country: "GB", today: null }).date !== null);
    assert.deepEqual(wrong, []);
  });

  test("one character misread: 95 of 100 days are still read, and one of 100 wrong at most", () => {
    const slips: [RegExp, string][] = [[/0/, "O"], [/1/, "l"], [/1/, "I"], [/2/, "Z"], [/5/, "S"], [/8/, "B"], [/\//, "1"], [/\//, "7"], [/\//, ""], [/\//, " "], [/\//, "."], [/\//, "~"]]; // prettier-ignore
    const cases = fc.sample(fc.tuple(moments, fc.constantFrom(...slips)), { ...RUNS, numRuns: 400 });
    const read = cases.map(([moment, [character, misread]]) => {
      const row = `${inFigures(moment, "GB", "/", 4).replace(character, misread)} ${clockOf(moment)}`;
      const { date } = findMoment([row], { country: "GB", today: null });
      return date === null ? "none" : date === dateOf(moment) ? "right" : "wrong";
    });
    const shareOf = (kind: string): number => read.filter((one) => one === kind).length / read.length;
    assert.ok(shareOf("right") >= 0.95, `${shareOf("right")} right`);
    assert.ok(shareOf("wrong") <= 0.01, `${shareOf("wrong")} wrong`);
  });
});

/** The OCR's readings of the names and abbreviations of a month: it drops most accents. */
function namesOf(language: string, month: number): string[] {
  const at = new Date(Date.UTC(2025, month - 1, 12));
  const names = (["long", "short"] as const).flatMap((width) => [
    new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC" }).format(at),
    new Intl.DateTimeFormat(language, { day: "numeric", month: width, year: "numeric", timeZone: "UTC" })
      .formatToParts(at)
      .find(({ type }) => type === "month")!.value,
  ]);
  return [...new Set(names)].filter((name) => !/\d/.test(name)).map(asSeen);
}

function asSeen(text: string): string {
  const kept = "äéèàáíóúòìÉÓÜüË";
  return text
    .split("")
    .map((letter) => (kept.includes(letter) ? letter : letter.normalize("NFD")[0]!.replace("ı", "i").replace("ł", "l")))
    .join("");
}
