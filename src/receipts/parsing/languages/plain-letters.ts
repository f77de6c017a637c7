/** Letters that Unicode does not take apart into a plain one and its mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ı: "i",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ß: "ss",
};

const HAS_MARKS = /[^\0-\x7f]/;

/** Returns a text in letters without marks, as the words of the data files are written: `ZAPŁATY` → `ZAPLATY`. */
export function plainLetters(text: string): string {
  if (!HAS_MARKS.test(text)) return text;
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[łŁøØđĐıæÆœŒß]/g, (letter) => PLAIN[letter]!);
}
