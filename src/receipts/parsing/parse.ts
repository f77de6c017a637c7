import { dateAccuracy, lineAccuracy, merchantAccuracy, receiptAccuracy, totalAccuracy } from "./accuracy.ts";
import { inMinorUnits } from "./rows/amounts.ts";
import { cleanedName } from "./items/cleaned-name.ts";
import { anyWordOf } from "./languages/notation.ts";
import { wordsOf } from "./languages/vocabulary.ts";
import { originOf } from "./header/country.ts";
import { findMoment } from "./dates/dates.ts";
import { readList } from "./items/list.ts";
import type { DraftLine } from "./items/lines.ts";
import type { ListBounds } from "./items/list-bounds.ts";
import { withLettersRestored } from "./rows/letters.ts";
import { findMerchant } from "./header/merchants.ts";
import type { MerchantDictionary, MerchantKind } from "./header/merchants.ts";
import type { QuantityUnit } from "./items/quantities.ts";
import { rowsOf } from "./rows/rows.ts";
import type { OcrPage } from "../../ocr/page.ts";
import { toReceiptRows } from "./rows/receipt-rows.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";
import { sumOf } from "./repair/reconcile.ts";
import { withAmountsRestored } from "./repair/misread-amounts.ts";
import { withDecimals } from "./rows/zero-decimal-amounts.ts";

/** One printed line. `quantity` counts or weighs in `unit`; a discount or void has a negative amount. `accuracy` 0 to 1: that name and amount are as printed. */
export interface ReceiptLine {
  kind: "item" | "discount" | "void";
  description: string;
  cleanedName: string;
  quantity: number;
  unit: QuantityUnit;
  unitPriceMinor: number | null;
  amountMinor: number;
  accuracy: number;
}

/** What was read from a receipt. Money in minor units of `currency`; null is what the receipt doesn't show or could not be read. */
export interface ReceiptReading {
  isReceipt: boolean;
  /** 0 to 1: how much of what makes a receipt was found. */
  receiptScore: number;
  merchantName: string | null;
  businessName: string | null;
  merchantKind: MerchantKind;
  merchantAddress: string | null;
  country: string | null;
  currency: string | null;
  /** `YYYY-MM-DD` */
  date: string | null;
  /** `HH:MM:SS`, local */
  time: string | null;
  lines: readonly ReceiptLine[];
  subTotalMinor: number | null;
  discountsMinor: number;
  taxMinor: number | null;
  roundingMinor: number | null;
  totalMinor: number | null;
  paidMinor: number | null;
  changeMinor: number | null;
  cardLast4: string | null;
  /** 0 to 1: that merchant, date, total and all lines are right. */
  accuracy: number;
  /** Of single fields; 0 where nothing was read. */
  fieldAccuracy: { merchantName: number; date: number; total: number };
  /** What was put right by arithmetic, in words. */
  repairs: readonly string[];
}

/** Above this a picture counts as a receipt: an amount and two more of its signs. */
const RECEIPT_SCORE_MIN = 0.4;

/** Reads a receipt from what the OCR saw, handed in on `today` (`YYYY-MM-DD`) if known. Deterministic; never throws on any page. */
export function parseReceipt(
  page: OcrPage,
  dictionary: MerchantDictionary,
  today: string | null = null,
): ReceiptReading {
  const rows = toReceiptRows(withAmountsRestored(withDecimals(rowsOf(page))));
  const texts = rows.map(({ text }) => text);
  const { bounds, drafts, totals, lines, isBalanced, repairs } = readList(rows);
  const merchant = findMerchant(rows, bounds.start, dictionary);
  const { country, currency } = originOf(texts, merchant?.chain?.country ?? null);
  const moment = findMoment(texts, { country, today });
  const address = addressIn(rows.slice(0, bounds.start), merchant?.rowIndex ?? null);
  const discounts = lines.filter(({ kind }) => kind === "discount");
  const receiptScore = scoreOf(rows, drafts, totals.totalMinor, moment.date, merchant !== null);
  const fieldAccuracy = {
    merchantName: merchant ? merchantAccuracy(merchant.score, merchant.chain !== null) : 0,
    date: moment.date ? dateAccuracy(moment.score, !moment.isOrderGuessed) : 0,
    total: totals.totalMinor === null ? 0 : totalAccuracy(totals.totalScore, isBalanced),
  };
  const readLines = lines.map((line) =>
    toReceiptLine({ ...line, name: withLettersRestored(line.name, country) }, isBalanced, currency),
  );
  const money = (hundredths: number | null): number | null => inMinorUnits(hundredths, currency);
  return {
    isReceipt: receiptScore >= RECEIPT_SCORE_MIN,
    receiptScore,
    merchantName: merchant?.printedName ?? null,
    businessName: merchant ? (merchant.chain?.name ?? merchant.tradingName ?? merchant.printedName) : null,
    merchantKind: merchant?.chain?.kind ?? kindFromText(texts, bounds),
    merchantAddress: address === null ? null : withLettersRestored(address, country),
    country,
    currency,
    date: moment.date,
    time: moment.time,
    lines: readLines,
    subTotalMinor: money(totals.subTotalMinor ?? (isBalanced ? sumOf(lines) : null)),
    discountsMinor: inMinorUnits(sumOf(discounts), currency),
    taxMinor: money(totals.taxMinor),
    roundingMinor: money(totals.roundingMinor),
    totalMinor: money(totals.totalMinor),
    paidMinor: money(totals.paidMinor),
    changeMinor: money(totals.changeMinor),
    cardLast4: cardLast4In(texts),
    accuracy: receiptAccuracy(
      Object.values(fieldAccuracy),
      readLines.map((line) => line.accuracy),
    ),
    fieldAccuracy,
    repairs: totals.misreadTotalMinor === null ? repairs : [...repairs, "total: one digit put right by what was paid"],
  };
}

