import { canReadCpu } from "./cpu.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import type { Progress } from "./progress.ts";
import { cpuBetween } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { warmUp } from "./warm-up.ts";

const INTAKES = 5_000;
const CONNECTIONS = 128;

/** Measures the processor time of an intake from its request to the delivery of its last webhook, for each process. */
export async function measureIntakes(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  await warmUp(subject, { progress, settled: subject.settled });
  progress(`intakes: ${INTAKES} foods to their last webhook`);
  const [before, { deliveries: deliveriesBefore }] = [subject.cpu(), await subject.settled()];
  const startedMs = performance.now();
  const { accepted } = await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: INTAKES });
  const { deliveries } = await subject.settled();
  const durationMs = performance.now() - startedMs;
  const spent = cpuBetween(before, subject.cpu());
  const each = (totalMs: number): number | null => (canReadCpu ? (totalMs / accepted) * 1_000 : null);
  return [
    {
      name: "processor time an intake, Node",
      value: each(spent.nodeMs),
      unit: "µs",
      note: `${accepted} foods, ${(deliveries - deliveriesBefore).toLocaleString("en")} webhooks delivered`,
    },
    { name: "processor time an intake, PostgreSQL", value: each(spent.postgresMs), unit: "µs" },
    {
      name: "intakes from request to last webhook",
      value: (accepted / durationMs) * 1_000,
      unit: "/s",
      note: "all of them, on all cores, the generator and the receiver beside them",
    },
  ];
}

const FOODS = 50;

/** Measures the duration of a single food: from the request to its last event. */
export async function measureIdle(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  const waits: number[] = [];
  const responses: number[] = [];
  progress(`idle: ${FOODS} foods, one after the other`);
  for (let i = 0; i < FOODS; i++) {
    const sentMs = performance.timeOrigin + performance.now();
    const id = await subject.track(`idle-${i}`);
    responses.push(performance.timeOrigin + performance.now() - sentMs);
    waits.push((await subject.endOf(id)).atMs - sentMs);
    await subject.settled();
  }
  return [
    {
      name: "a lone food, request to intake.completed",
      value: median(waits),
      unit: "ms",
      aim: { below: 20 },
      note: `median of ${FOODS}; slowest ${Math.max(...waits).toFixed(0)} ms; its 202 after ${median(responses).toFixed(1)} ms`,
    },
  ];
}
