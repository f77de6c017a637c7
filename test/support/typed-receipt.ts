import { readFileSync } from "node:fs";
import { toMerchantDictionary } from "../../src/receipts/parsing/header/merchant-dictionary.ts";
import { parseReceipt } from "../../src/receipts/parsing/parse.ts";
import type { ReceiptReading } from "../../src/receipts/parsing/parse.ts";
import type { OcrPage, TextBox } from "../../src/ocr/page.ts";

/** The service's own dictionary of chains. */
export const dictionary = toMerchantDictionary(
  readFileSync(new URL("../../reference/merchants.jsonl", import.meta.url), "utf8"),
);

const LETTER_PX = 12;
const LINE_PX = 30;
const TEXT_PX = 22;

/** Returns the page that the OCR would read from monospaced text. Two spaces separate boxes. */
export function typedPage(text: string): OcrPage {
  const lines = text.replace(/^\n|\n\s*$/g, "").split("\n");
  const boxes = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map((match): TextBox => {
      const [left, right] = [match.index * LETTER_PX, (match.index + match[0].length) * LETTER_PX];
      const [top, bottom] = [row * LINE_PX, row * LINE_PX + TEXT_PX];
      const polygon: TextBox["polygon"] = [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }]; // prettier-ignore
      return { polygon, text: match[0], score: 0.98 };
    }),
  );
  return { width: 60 * LETTER_PX, height: lines.length * LINE_PX, rotation: 0, boxes };
}

/** Reads a typed receipt. */
export function readTyped(text: string): ReceiptReading {
  return parseReceipt(typedPage(text), dictionary);
}

/** Returns the lines in short: name, quantity with its unit unless it is one piece, amount. */
export function brief({ lines }: ReceiptReading): string[] {
  return lines.map(({ description, quantity, unit, amountMinor }) => {
    const count = quantity === 1 && unit === "piece" ? "" : ` × ${quantity}${unit === "piece" ? "" : unit}`;
    return `${description}${count} = ${amountMinor}`;
  });
}
