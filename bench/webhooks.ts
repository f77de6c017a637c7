import { setTimeout as sleep } from "node:timers/promises";
import { callerOf } from "./call.ts";
import type { Figure } from "./figures.ts";
import { median, quantile } from "./figures.ts";
import { startProgram } from "./program.ts";
import type { Progress } from "./progress.ts";
import { food } from "./submissions.ts";
import type { Subject } from "./subject.ts";
import type { EndpointsReply, EndpointsRequest, Manner } from "./webhooks-receiver.ts";

/** The deliveries to the last four are timed, in both applications. */
const MANNERS: Readonly<Record<string, readonly Manner[]>> = {
  "all-well": Array.from({ length: 10 }, () => "well"),
  "six-ill": ["hangs", "hangs", "hangs", "fails", "fails", "redirects", "well", "well", "well", "well"],
};
const TIMED = 4;
const FOODS = 60;
/** Ten endpoints get four events of each: 400 deliveries a second. */
const PAUSE_MS = 100;
const ARRIVE_MS_MAX = 120_000;

/**
 * Measures the time of events to healthy endpoints, with and without six failing ones beside them: two applications
 * with ten endpoints each, in alternating rounds.
 */
export async function measureWebhooks(
  subject: Subject,
  { rounds, progress }: { rounds: number; progress: Progress },
): Promise<Figure[]> {
  const receiver = startProgram<EndpointsRequest, EndpointsReply>("webhooks-receiver.ts");
  try {
    const { url } = await receiver.ask({ of: "" });
    const applications = await Promise.all(
      Object.entries(MANNERS).map(async ([name, manners]) => {
        const call = callerOf(subject.url, await subject.newApplication(name));
        for (const [i, manner] of manners.entries()) {
          const counted = i >= manners.length - TIMED ? "/timed" : "";
          await call("POST", "/webhooks/endpoints", { url: `${url}/${name}/${i}/${manner}${counted}` });
        }
        const person = { email: `${name}@example.org`, firstName: "Ada", lastName: "Lovelace" };
        const { user } = await call<{ user: { userID: string } }>("POST", "/users/enroll", person);
        return { name, call, userId: user.userID, latenciesMs: [] as number[], foods: 0 };
      }),
    );
    // The first round of each warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const application of applications) {
        const { name, call, userId } = application;
        progress(`webhooks: ${name}, ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`);
        const { latenciesMs: before } = await receiver.ask({ of: name });
        for (let i = 0; i < FOODS; i++) {
          await Promise.all([
            call("POST", "/track/food", food(userId, `${name}-${application.foods}`, application.foods)),
            sleep(PAUSE_MS),
          ]);
          application.foods += 1;
        }
        const { latenciesMs } = await arrived(receiver.ask, name, application.foods * TIMED);
        if (round > 0) application.latenciesMs.push(...latenciesMs.slice(before.length));
      }
    }
    const [well, ill] = applications.map(({ latenciesMs }) => latenciesMs);
    const notes = (latenciesMs: readonly number[]): string =>
      `p99 ${quantile(latenciesMs, 0.99).toFixed(0)} ms of ${latenciesMs.length} deliveries`;
    return [
      { name: "event to a healthy endpoint, all 10 well", value: median(well!), unit: "ms", note: notes(well!) },
      {
        name: "the same, 3 of 10 hang, 2 fail, 1 redirects",
        value: median(ill!),
        unit: "ms",
        aim: { below: Number((2 * median(well!)).toPrecision(3)) },
        note: notes(ill!),
      },
    ];
  } finally {
    await receiver.stop();
  }
}

/** Waits until `completed` submissions have arrived at the timed endpoints of an application, and their last events. */
async function arrived(
  ask: (request: EndpointsRequest) => Promise<EndpointsReply>,
  of: string,
  completed: number,
): Promise<EndpointsReply> {
  for (const deadline = Date.now() + ARRIVE_MS_MAX; ; await sleep(200)) {
    const reply = await ask({ of });
    if (reply.completed >= completed) {
      await sleep(500);
      return ask({ of });
    }
    if (Date.now() > deadline) throw new Error(`${reply.completed} of ${completed} endings came to ${of}`);
  }
}
