// What the application can do about a dispute. Pure.
import type { Correction, LineChange } from "../corrections/correction.ts";
import type { Dispute, NewDispute } from "../disputes/dispute.ts";
import type { DisputeKind } from "../../webhooks/event.ts";
import type { ShownReceipt } from "./shown.ts";

/** The correction that would do what the dispute asks for. */
export interface ProposedCorrection extends Change {
  reason: string;
  disputeIds: string[];
}

type Change = Pick<Correction, "merchantName" | "transactionTimestamp" | "totalAmount"> & { items?: LineChange[] };

/** Returns what the page shows of the thing that is disputed; null: nothing was read, or no such line. */
export function shownValue(shown: ShownReceipt, { kind, lineId }: Pick<NewDispute, "kind" | "lineId">): string | null {
  const line = shown.lines.find(({ id }) => id === lineId);
  const { merchantName, date, total } = shown;
  const values: Partial<Record<DisputeKind, string | number | null | undefined>> = {
    wrong_quantity: line?.quantity,
    wrong_price: line?.totalPrice,
    wrong_merchant: merchantName,
    wrong_date: date,
    wrong_total: total,
  };
  const value = kind in values ? values[kind] : line?.name;
  return value === null || value === undefined ? null : String(value);
}

/** Returns the correction that a dispute asks for; null: it does not say what is right, or its line is gone. */
export function proposedCorrection(dispute: Dispute, shown: ShownReceipt): ProposedCorrection | null {
  const change = proposedChange(dispute, shown);
  return change && { reason: "Reported by the user", ...change, disputeIds: [dispute.id] };
}

function proposedChange(dispute: Dispute, { lines, time }: ShownReceipt): Change | null {
  const { kind, lineId, expected, price } = dispute;
  const id = lineId ?? "";
  if (lineId !== null && !lines.some((line) => line.id === id)) return null;
  if (kind === "not_mine") return { items: [{ id, remove: true }] };
  if (kind === "not_food") return { items: [{ id, notFood: true }] };
  if (expected === null) return null;
  const changes: Record<typeof kind, Change | null> = {
    wrong_name: { items: [{ id, name: expected }] },
    wrong_quantity: { items: [{ id, quantity: Number(expected) }] },
    wrong_price: { items: [{ id, totalPrice: Number(expected) }] },
    missing_line: price === null ? null : { items: [{ name: expected, quantity: 1, totalPrice: price }] },
    wrong_merchant: { merchantName: expected },
    wrong_total: { totalAmount: Number(expected) },
    wrong_date: { transactionTimestamp: `${expected}T${time ?? "12:00:00"}.000Z` },
  };
  return changes[kind];
}