function toReceiptLine(line: DraftLine, isBalanced: boolean, currency: string | null): ReceiptLine {
  const { kind, name, quantity, amountMinor, score } = line;
  const isMultiplied = quantity?.isChecked === true;
  const isComputed = line.isAmountComputed;
  return {
    kind,
    description: name,
    cleanedName: name === "" ? "" : cleanedName(name),
    quantity: (quantity?.thousandths ?? 1000) / 1000,
    unit: quantity?.unit ?? "piece",
    unitPriceMinor: inMinorUnits(quantity?.unitPriceMinor ?? null, currency),
    amountMinor: inMinorUnits(amountMinor, currency),
    accuracy: lineAccuracy({ score, hasName: name !== "", isBalanced, isMultiplied, isComputed }),
  };
}

/** Words of a restaurant that are of no goods, wherever they stand; `coperto` stands among them. */
const SERVED = new RegExp(anyWordOf(wordsOf("restaurantAnywhere")), "i");
const RESTAURANT = new RegExp(anyWordOf(wordsOf("restaurants")), "i");
const ONLINE = new RegExp(anyWordOf(wordsOf("online")), "i");
const GROCERY = new RegExp(anyWordOf(wordsOf("groceries")), "i");

/** The sort of business that the words of a receipt speak for. Those beside its list count: coffee (`CAFE MOLIDO`) and kitchen rolls are sold in shops. */
function kindFromText(texts: readonly string[], { start, end }: ListBounds): MerchantKind {
  const beside = [...texts.slice(0, start), ...texts.slice(end)].join("\n");
  if (SERVED.test(texts.join("\n")) || RESTAURANT.test(beside)) return "restaurant";
  if (ONLINE.test(beside)) return "online";
  return GROCERY.test(beside) ? "grocery" : "other";
}

/** What ends an address: telephone, tax number, the document's or list's heading, a table or member. */
const AFTER_ADDRESS = new RegExp(`${anyWordOf(wordsOf("afterAddress"))}|:`, "i");

/** The rows below the name that look like an address, five at most. */
function addressIn(head: readonly ReceiptRow[], nameIndex: number | null): string | null {
  const rows = head.slice(nameIndex === null ? 0 : nameIndex + 1);
  const end = rows.findIndex(({ text }) => AFTER_ADDRESS.test(text));
  const lines = rows
    .slice(0, end < 0 ? 5 : Math.min(end, 5))
    .map(({ text }) => text.replace(/\s{2,}/g, " ").replace(/[\s,.;]+$/, ""))
    .filter((text) => /\p{L}{3}/u.test(text) && !/^\(.*\)$/.test(text));
  return lines.some((text) => /\d/.test(text)) ? lines.join(", ") : null;
}

/** Numbers of something else that are masked like a card's: of the till, the shop's contract, the customer. */
const OTHER_NUMBER = new RegExp(anyWordOf(wordsOf("otherNumbers")), "i");
const CARD_WORD = new RegExp(anyWordOf(wordsOf("cardNumbers")), "i");

/** The card's last four digits: behind stars, or what is made of them, of the row that most likely speaks of a card. */
function cardLast4In(texts: readonly string[]): string | null {
  let best: { digits: string; score: number } | null = null;
  for (const [index, text] of texts.entries()) {
    const ending = /\bending(?: in| with)?:?\s+(\d{4})(?!\d)/i.exec(text);
    if (ending && !OTHER_NUMBER.test(text)) best ??= { digits: ending[1]!, score: 0 };
    for (const masked of text.matchAll(/[*#xX•.]{3,}\s?[-*#xX]*\s?(\d{4})(?!\d)/g)) {
      // `MERCHANT: 123  TID ****1631`: the word before the stars decides.
      const before = text.slice(0, masked.index);
      const isCard = CARD_WORD.test(before) || CARD_WORD.test(texts[index - 1] ?? "");
      // `Ticket........1234`: points lead to any number.
      if (!isCard && /^[.\s]+\d/.test(masked[0])) continue;
      const score = (isCard ? 1 : 0) + Math.min(1, masked[0].length / 16) - (OTHER_NUMBER.test(before) ? 2 : 0);
      if (!best || score > best.score) best = { digits: masked[1]!, score };
    }
  }
  return best && best.score > -0.5 ? best.digits : null;
}

function scoreOf(
  rows: readonly ReceiptRow[],
  lines: readonly DraftLine[],
  totalMinor: number | null,
  date: string | null,
  hasMerchant: boolean,
): number {
  const hasWords = rows.some(({ labels }) => labels.has("total") || labels.has("subtotal")) ? 0.25 : 0;
  const hasPayment = rows.some(({ labels }) => labels.has("cash") || labels.has("card") || labels.has("tax"))
    ? 0.15
    : 0;
  const score =
    (lines.length > 0 ? 0.2 : 0) +
    (totalMinor !== null ? 0.2 : 0) +
    (date ? 0.15 : 0) +
    (hasMerchant ? 0.05 : 0) +
    hasWords +
    hasPayment;
  return Math.round(100 * score) / 100;
}
