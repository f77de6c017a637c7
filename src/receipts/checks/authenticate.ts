import { toMinor } from "../../points/money.ts";
import { DAY_MS } from "../../time.ts";
import { findAmounts, inMinorUnits } from "../parsing/rows/amounts.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { failure } from "../receipt.ts";
import type { Declared, Failure } from "../receipt.ts";
import { doubtful, failed, notChecked, passed, rounded } from "./check.ts";
import type { Check, CheckName } from "./check.ts";
import type { NameEvidence } from "./name.ts";
import type { ImageTraces } from "./traces.ts";

/** A receipt with everything that its checks compare. */
export interface Evidence {
  readonly declared: Declared;
  readonly isSample: boolean;
  readonly reading: ReceiptReading;
  readonly name: NameEvidence;
  /** The declared amount is somewhere on the receipt. */
  readonly isAmountPrinted: boolean;
  /** Currency of the comparison of amounts. */
  readonly currency: string;
  readonly acceptedAt: Date;
  readonly traces: ImageTraces | null;
}

/** Thresholds of the checks. docs/receipts.md has the reasons. */
export const CHECK_THRESHOLDS = {
  /** A declared name with a smaller share of its distinctive words in the text is another shop's. */
  wordShareMin: 0.5,
  /** Cash is rounded to 5 minor units in some countries, and a card slip may hold a small tip. */
  amountToleranceMinor: 5,
  amountToleranceShare: 0.01,
  /** Maximum tip in a restaurant, as a share of the total. */
  tipShareMax: 0.25,
  /** The time zone of the till's clock is unknown. */
  dayToleranceDays: 1,
  accuracyMin: 0.5,
  /** Photos of paper have at most 0.3 of their area in one shade, drawings 0.78, and scans anything. */
  evenShareMax: 0.6,
  /** Photos of paper had at most 2.51; photos of screens had more than 2.6 in eight or nine of ten cases. */
  moirePeakMax: 2.6,
} as const;

/**
 * Whether the declared amount, in major units of `currency`, is among the amounts in the rows of a receipt. All amounts
 * in `texts` have decimals.
 */
export function isAmountPrinted(texts: readonly string[], declaredAmount: number | null, currency: string): boolean {
  if (declaredAmount === null) return false;
  const declaredMinor = toMinor(declaredAmount, currency);
  return texts.some((text) => findAmounts(text).some(({ minor }) => inMinorUnits(minor, currency) === declaredMinor));
}

/** Runs the checks of the receipt itself. `failure` is that of the first check that rejects it. */
export function authenticate(evidence: Evidence): { checks: Check[]; failure: Failure | null } {
  const checks = [
    merchantCheck(evidence),
    amountCheck(evidence),
    timeCheck(evidence),
    cardCheck(evidence),
    arithmeticCheck(evidence.reading),
    futureCheck(evidence),
    readabilityCheck(evidence.reading),
    editingCheck(evidence),
    photoCheck(evidence),
    screenCheck(evidence),
  ];
  const contradiction = checks.find(({ outcome }) => outcome === "failed");
  return { checks, failure: contradiction ? failure("NOT_AUTHENTIC", contradiction.reason) : null };
}

function merchantCheck({ declared, isSample, reading, name }: Evidence): Check {
  const check = "merchant_as_declared";
  if (isSample) return aboutSample(check);
  if (declared.merchantName === null) return notChecked(check, "no merchant was declared");
  if (name.isNamed) return passed(check, 1, "the declared merchant is named on the receipt");
  const { wordShare } = name;
  if (reading.merchantName === null || wordShare === null)
    return doubtful(check, 0.5, "the receipt doesn't show clearly which merchant it is from");
  if (wordShare >= CHECK_THRESHOLDS.wordShareMin)
    return doubtful(check, wordShare, "the declared merchant is named only in part on the receipt");
  return failed(check, "the receipt is from another merchant than declared");
}

function amountCheck({ declared, isSample, reading, currency, isAmountPrinted }: Evidence): Check {
  const check = "amount_as_declared";
  if (isSample) return aboutSample(check);
  if (declared.amount === null) return notChecked(check, "no amount was declared");
  const { totalMinor } = reading;
  if (totalMinor === null) return notChecked(check, "the receipt doesn't show a total");
  const declaredMinor = toMinor(declared.amount, currency);
  if (isClose(declaredMinor, totalMinor)) return passed(check, 1, "the total is the declared amount");
  // The integrator may know the amount paid by card, or the amount before rounding.
  const isPaid = [reading.paidMinor, totalMinor - (reading.roundingMinor ?? 0)].some(
    (minor) => minor !== null && minor === declaredMinor,
  );
  if (isPaid) return passed(check, 0.8, "the declared amount is the one paid");
  const tipMaxMinor = Math.floor(totalMinor * CHECK_THRESHOLDS.tipShareMax);
  if (reading.merchantKind === "restaurant" && declaredMinor > totalMinor && declaredMinor - totalMinor <= tipMaxMinor)
    return passed(check, 0.7, "the declared amount is the total and a tip");
  // If the sum of the lines doesn't confirm it, the figure may not be the total at all.
  if (isAmountPrinted && !addsUp(reading, totalMinor))
    return doubtful(check, 0.4, "the declared amount is on the receipt, but not clearly as its total");
  return failed(check, "the total on the receipt is not the declared amount");
}

function isClose(aMinor: number, bMinor: number): boolean {
  const { amountToleranceMinor, amountToleranceShare } = CHECK_THRESHOLDS;
  const tolerance = Math.max(amountToleranceMinor, Math.floor(bMinor * amountToleranceShare));
  return Math.abs(aMinor - bMinor) <= tolerance;
}

