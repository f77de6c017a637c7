// Corrections before dates are searched: joined, split and misread figures that have only one possible reading.

/** A figure, or a letter that the OCR reads for one. */
export const FIGURE_LIKE = "[0-9OoQDIil|!SsBZz]";
const FIGURE_OF: Record<string, string> = { O: "0", o: "0", Q: "0", D: "0", I: "1", i: "1", l: "1", "|": "1", "!": "1", S: "5", s: "5", B: "8", Z: "2", z: "2" }; // prettier-ignore

/** Returns `2O2S` as figures. */
export function figuresOf(text: string): string {
  return text.replace(/\D/g, (letter) => FIGURE_OF[letter] ?? letter);
}

type Repair = readonly [pattern: RegExp, replacement: string | ((misread: string) => string)];

const joined = (parted: string): string => parted.replaceAll(" ", "");

const REPAIRS: readonly Repair[] = [
  // `03/23/2817`, `2918-03-23`: tills cross or dot their 0.
  [/(?<=\d[-./]\d{1,2}[-./])2[689](?=\d{2}(?![\d:;]))|(?<!\d)2[689](?=\d{2}[-./]\d{2}[-./]\d{2}(?!\d))/g, "20"],
  // `12/1 1/2025`; not the year of `21/3/18 2.22PM`
  [/(?<=\d[-./]|\d[-./]\d)(?<!\d\d|\d[-./]\d{1,2}[-./]\d?)\d \d(?=[-./](?:20)?\d{2}(?!\d))/g, joined],
  // `1 2/11/2025`, `1 2 NOV 2025`
  [
    /(?<=(?:^|:|[A-Za-z]{3})\s{0,2})\d \d(?=([-./])\d{2}\1(?:20)?\d{2}(?!\d)|[-./ ]?[A-Za-zÀ-ÿ]{3,12}[-./ ]{0,2}20\d{2})/g,
    joined,
  ],
  // `12/11/20 25`, `12/11/2 5 14:32`
  [
    /(?<=\d[-./]\d{1,2}[-./]|[A-Za-z]{3}\.?[-./ ])(?:2 ?0 ?\d ?\d|\d \d)(?=$|\s{1,2}[^\d\s:]|\s{1,2}\d{1,2}\s?:)/g,
    joined,
  ],
  // `202 5-11-12`
  [/(?<![\d/.-])(?:2 0\d\d|20\d \d)(?=[-./]\d{2}[-./]\d{2}(?!\d))/g, joined],
  // `0ct`
  [/(?<!\d)0(?=[A-Za-z]{2})/g, "O"],
  // `l2/11/2025`, `Z1 Mar 2025`, `l5 Sep, 2024`, `l4-Oct-23`
  [
    /(?<![A-Za-z\d])[lI|Z](?=\d\s?([-./])\s?\d{1,2}\s?\1\s?(?:20)?\d{2}(?!\d)|\d[-./ ]?[A-Za-zÀ-ÿ]{3,12}[-./, ]{0,2}20\d{2}|\d([-./])[A-Za-zÀ-ÿ]{3}\2\d{2}(?!\d))/g,
    figuresOf,
  ],
  // `12/11/2O2S`, `NOVEMBER 2, 2O24`
  [
    /(?<=[-./]\d{1,2}[-./]|[A-Za-z]{3}\.?[-./ ]{0,2}(?:\d{1,2},\s?)?)[2Z][0OoD][\dOoDlI|ZSB]{2}(?:(?!\d|[A-Za-z]{2})|(?=(?:[01]\d|2[0-3])[:;]\d{2}))/g,
    figuresOf,
  ],
  // `20Z5-11-12`, `2025-11-1l`
  [/(?<![A-Za-z\d])[2Z][0OoD][\dOoDlI|ZSB]{2}(?=[-./]\d{2}[-./])/g, figuresOf],
  [/(?<=20\d{2}[-./]\d{2}[-./]\d)[OolI|ZSB](?![A-Za-z\d])/g, figuresOf],
  // `12/11/202514:32`, `12NOV202514:32`
  [/(?<=\d\s?[-./,]\s?|[A-Za-zÀ-ÿ][-./' ]{0,2})20\d{2}(?=(?:[01]?\d|2[0-3])[:;hH][0-5]\d)/g, "$& "],
  // `2025-11-1214:32`
  [/20\d{2}([-./])\d{2}\1\d{2}(?=(?:[01]\d|2[0-3])[:;.hH][0-5]\d)/g, "$& "],
  // `12.11.2514:32`, `12.11.202514.32`, `12-O1-2514:O2`
  [/\d([-./])[\dOSlI]{1,2}\1(?:20)?\d{2}(?=(?:[01lI][\dO]|2[0-3])[:;.hH][0-5OS][\dOSl])/g, "$& "],
  // `11/12/252:05PM`
  [/\d([-./])\d{1,2}\1\d{2}(?=\d[:;][0-5OS][\dOS]\s?[AaPp][Mm])/g, "$& "],
  // `12NOV2514:32`
  [/(?:\d[A-Za-zÀ-ÿ]{3}|[A-Za-zÀ-ÿ]{3}[-./'])\d{2}(?=(?:[01]\d|2[0-3])[:;hH][0-5]\d)/g, "$& "],
  // `12/11/2025 14:3204417`: the till's number behind the time.
  [/(?<=\d\1\d{1,2}([-./])(?:20)?\d{2}\s{0,2})(?:[01]\d|2[0-3])[:;][0-5]\d(?=\d)/g, "$& "],
  // `2:05PM102488`
  [/(?<=\d[:;][0-5]\d\s?[AaPp][Mm])(?=\d)/g, " "],
  // `14:3212/11/2025`, `14:3212NOV25`
  [/\d:[0-5]\d(?=\d{2}[-./]\d{2}[-./]\d{2}|20\d{2}[-./]|\d{2}[-./ ]?[A-Za-z]{3})/g, "$& "],
];

/** Returns a row with the spaces in its dates where they belong, and with figures instead of similar letters. */
export function legible(row: string): string {
  return REPAIRS.reduce(
    (text, [pattern, replacement]) =>
      typeof replacement === "string" ? text.replace(pattern, replacement) : text.replace(pattern, replacement),
    row,
  );
}
