import type { Progress } from "./progress.ts";
import type { Subject } from "./subject.ts";

const CONNECTIONS = 128;
const AT_ONCE = 5_000;
/**
 * V8 compiles what runs often, function by function. Of the time that this took it in the first 100,000 foods after
 * a start, 83 % (`npm start`) and 85 % (`npm run serve`) was over after 30,000, and 96 and 97 % after 50,000
 * (--trace-opt, 2026-11-23; docs/performance.md).
 */
export const FOODS_UNTIL_COMPILED = 50_000;

interface Warming {
  readonly progress: Progress;
  /** FOODS_UNTIL_COMPILED without it. */
  readonly foods?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Sends a service foods until its code is compiled. The ceiling has little code: a second is enough for it. */
export async function warmUp(
  subject: Subject,
  // What the foods cause is waited for by `settled`. A process that only serves leaves that to others.
  { settled, ...warming }: Warming & { readonly settled?: (() => Promise<unknown>) | undefined },
): Promise<void> {
  const send = async (foods: number): Promise<void> => {
    await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: foods });
    await settled?.();
  };
  await warmUpBy(send, warming);
}

/** The same, by a function that sends that many foods, and waits for what they cause. */
export async function warmUpBy(
  send: (foods: number) => Promise<unknown>,
  { progress, foods = FOODS_UNTIL_COMPILED, signal }: Warming,
): Promise<void> {
  for (let sent = 0; sent < foods; sent += AT_ONCE) {
    signal?.throwIfAborted();
    progress(`warming up: ${sent} of ${foods} foods`);
    await send(Math.min(AT_ONCE, foods - sent));
  }
}
