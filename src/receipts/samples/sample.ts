// Till receipts of invented shops, for the demo, the tests and the sandbox. The content and the print of a receipt come
// from one object, so the text read from its picture can be compared with it.

/** The measure of a line: pieces at a price each, or a weight at a price per kg. */
export type SampleMeasure =
  | { readonly kind: "count"; readonly quantity: number; readonly unitMinor: number }
  | { readonly kind: "weight"; readonly massGrams: number; readonly perKgMinor: number };

/** One line of the sale. A discount is a line with a negative amount. */
export interface SampleLine {
  /** The printed name. */
  readonly name: string;
  /** Amount of the whole line. */
  readonly amountMinor: number;
  readonly measure?: SampleMeasure;
  /** The letter after the amount; it marks the tax rate. */
  readonly taxMark?: string;
}

/** The payment: by card, or with more cash than the total. */
export type SamplePayment =
  | { readonly kind: "card"; readonly scheme: string; readonly cardLast4: string }
  | { readonly kind: "cash"; readonly tenderedMinor: number };

/** The shop in the header of the receipt. */
export interface SampleMerchant {
  readonly name: string;
  readonly address: readonly string[];
  readonly phone: string;
  readonly vatNumber: string;
}

/** A receipt before it is printed. `merchant` null: a copy without the shop's header. */
export interface SampleReceipt {
  readonly language: "en" | "de";
  readonly currency: "GBP" | "EUR" | "USD";
  readonly merchant: SampleMerchant | null;
  /** `YYYY-MM-DD`, `HH:MM`, by the till's clock. */
  readonly date: string;
  readonly time: string;
  readonly receiptNumber: string;
  readonly lines: readonly SampleLine[];
  readonly payment: SamplePayment;
  /** Tax rates in percent by tax mark. If given, the tax table is printed. */
  readonly taxPercents?: Readonly<Record<string, number>>;
}

/** One row of print. `scale` enlarges the type; `bars` is a bar code of the digits. */
export type PrintedRow =
  | { readonly kind: "text"; readonly text: string; readonly scale: number; readonly isBold: boolean }
  | { readonly kind: "bars"; readonly digits: string }
  | { readonly kind: "gap" };

/** Width of a row in characters of scale 1: that of a till with 80 mm paper. */
export const COLUMNS = 36;

const CURRENCY_SIGN = { GBP: "£", EUR: "€", USD: "$" } as const;

/** Returns the total: the sum of all lines, discounts included. */
export function totalMinorOf(receipt: SampleReceipt): number {
  return receipt.lines.reduce((sum, line) => sum + line.amountMinor, 0);
}

/** Returns the printed rows, from top to bottom. */
export function printReceipt(receipt: SampleReceipt): PrintedRow[] {
  const words = receipt.language === "de" ? GERMAN : ENGLISH;
  return [
    ...printHead(receipt, words),
    centred(`${words.receipt} ${receipt.receiptNumber}`),
    centred(`${words.date(receipt.date)}   ${receipt.time}`),
    rule(),
    ...(receipt.merchant === null ? [] : [text(receipt.currency.padStart(amountEnd(receipt)))]),
    ...receipt.lines.flatMap((line) => printLine(receipt, line, words)),
    rule(),
    ...printTotal(receipt, words),
    gap(),
    ...printTaxes(receipt, words),
    centred(words.thanks),
    gap(),
    { kind: "bars", digits: receipt.receiptNumber.replaceAll(/\D/g, "") },
  ];
}

/** The words that tills of a language print around the figures. */
interface TillWords {
  readonly decimalMark: string;
  readonly phone: string;
  readonly vatNumber: string;
  readonly total: (sign: string, amount: string) => readonly [string, string];
  readonly cash: string;
  readonly change: string;
  readonly copy: string;
  readonly receipt: string;
  readonly thanks: string;
  readonly date: (isoDate: string) => string;
  readonly count: (quantity: number, sign: string, unit: string) => string;
  readonly weight: (kilograms: string, sign: string, perKg: string) => string;
  /** The amount is beside the name, with the measure below; else beside the measure. */
  readonly isAmountBesideName: boolean;
  readonly taxTable: readonly [string, string, string, string];
}

const ENGLISH: TillWords = {
  decimalMark: ".",
  phone: "Tel",
  vatNumber: "VAT No",
  total: (sign, amount) => ["TOTAL", sign + amount],
  cash: "CASH",
  change: "CHANGE",
  copy: "CUSTOMER COPY",
  receipt: "Receipt No",
  thanks: "THANK YOU FOR SHOPPING WITH US",
  date: (isoDate) => isoDate.split("-").toReversed().join("/"),
  count: (quantity, sign, unit) => `  ${quantity} @ ${sign}${unit}`,
  weight: (kilograms, sign, perKg) => `  ${kilograms} kg @ ${sign}${perKg}/kg`,
  isAmountBesideName: false,
  taxTable: ["RATE", "NET", "VAT", "GROSS"],
};

