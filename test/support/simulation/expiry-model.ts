// When points expire, written again from docs/ledger.md, record by record. Without any code of the service.
import type { LateRow, LedgerRow } from "./ledger-rows.ts";

const DAY_MS = 86_400_000;

export interface ModelRule {
  readonly months: number;
  readonly from: "earning" | "activity";
  readonly noticeDays: number;
  readonly setAt: Date;
}

/** A record with what reverses, corrects or refunds it. */
interface Group {
  readonly earnedAt: Date;
  points: number;
}

/** The points that expire at each time, of a user with these records in order, and late announcements. */
export function expiriesByModel(
  rows: readonly LedgerRow[],
  rule: ModelRule,
  late: readonly LateRow[],
): Map<number, number> {
  const groups = new Map<string, Group>();
  let [available, activeMs, heldMs] = [0, -Infinity, rule.setAt.getTime()];
  for (const { id, relatedId, points, operation, createdAt } of rows) {
    available += points;
    const group = groups.get(relatedId ?? id) ?? { earnedAt: createdAt, points: 0 };
    groups.set(relatedId ?? id, group);
    group.points += points;
    const ms = createdAt.getTime();
    if (operation === 1 || operation === 2 || (operation === 3 && relatedId === null && points > 0)) activeMs = ms;
    // Points that were gone for the time of a notice, and came back.
    const isLate = ms >= group.earnedAt.getTime() + rule.noticeDays * DAY_MS;
    if (relatedId !== null && points > 0 && isLate) heldMs = Math.max(heldMs, ms);
  }
  for (const { lateAt } of late) heldMs = Math.max(heldMs, lateAt.getTime());
  const heldUntil = Math.ceil((heldMs + rule.noticeDays * DAY_MS) / DAY_MS) * DAY_MS;
  const expiresAt = (ms: number) => Math.max(endOfMonths(ms, rule.months), heldUntil);
  const expiries = new Map<number, number>();
  if (available <= 0) return expiries;
  if (rule.from === "activity") {
    return activeMs === -Infinity ? expiries : expiries.set(expiresAt(activeMs), available);
  }
  // First in, first out: one point after the other.
  let spent = [...groups.values()].reduce((sum, { points }) => sum + Math.max(0, -points), 0);
  for (const { earnedAt, points } of groups.values()) {
    for (let i = 0; i < points; i++) {
      if (spent-- > 0) continue;
      const at = expiresAt(earnedAt.getTime());
      expiries.set(at, (expiries.get(at) ?? 0) + 1);
    }
  }
  return expiries;
}

/** The end of the day, some months later, with the number of the day, or of the last day of its month. */
function endOfMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  let end = first;
  for (let day = 1; day <= from.getUTCDate(); day++) {
    const next = end + DAY_MS;
    if (new Date(end).getUTCMonth() !== new Date(first).getUTCMonth()) break;
    end = next;
  }
  return end;
}
