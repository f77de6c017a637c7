// A receipt with the merchant, time and total that a person corrected. Pure.
import { parseInstant } from "../../http/formats.ts";
import { toMinor } from "../../points/money.ts";
import { composeRecord } from "../../points/record.ts";
import type { RecordBody } from "../../points/record.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import { ASSUMED_CURRENCY, merchantsOf } from "../enrichment.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { correctionState } from "./corrected-record.ts";
import type { Correction } from "./correction.ts";

/** The reading with the corrected merchant, time and total. The till's clock is taken as UTC. */
export function correctedReading(reading: ReceiptReading, correction: Correction): ReceiptReading {
  const { merchantName, totalAmount } = correction;
  const at = timestampOf(correction);
  return {
    ...reading,
    ...(merchantName !== undefined && { merchantName, businessName: merchantName }),
    ...(at !== null && dayAndTime(at)),
    ...(totalAmount !== undefined && { totalMinor: toMinor(totalAmount, reading.currency ?? ASSUMED_CURRENCY) }),
  };
}

/** The reading with the time and total of its record `now`, where corrections have changed those of its `first` one. */
export function readingNow(reading: ReceiptReading, first: RecordBody, now: RecordBody): ReceiptReading {
  const { timestamp, totalAmountMinor } = now;
  return {
    ...reading,
    ...(timestamp !== first.timestamp && dayAndTime(timestamp)),
    ...(totalAmountMinor !== first.totalAmountMinor && { totalMinor: totalAmountMinor }),
  };
}

/** The head of its record with the corrected merchant, time and total. */
export function correctedHead(before: RecordBody, correction: Correction): RecordBody {
  const { merchantName, totalAmount } = correction;
  const timestamp = timestampOf(correction);
  return {
    ...before,
    ...(merchantName !== undefined && { brand: merchantName }),
    ...(timestamp !== null && { timestamp }),
    ...(totalAmount !== undefined && { totalAmountMinor: toMinor(totalAmount, before.currency) }),
  };
}

function dayAndTime(timestamp: string) {
  return { date: timestamp.slice(0, 10), time: timestamp.slice(11, 19) };
}

/** The corrected time in UTC with milliseconds; null: it is not corrected. */
export function timestampOf({ transactionTimestamp }: Correction): string | null {
  return transactionTimestamp === undefined ? null : new Date(parseInstant(transactionTimestamp)!).toISOString();
}

/** The names of the merchant: the corrected one first, then those that were read. */
export function namesOfMerchant({ merchantName }: Correction, reading: ReceiptReading | undefined): string[] {
  const read = reading ? merchantsOf(reading, null) : [];
  return merchantName === undefined ? read : [merchantName, ...read];
}

/** A receipt that has earned nothing, as it was read. */
export function stateAsRead(reading: ReceiptReading, currency: string, lines: readonly ScoredLine[]) {
  const { merchantName, businessName, date, time, totalMinor } = reading;
  const head = {
    reference: "",
    brand: businessName ?? merchantName ?? "",
    logo: "",
    location: "",
    partnerType: 0,
    timestamp: date === null ? "" : `${date}T${time ?? "00:00:00"}.000Z`,
    currency,
    totalAmountMinor: totalMinor ?? 0,
  } as const;
  const { body } = composeRecord("receipt", head, lines);
  const state = correctionState(body);
  return { ...state, totalPoints: 0, items: state.items.map((item) => ({ ...item, totalServicePoints: 0 })) };
}
