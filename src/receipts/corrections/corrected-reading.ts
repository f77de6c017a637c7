// A receipt with the merchant, time and total that a person corrected. Pure.
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
  const { merchantName, transactionTimestamp, totalAmount } = correction;
  const at = transactionTimestamp === undefined ? null : new Date(transactionTimestamp).toISOString();
  return {
    ...reading,
    ...(merchantName !== undefined && { merchantName, businessName: merchantName }),
    ...(at !== null && { date: at.slice(0, 10), time: at.slice(11, 19) }),
    ...(totalAmount !== undefined && { totalMinor: toMinor(totalAmount, reading.currency ?? ASSUMED_CURRENCY) }),
  };
}

/** The head of its record with the corrected merchant, time and total. */
export function correctedHead(before: RecordBody, correction: Correction): RecordBody {
  const { merchantName, transactionTimestamp, totalAmount } = correction;
  return {
    ...before,
    ...(merchantName !== undefined && { brand: merchantName }),
    ...(transactionTimestamp !== undefined && { timestamp: new Date(transactionTimestamp).toISOString() }),
    ...(totalAmount !== undefined && { totalAmountMinor: toMinor(totalAmount, before.currency) }),
  };
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
