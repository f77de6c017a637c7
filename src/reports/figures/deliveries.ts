// Figures of the deliveries of webhooks, by endpoint: how many ended how, and how soon those succeeded that nobody had
// to ask for. Pure. A name is `webhook.ENDPOINT.END`, where an end is `first.200`, `later.10000`, `replayed`, `failed`.

import { SECOND_MS } from "../../time.ts";

/** By the first attempt, after retries, after somebody had it sent again, and not at all. */
export type DeliveryEnd = "first" | "later" | "replayed" | "failed";

/** The beginning of all names. */
export const DELIVERIES = "webhook.";
/** In place of an endpoint that was removed. */
export const NO_ENDPOINT = "00000000-0000-0000-0000-000000000000";

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const STEPS_SECONDS = [
  [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
  [1, 2, 5, 10, 30].map((n) => n * MINUTE),
  [1, 2, 5, 10].map((n) => n * HOUR),
  [1, 2, 4, 10, 31].map((n) => n * DAY),
];
/**
 * Times are counted by these steps, since a day of figures must stay small. The last one has all that is longer: events
 * are stored for about as long.
 */
export const STEPS_MS: readonly number[] = STEPS_SECONDS.flat().map((seconds) => seconds * SECOND_MS);

/** The figure of a delivery that succeeded on its own, this time after its event. */
export function endWithin(end: "first" | "later", tookMs: number): string {
  const step = STEPS_MS.find((ms) => tookMs <= ms) ?? STEPS_MS.at(-1)!;
  return `${end}.${step}`;
}

/** The beginning of the names of one endpoint. */
export function deliveriesOf(endpointId: string): string {
  return `${DELIVERIES}${endpointId}.`;
}

const NAME = /^webhook\.(first|later|replayed|failed)(?:\.(\d+))?$/;

/** The figures of all endpoints together, or of one, in a period. */
export interface DeliverySums {
  readonly ends: Readonly<Record<DeliveryEnd, number>>;
  /** How many succeeded on their own within each step. */
  readonly byStep: ReadonlyMap<number, number>;
}

/** Adds up figures whose names have no endpoint any more. */
export function sumDeliveries(figures: readonly { readonly figure: string; readonly amount: number }[]): DeliverySums {
  const ends = { first: 0, later: 0, replayed: 0, failed: 0 };
  const byStep = new Map<number, number>();
  for (const { figure, amount } of figures) {
    const [, end, step] = NAME.exec(figure) ?? [];
    if (end === undefined) continue;
    ends[end as DeliveryEnd] += amount;
    if (step !== undefined) byStep.set(Number(step), (byStep.get(Number(step)) ?? 0) + amount);
  }
  return { ends, byStep };
}

/** The step within which this share of the deliveries succeeded; null without any. */
export function stepWithin(byStep: ReadonlyMap<number, number>, share: number): number | null {
  const steps = [...byStep].toSorted(([a], [b]) => a - b);
  const wanted = share * steps.reduce((all, [, count]) => all + count, 0);
  let counted = 0;
  for (const [step, count] of steps) {
    counted += count;
    if (count > 0 && counted >= wanted) return step;
  }
  return null;
}
