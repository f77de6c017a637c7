// A receipt as a person sees it: its lines as they are now, after all corrections. Pure.
import { fromMinor } from "../../points/money.ts";
import { firstId } from "../../points/rescore/rescore.ts";
import type { ExclusionReason, ScoredLine } from "../../points/scored-line.ts";
import { readingNow } from "../corrections/corrected-reading.ts";
import type { StoredCorrection } from "../corrections/store.ts";
import { ASSUMED_CURRENCY, lineId } from "../enrichment.ts";
import type { Findings } from "../findings.ts";

/** A line of the receipt. Money is in major units. */
export interface ShownLine {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly totalPrice: number;
  /** Null: it earned nothing. */
  readonly points: number | null;
}

export interface ShownReceipt {
  readonly merchantName: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string | null;
  /** `HH:MM:SS`. */
  readonly time: string | null;
  readonly total: number | null;
  readonly currency: string | null;
  readonly lines: readonly ShownLine[];
}

/** Lines that are no items: nobody has bought them. */
const NO_ITEMS: readonly (ExclusionReason | null)[] = ["DISCOUNT", "DEPOSIT", "REFUND", "VOID"];

/** Returns a receipt as it is now, by what was found and corrected. */
export function shownReceipt(
  receiptId: string,
  findings: Findings,
  corrections: readonly StoredCorrection[],
): ShownReceipt {
  const read = findings.Extracted?.data.reading;
  const corrected = corrections.findLast(({ after }) => after !== null)?.after;
  const enriched = findings.Enriched?.data;
  const scored = findings.Scored?.data.body;
  const body = corrected?.record.body ?? scored;
  const reading = read && scored && body ? readingNow(read, scored, body) : read;
  const currency = body?.currency ?? enriched?.currency ?? reading?.currency ?? null;
  const totalMinor = body?.totalAmountMinor ?? reading?.totalMinor ?? null;
  const major = (minor: number) => fromMinor(minor, currency ?? ASSUMED_CURRENCY);
  const pointsById = new Map(
    body?.items.map(({ id, healthPoints, carbonPoints, bonusPoints }) => [
      // Lines keep their ids when an award is scored again; its items get those of their versions.
      firstId(id),
      healthPoints + carbonPoints + bonusPoints,
    ]),
  );
  const lines = corrected?.lines ?? enriched?.lines;
  return {
    merchantName: corrected?.record.body.brand || enriched?.businessName || reading?.merchantName || null,
    date: reading?.date ?? null,
    time: reading?.time ?? null,
    total: totalMinor === null ? null : major(totalMinor),
    currency,
    lines: lines
      ? lines.filter(isItem).map(({ id, name, cleanedName, quantity, amountMinor }) => ({
          id,
          name: cleanedName || name,
          quantity,
          totalPrice: major(amountMinor),
          points: pointsById.get(id) ?? null,
        }))
      : (reading?.lines ?? []).flatMap(({ kind, cleanedName, description, quantity, amountMinor }, i) =>
          kind === "item"
            ? {
                id: lineId(receiptId, i),
                name: cleanedName || description,
                quantity,
                totalPrice: major(amountMinor),
                points: null,
              }
            : [],
        ),
  };
}

function isItem({ exclusionReason }: ScoredLine): boolean {
  return !NO_ITEMS.includes(exclusionReason);
}
