import { readFileSync } from "node:fs";
import { randomness } from "../../src/receipts/samples/seeded-noise.ts";
import type { OcrPage, Point, TextBox } from "../../src/ocr/page.ts";
import { countryCodeOf } from "../../src/receipts/parsing/languages/country-code.ts";
import { typedPage } from "../../test/support/typed-receipt.ts";
import type { Truth } from "../receipt-tally.ts";
import { inventedLanguage } from "./invented.ts";

/** The collections of typed receipts that are here, a file each. */
export const TYPED = ["english", "continental", "everyday", "shops", "habits", "errands", "world", "abroad"] as const;

/**
 * A typed receipt: its country, the round in which it was typed (rules were changed between rounds), what it says, its
 * print, and the page that the OCR would give for it.
 */
export interface TypedReceipt {
  readonly file: string;
  readonly country: string;
  readonly round: string;
  readonly truth: Truth;
  readonly print: string;
  readonly page: OcrPage;
}

/** Letters that the recogniser has beside ASCII; others come out as what they look like. */
const READABLE = new Set(
  "äéèàáíóúòìÉÓÜüË°²×¥£€ßöÖÄâêîôûëïçÇñÑãõÃÕåÅøØæÆąęćńśźżłĄĘĆŃŚŹŻŁőűŐŰčďěňřšťůýžČĎĚŇŘŠŤŮÝŽăşţĂŞŢğĞıİđĐÀÁÂÊÈÍÎÔÚÙÛùÿ§½®",
);
/**
 * What has no plain letter below its marks, and Greek capitals as the recogniser read them. `""`: lost, as a
 * currency's sign mostly is.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = { ß: "B", ø: "o", Ø: "O", ł: "l", Ł: "L", æ: "ae", Æ: "AE", ı: "i", "€": "E", "£": "E", "₹": "", "’": "'", "–": "-", "¡": "i", "¿": "?", º: "°", ª: "a", đ: "d", Đ: "D", Γ: "T", Δ: "A", Λ: "A", Ξ: "E", Π: "N", Σ: "E", Φ: "", Ψ: "W", Ω: "Q", Α: "A", Β: "B", Ε: "E", Ζ: "Z", Η: "H", Θ: "O", Ι: "I", Κ: "K", Μ: "M", Ν: "N", Ο: "O", Ρ: "P", Τ: "T", Υ: "Y", Χ: "X" }; // prettier-ignore
/** What characters are misread as. */
const MISREAD: Readonly<Record<string, string>> = { "0": "O", "1": "l", "3": "8", "5": "S", "6": "5", "7": "1", "8": "B", "9": "3", ".": ",", ",": ".", O: "0", I: "1", S: "5", B: "8", L: "1", E: "F", T: "I", U: "O", m: "rn", g: "9" }; // prettier-ignore
/** Of characters that go wrong so many are lost altogether. */
const LOST_SHARE = 0.1;
const TILT_MAX = 0.01;
const SHIFT_MAX_PX = 2.5;

/**
 * The receipts of a collection, one of those here or a file of that form. Each stands as `=== id | round | merchant |
 * date | time | total | currency`, its print, `---`, and its lines as `name | amount`, perhaps with `| quantity`. With a seed boxes are tilted and
 * shifted a little, and `misread` of all characters (0 to 1) go wrong. `invented`: the seed of a language
 * that all words are translated into.
 */
export function typedReceipts(
  collection: string,
  seed: number,
  misread: number,
  invented: number | null = null,
): TypedReceipt[] {
  const inLanguage = invented === null ? (same: string): string => same : inventedLanguage(invented);
  const isHere = TYPED.some((name) => name === collection);
  const text = readFileSync(isHere ? new URL(`${collection}.txt`, import.meta.url) : collection, "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block, i) => {
      const [head, ...rest] = block.split("\n");
      const [id, round, merchant, date, time, total, currency] = head!.split("|").map((part) => part.trim()) as [string, string, string, string, string, string, string]; // prettier-ignore
      const [typed, lines] = rest.join("\n").split("\n---\n") as [string, string];
      const print = inLanguage(typed);
      const country = id.slice(0, 2);
      const code = countryCodeOf(country);
      const truth: Truth = {
        merchant: asRead(inLanguage(merchant)),
        date,
        total: Number(total),
        items: inLanguage(lines).trim().split("\n").filter(Boolean).map(toItem),
        items_source: "gold",
        ...(time && { time }),
        ...(currency && { currency }),
        ...(code !== null && { country: code }),
      };
      const random = randomness(7919 * seed + i);
      const page = typedPage(asRead(print));
      return {
        file: id,
        country,
        round,
        truth,
        print,
        page: seed === 0 ? page : shaken(page, misread, random),
      };
    });
}

/** `NAME | amount`, or with its count or weight: `NAME | amount | quantity`. */
const ITEM = /^(.*?)\s*\|\s*(-?[\d.]+)(?:\s*\|\s*([\d.]+))?\s*$/;

function toItem(line: string): { name: string; printed: string; amount: number; qty?: number } {
  const [, printed, amount, quantity] = ITEM.exec(line) as unknown as [string, string, string, string | undefined];
  const item = { name: asRead(printed), printed, amount: Number(amount) };
  return quantity === undefined ? item : { ...item, qty: Number(quantity) };
}

/** The text in the letters that the recogniser has. */
export function asRead(text: string): string {
  return Array.from(text)
    .map((letter) =>
      READABLE.has(letter) ? letter : (LOOK_ALIKES[letter] ?? letter.normalize("NFD").replace(/\p{M}/gu, "")),
    ) // prettier-ignore
    .join("");
}

/** Tilts and shifts boxes a little, and misreads a share of the characters. */
export function shaken(page: OcrPage, misread: number, random: () => number): OcrPage {
  const tilt = (2 * random() - 1) * TILT_MAX;
  const boxes = page.boxes.flatMap((box): TextBox[] => {
    const [dx, dy] = [(2 * random() - 1) * SHIFT_MAX_PX, (2 * random() - 1) * SHIFT_MAX_PX];
    const moved = ({ x, y }: Point): Point => ({ x: x + dx - tilt * y, y: y + dy + tilt * x });
    const [a, b, c, d] = box.polygon;
    const text = damaged(box.text, misread, random);
    return text.trim() === "" ? [] : [{ ...box, polygon: [moved(a), moved(b), moved(c), moved(d)], text }];
  });
  return { ...page, boxes };
}

function damaged(text: string, misread: number, random: () => number): string {
  return Array.from(text)
    .map((letter) => {
      if (random() >= misread) return letter;
      return letter === " " || random() < LOST_SHARE ? "" : (MISREAD[letter] ?? letter);
    })
    .join("");
}
