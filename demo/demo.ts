import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "./receiver.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";
import { tell } from "./story.ts";
import { heading, paint, say } from "./terminal.ts";

const isBrief = process.argv.includes("--exit");

/** Ended by Ctrl-C, a supervisor, or a reader that went away. */
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.abort());
process.stdout.on("error", () => ended.abort());

const untilEnded = new Promise<void>((resolve) => {
  ended.signal.addEventListener("abort", () => resolve());
});

async function main(): Promise<number> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "rewards-demo-"));
  const receiver = await startReceiver();
  let service: Service | undefined;
  try {
    service = await startService(join(folder, "data"));
    const interrupted = untilEnded.then(() => Promise.reject(new Error("It was interrupted before the end.")));
    const told = tell({ service, receiver, folder, staysOpen: !isBrief });
    // A call that fails because the service ended says less than the service's end, which is noticed a little later.
    const explained = Promise.race([service.failed, told.catch(() => sleep(500))]).then(() => told);
    await Promise.race([explained, interrupted]);
    const tookSeconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    heading(paint("green", "✓ Everything happened."), `it took ${tookSeconds} s`);
    if (isBrief) return 0;
    say("The service goes on until Ctrl-C; then it ends and its folder is removed. New webhooks:");
    await Promise.race([untilEnded, service.failed]);
    return 0;
  } catch (error) {
    heading(paint("red", "✗ The demo did not come to its end."));
    say(error instanceof Error ? error.message : String(error));
    if (service?.output()) say(`The service said last:\n${service.output()}`);
    return 1;
  } finally {
    await service?.stop();
    receiver.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exit(await main());