function timeCheck({ declared, isSample, reading }: Evidence): Check {
  const check = "time_as_declared";
  if (isSample) return aboutSample(check);
  if (declared.transactionTimestamp === null) return notChecked(check, "no time was declared");
  if (reading.date === null) return notChecked(check, "the receipt doesn't show a date");
  const declaredMs = Date.parse(declared.transactionTimestamp);
  if (isSameDay(reading.date, declaredMs)) return passed(check, 1, "the receipt is of the declared day");
  const swapped = withDayAndMonthSwapped(reading.date);
  if (swapped !== null && isSameDay(swapped, declaredMs))
    return passed(check, 0.7, "the receipt is of the declared day if its date has day and month the other way round");
  return failed(check, "the receipt is of another day than declared");
}

function isSameDay(date: string, instantMs: number): boolean {
  const declaredDay = Math.floor(instantMs / DAY_MS);
  return Math.abs(Date.parse(`${date}T00:00:00Z`) / DAY_MS - declaredDay) <= CHECK_THRESHOLDS.dayToleranceDays;
}

/** Returns the date with day and month swapped; null: its day cannot be a month. Only the spelling is checked. */
export function withDayAndMonthSwapped(date: string): string | null {
  const [year = "", month = "", day = ""] = date.split("-");
  return Number(day) <= 12 ? `${year}-${day}-${month}` : null;
}

function cardCheck({ declared, isSample, reading }: Evidence): Check {
  const check = "card_as_declared";
  if (isSample) return aboutSample(check);
  if (!declared.cardLastFour) return notChecked(check, "no card was declared");
  if (reading.cardLast4 === null) return notChecked(check, "the receipt doesn't show the number of a card");
  return reading.cardLast4 === declared.cardLastFour
    ? passed(check, 1, "the receipt was paid with the declared card")
    : failed(check, "the receipt was paid with another card than declared");
}

function arithmeticCheck(reading: ReceiptReading): Check {
  const check = "lines_add_up";
  const { totalMinor } = reading;
  if (totalMinor === null) return notChecked(check, "the receipt doesn't show a total");
  if (addsUp(reading, totalMinor)) return passed(check, 1, "the lines add up to the total");
  const off = Math.abs(sumOf(reading) - totalMinor) / Math.max(totalMinor, 1);
  return doubtful(check, rounded(Math.max(0, 0.6 - off)), "the lines that could be read don't add up to the total");
}

/** Whether the lines add up to the total. Prices include tax in Europe; in America it is added to them. */
export function addsUp(reading: ReceiptReading, totalMinor: number): boolean {
  const sum = sumOf(reading);
  return [sum, sum + (reading.taxMinor ?? 0)].some(
    (minor) => minor === totalMinor || minor + (reading.roundingMinor ?? 0) === totalMinor,
  );
}

function sumOf({ lines }: ReceiptReading): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function futureCheck({ reading, acceptedAt }: Evidence): Check {
  const check = "date_is_past";
  if (reading.date === null) return notChecked(check, "the receipt doesn't show a date");
  const isFuture = Date.parse(`${reading.date}T00:00:00Z`) > acceptedAt.getTime() + DAY_MS;
  return isFuture
    ? doubtful(check, 0.2, "the date of the receipt is in the future")
    : passed(check, 1, "the date of the receipt is not in the future");
}

function readabilityCheck({ accuracy }: ReceiptReading): Check {
  const check = "readable";
  return accuracy >= CHECK_THRESHOLDS.accuracyMin
    ? passed(check, rounded(accuracy), "the receipt could be read well")
    : doubtful(check, rounded(accuracy), "parts of the receipt could not be read");
}

/**
 * Rejects nothing: a tenth of the honest development scans were saved by such a program, and honest people paint over
 * private parts.
 */
function editingCheck({ isSample, traces }: Evidence): Check {
  const check = "picture_unedited";
  if (isSample) return drawnSample(check);
  if (traces === null) return notChecked(check, "the picture was accepted before such traces were looked for");
  const { editors } = traces;
  return editors.length === 0
    ? passed(check, 1, "the picture's file names no program for editing pictures")
    : doubtful(
        check,
        0.3,
        `the picture may have been edited: it was saved by a program for editing pictures (${editors.join(", ")})`,
      );
}

function photoCheck({ isSample, traces }: Evidence): Check {
  const check = "picture_is_photo";
  if (isSample) return drawnSample(check);
  if (traces === null) return notChecked(check, "the picture was accepted before such traces were looked for");
  return traces.evenShare <= CHECK_THRESHOLDS.evenShareMax
    ? passed(check, 1, "the picture has the light and shade of a photo")
    : doubtful(check, 0.5, "the picture is as even as a scan, a screenshot or a drawing");
}

/** A photographed screen shows its grid as a wave. Honest people photograph e-receipts too: it rejects nothing. */
function screenCheck({ isSample, traces }: Evidence): Check {
  const check = "picture_of_paper";
  if (isSample) return drawnSample(check);
  if (traces?.moirePeak === undefined) return notChecked(check, "the picture was not searched for a screen's grid");
  return traces.moirePeak <= CHECK_THRESHOLDS.moirePeakMax
    ? passed(check, 1, "the picture shows no grid of a screen")
    : doubtful(check, 0.4, "the picture shows a grid as photos of a screen do");
}

function aboutSample(name: CheckName): Check {
  return notChecked(name, "the image is a sample, so what was declared is not about it");
}

function drawnSample(name: CheckName): Check {
  return notChecked(name, "the image is a sample, drawn by the service");
}
