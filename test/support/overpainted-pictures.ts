import sharp from "sharp";
import { findAmounts } from "../../src/receipts/parsing/rows/amounts.ts";
import type { OcrPage, TextBox } from "../../src/ocr/page.ts";

// Copies of a photo in which one digit was painted over by another one of the same print, as a forger does.

/** A digit of a page: the index of its box, and of the character in it. */
export interface Digit {
  readonly box: number;
  readonly at: number;
}

const WANTED: Readonly<Record<string, RegExp>> = {
  phone: /(?:TEL|PHONE|FON|FAX|\bPH\b|\bHP\b)\D{0,12}(\d[\d -]{4,})/iu,
  "VAT id": /(?:VAT|GST|SST|UST|UID|TVA|IVA|MWST|NIP|CNPJ|STEUER|TAX|REG|CHE|ATU)[^\d]{0,16}(\d[\d. -]{5,})/iu,
  terminal: /(?:TERMINAL|TID|TERM|POS|KASSE|COUNTER|TILL|CASHIER|MID|CAISSE|CASSA|CAJA)[^\d]{0,10}(\d{2,})/iu,
  number: /(?:RECEIPT|BON|BELEG|TICKET|INVOICE|INV|BILL|TRANS|DOC|CHECK|ORDER|SLIP|FACT)[^\d]{0,12}(\d{3,})/iu,
  minute: /(?<!\d)(?:[01]?\d|2[0-3]):([0-5]\d)/u,
  date: /(?<!\d)(\d{1,2})[./-]\d{1,2}[./-](?:20)?\d\d/u,
};

/** Returns a digit of each kind that the page shows: the last one of the phone number, of the minute, and so on. */
export function digitsOf({ boxes }: Pick<OcrPage, "boxes">, totalMinor: number | null): Map<string, Digit> {
  const found = new Map<string, Digit>();
  const texts = boxes.map(({ text }) => text);
  for (const [kind, pattern] of Object.entries(WANTED)) {
    for (const [box, text] of texts.entries()) {
      const match = new RegExp(pattern.source, `${pattern.flags}d`).exec(text);
      if (!match || found.has(kind)) continue;
      found.set(kind, { box, at: match.indices![1]![0] + match[1]!.trimEnd().length - 1 });
    }
  }
  const box = texts.findLastIndex((text) => findAmounts(text).some(({ minor }) => minor === totalMinor));
  if (totalMinor !== null && box >= 0) found.set("total", { box, at: texts[box]!.search(/\d\D*$/u) });
  return found;
}

/** The place of a character in the picture: its box and the share of the box to the left of it. */
interface Cell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function cellOf({ polygon: [p, q, r, s], text }: TextBox, at: number): Cell {
  const [from, to] = [at / text.length, (at + 1) / text.length];
  const x = (share: number) => [p.x + share * (q.x - p.x), s.x + share * (r.x - s.x)];
  const y = (share: number) => [p.y + share * (q.y - p.y), s.y + share * (r.y - s.y)];
  const [xs, ys] = [
    [...x(from), ...x(to)],
    [...y(from), ...y(to)],
  ];
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    width: Math.max(2, Math.round(Math.max(...xs) - left)),
    height: Math.max(2, Math.round(Math.max(...ys) - top)),
  };
}

/**
 * Paints over each of `digits` with a different digit of the same picture, from the box whose print is most like its
 * own. The picture is turned upright first, as the page is. Also returns the texts as they are then printed.
 */
export async function overpainted(
  picture: Buffer,
  { boxes, rotation, width: pageWidth, height: pageHeight }: OcrPage,
  digits: readonly Digit[],
): Promise<{ picture: Buffer; texts: string[] }> {
  const upright = await sharp(picture).rotate(rotation).jpeg({ quality: 95 }).toBuffer();
  const texts = boxes.map(({ text }) => text);
  const patches = await Promise.all(
    digits.map(async ({ box, at }) => {
      const target = cellOf(boxes[box]!, at);
      const painted = boxes
        .flatMap((other, index) =>
          [...other.text.matchAll(/\d/gu)].flatMap(({ 0: character, index: i }) => {
            if (character === boxes[box]!.text[at]) return [];
            const cell = cellOf(other, i);
            const off = Math.abs(Math.log(cell.height / target.height)) + Math.abs(Math.log(cell.width / target.width));
            return [{ cell, character, off: off + (index === box ? 0 : 0.1) }];
          }),
        )
        .toSorted((one, other) => one.off - other.off)[0];
      if (!painted) return null;
      texts[box] = texts[box]!.slice(0, at) + painted.character + texts[box]!.slice(at + 1);
      const within = ({ left, top, width, height }: Cell) => ({
        left,
        top,
        width: Math.min(width, pageWidth - left),
        height: Math.min(height, pageHeight - top),
      });
      const input = await sharp(upright)
        .extract(within(painted.cell))
        .resize({ width: within(target).width, height: within(target).height, fit: "fill" })
        .toBuffer();
      return { input, left: target.left, top: target.top };
    }),
  );
  const painted = sharp(upright).composite(patches.filter((patch) => patch !== null));
  return { picture: await painted.jpeg({ quality: 92 }).toBuffer(), texts };
}