const GERMAN: TillWords = {
  decimalMark: ",",
  phone: "Tel.",
  vatNumber: "USt-IdNr.",
  total: (_sign, amount) => ["SUMME EUR", amount],
  cash: "BAR",
  change: "RÜCKGELD",
  copy: "KUNDENBELEG",
  receipt: "Bon-Nr.",
  thanks: "Vielen Dank für Ihren Einkauf",
  date: (isoDate) => isoDate.split("-").toReversed().join("."),
  count: (quantity, _sign, unit) => `  ${quantity} Stk x ${unit}`,
  weight: (kilograms, _sign, perKg) => `  ${kilograms} kg x ${perKg} EUR/kg`,
  isAmountBesideName: true,
  taxTable: ["MwSt", "Netto", "Steuer", "Brutto"],
};

function printHead({ merchant }: SampleReceipt, words: TillWords): PrintedRow[] {
  if (merchant === null) return [centred(words.copy)];
  return [
    { kind: "text", text: centre(merchant.name, Math.floor(COLUMNS / 1.6)), scale: 1.6, isBold: true },
    ...merchant.address.map(centred),
    centred(`${words.phone} ${merchant.phone}`),
    centred(`${words.vatNumber} ${merchant.vatNumber}`),
  ];
}

function printLine(receipt: SampleReceipt, line: SampleLine, words: TillWords): PrintedRow[] {
  const amount = formatMinor(line.amountMinor, words) + (line.taxMark === undefined ? "" : ` ${line.taxMark}`);
  if (line.measure === undefined) return [spread(line.name, amount)];
  const measure = printMeasure(receipt, line.measure, words);
  return words.isAmountBesideName
    ? [spread(line.name, amount), text(measure)]
    : [text(line.name), spread(measure, amount)];
}

function printMeasure(receipt: SampleReceipt, measure: SampleMeasure, words: TillWords): string {
  const sign = CURRENCY_SIGN[receipt.currency];
  if (measure.kind === "count") return words.count(measure.quantity, sign, formatMinor(measure.unitMinor, words));
  const kilograms = formatDecimal(measure.massGrams, 3, words);
  return words.weight(kilograms, sign, formatMinor(measure.perKgMinor, words));
}

function printTotal(receipt: SampleReceipt, words: TillWords): PrintedRow[] {
  const totalMinor = totalMinorOf(receipt);
  const amount = formatMinor(totalMinor, words);
  const [label, figure] = words.total(CURRENCY_SIGN[receipt.currency], amount);
  const scale = 1.2;
  const total: PrintedRow = {
    kind: "text",
    text: between(label, figure, Math.floor(amountEnd(receipt) / scale)),
    scale,
    isBold: true,
  };
  const end = amountEnd(receipt);
  if (receipt.payment.kind === "cash") {
    const { tenderedMinor } = receipt.payment;
    return [
      total,
      text(between(words.cash, formatMinor(tenderedMinor, words), end)),
      text(between(words.change, formatMinor(tenderedMinor - totalMinor, words), end)),
    ];
  }
  const { scheme, cardLast4 } = receipt.payment;
  return [total, text(between(scheme, amount, end)), text(`**** **** **** ${cardLast4}`)];
}

/** Prints net, tax and gross for each rate. The tax is included in the gross, rounded half up. */
function printTaxes({ lines, taxPercents = {} }: SampleReceipt, words: TillWords): PrintedRow[] {
  const marks = Object.entries(taxPercents);
  if (marks.length === 0) return [];
  const rows = marks.map(([mark, percent]) => {
    const grossMinor = lines.reduce((sum, line) => sum + (line.taxMark === mark ? line.amountMinor : 0), 0);
    const taxMinor = Math.floor((2 * grossMinor * percent + 100 + percent) / (2 * (100 + percent)));
    const figures = [grossMinor - taxMinor, taxMinor, grossMinor].map((minor) => formatMinor(minor, words));
    return taxRow([`${mark}  ${percent}%`, ...figures]);
  });
  return [taxRow(words.taxTable), ...rows, gap()];
}

function taxRow([rate = "", ...figures]: readonly string[]): PrintedRow {
  return text(rate.padEnd(9) + figures.map((figure) => figure.padStart(8)).join(""));
}

/** Returns the column after the last digit of an amount. Tax marks, if any, are to the right of it. */
function amountEnd({ lines }: SampleReceipt): number {
  return lines.some((line) => line.taxMark !== undefined) ? COLUMNS - 2 : COLUMNS;
}

function formatMinor(amountMinor: number, words: TillWords): string {
  return formatDecimal(amountMinor, 2, words);
}

/** `formatDecimal(632, 3)` is `0.632`. */
function formatDecimal(value: number, decimals: number, words: TillWords): string {
  const digits = String(Math.abs(value)).padStart(decimals + 1, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -decimals)}${words.decimalMark}${digits.slice(-decimals)}`;
}

function text(line: string): PrintedRow {
  return { kind: "text", text: line, scale: 1, isBold: false };
}

function gap(): PrintedRow {
  return { kind: "gap" };
}

function rule(): PrintedRow {
  return text("-".repeat(COLUMNS));
}

function centred(line: string): PrintedRow {
  return text(centre(line, COLUMNS));
}

function spread(left: string, right: string): PrintedRow {
  return text(between(left, right, COLUMNS));
}

function centre(line: string, columns: number): string {
  return " ".repeat(Math.max(0, Math.floor((columns - line.length) / 2))) + line;
}

function between(left: string, right: string, columns: number): string {
  return left + right.padStart(columns - left.length);
}
