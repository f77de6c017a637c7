import type { Tx } from "../../postgres/postgres.ts";
import { lockBalances } from "../ledger.store.ts";
import type { Moved, MoveDeps } from "../moved-event.ts";
import { moveOnce } from "../move.store.ts";
import { adjusting } from "./adjustment.ts";
import type { Adjustment } from "./adjustment.ts";

/**
 * Books an adjustment and publishes `points.adjusted`, in the tx. Nothing is booked when the reference is used, or when
 * the points are not there: then the result has the balance.
 */
export async function adjust(
  tx: Tx,
  owner: { readonly applicationId: string; readonly userId: string },
  adjustment: Adjustment,
  deps: MoveDeps,
): Promise<{ moved: Moved } | "reference used" | { availablePoints: number }> {
  const at = deps.now();
  const locked = await lockBalances(tx, [owner.userId], []);
  const available = locked.balances.get(owner.userId)?.availablePoints ?? 0;
  if (adjustment.points < 0 && available + adjustment.points < 0) return { availablePoints: available };
  const entry = adjusting(owner, adjustment, deps.newId(), at);
  const { reference } = adjustment;
  const moved = await moveOnce(tx, locked, entry, { kind: "adjustment", reference }, deps);
  return moved ? { moved } : "reference used";
}
