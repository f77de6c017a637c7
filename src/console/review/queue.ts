// The queue: what waits for a person, the oldest first.
import type { ConsoleApi } from "../api.ts";
import type { Entry } from "../receipts/types.ts";

/** Receipts of each kind that the queue shows. */
const QUEUE_SIZE = 20;

/** What waits; `hasMore`: the queue goes on behind it. */
export interface Queue {
  readonly waiting: readonly Entry[];
  readonly hasMore: boolean;
}

/** Reads the receipts that are held, and those that users have reported, the oldest first. */
export async function readQueue(api: ConsoleApi): Promise<Queue> {
  const page = (filter: string) =>
    api.get<{ receipts: Entry[]; next: string | null }>("/track/receipts", {
      [filter]: "true",
      order: "oldest",
      pageSize: String(QUEUE_SIZE),
    });
  const [held, disputed] = await Promise.all([page("held"), page("disputed")]);
  const byId = new Map([...held.receipts, ...disputed.receipts].map((entry) => [entry.receiptID, entry]));
  // Ids begin with the time of acceptance.
  const waiting = [...byId.values()].toSorted((a, b) => (a.receiptID < b.receiptID ? -1 : 1));
  return { waiting, hasMore: held.next !== null || disputed.next !== null };
}

/** Returns the receipts beside one in the queue; after the last one comes the first. */
export function neighboursOf(
  { waiting }: Queue,
  id: string,
): { readonly previous: string | null; readonly next: string | null } {
  const others = waiting.map(({ receiptID }) => receiptID).filter((each) => each !== id);
  return {
    previous: others.findLast((each) => each < id) ?? others.at(-1) ?? null,
    next: others.find((each) => each > id) ?? others[0] ?? null,
  };
}
