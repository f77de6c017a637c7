import { MOVES } from "./audit-moves.ts";
import type { Customer } from "./customer.ts";
import type { Inbox, Seen } from "./inbox.ts";

/** The order in which the events of a submission must first arrive. */
const STORIES: Readonly<Record<"intake" | "receipt", readonly string[]>> = {
  intake: ["intake.received", "intake.scored", "intake.completed", "intake.failed"],
  receipt: ["receipt_uploaded", "receipt_extracted", "receipt_validated", "receipt_completed", "receipt_failed"],
};
/** The last event of a submission. */
export const ENDS = /^(intake\.|receipt_)(completed|failed)$/;

/** Promises about the events of submissions and of their awards that were broken at an inbox. */
export async function storyFaults(
  inbox: Pick<Inbox, "url" | "seen">,
  recordPoints: ReadonlyMap<string, number>,
  customer: Pick<Customer, "accepted" | "get">,
): Promise<string[]> {
  const faults: string[] = [];
  const stories = new Map<string, Seen[]>();
  const awarded = new Map<string, number | null>();
  for (const event of inbox.seen.values()) {
    const { type, subject, points } = event;
    if (MOVES.test(type)) continue;
    if (type !== "rewards.awarded") stories.set(subject, [...(stories.get(subject) ?? []), event]);
    else if (awarded.has(subject)) faults.push(`the award of ${subject} has two ids`);
    else awarded.set(subject, points);
  }
  for (const [subject, events] of stories) {
    const types = events.map(({ type }) => type);
    const order = STORIES[types[0]!.startsWith("intake") ? "intake" : "receipt"];
    const ends = types.filter((type) => ENDS.test(type)).length;
    const isWhole = types.includes(order[0]!) && ends === 1 && new Set(types).size === types.length;
    const isKept =
      isWhole && types.every((type) => order.includes(type)) && (await isInOrder(events, order, inbox, customer));
    if (!isKept) faults.push(`${subject} arrived as ${types.join(", ")}`);
  }
  for (const { id, key } of customer.accepted) if (!stories.has(id)) faults.push(`no event of ${key} arrived`);
  for (const [id, points] of recordPoints) {
    if (awarded.get(id) !== points) faults.push(`the award ${id} of ${points} arrived with ${awarded.get(id)}`);
  }
  if (awarded.size !== recordPoints.size) faults.push(`${awarded.size} of ${recordPoints.size} awards arrived`);
  return faults;
}

/**
 * Whether events arrived in the order that is promised: that of their first attempts. A first attempt that never
 * arrived is known only to the service, so its log is read where a later event came first.
 */
async function isInOrder(
  events: readonly Seen[],
  order: readonly string[],
  { url }: Pick<Inbox, "url">,
  customer: Pick<Customer, "get">,
): Promise<boolean> {
  const overtakings = events.flatMap((overtaker, i) =>
    events
      .slice(i + 1)
      .filter(({ type }) => order.indexOf(type) < order.indexOf(overtaker.type))
      .map((overtaken) => ({ overtaker, overtaken })),
  );
  if (overtakings.length === 0) return true;
  const first = await firstAttempts(events[0]!.subject, url, customer);
  return overtakings.every(({ overtaker, overtaken }) => {
    const failed = first.get(overtaken.webhookId);
    const other = first.get(overtaker.webhookId);
    return failed !== undefined && other !== undefined && !isSuccess(failed) && failed.at <= other.at;
  });
}

interface Attempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly status: number | null;
}

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The first attempt of each event of a subject at an endpoint, by webhook id, from the log of deliveries. */
async function firstAttempts(
  subject: string,
  url: string,
  customer: Pick<Customer, "get">,
): Promise<ReadonlyMap<string, Attempt>> {
  const { endpoints } = (await customer.get("/webhooks/endpoints")).body as {
    endpoints: { id: string; url: string }[];
  };
  const endpoint = endpoints.find((each) => new URL(each.url).href === new URL(url).href);
  if (!endpoint) return new Map();
  const first = new Map<string, Attempt>();
  const path = `/webhooks/deliveries?subjectId=${subject}&endpointId=${endpoint.id}&pageSize=100`;
  // A page of a large log may be short and still have a next one.
  for (let before: string | null = ""; before !== null;) {
    const { body } = await customer.get(before === "" ? path : `${path}&before=${before}`);
    const page = body as { deliveries: { eventId: string; attempts: Attempt[] }[]; next: string | null };
    for (const { eventId, attempts } of page.deliveries) if (attempts[0]) first.set(eventId, attempts[0]);
    before = page.next;
  }
  return first;
}
