import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "./receiver.ts";
import { startService } from "./service.ts";
import type { Service } from "./service.ts";
import { playMonth, startClock } from "./month.ts";
import { playStory } from "./story.ts";
import { heading, paint, say } from "./terminal.ts";

const isBrief = process.argv.includes("--exit");
/** A month of a programme, to be seen in the console, in place of the story of one person. */
const isConsole = process.argv.includes("--console");
/** Five days pass in some seconds: an endpoint would be switched off before it gets its second attempt. */
const CONSOLE_SETTINGS = { CONSOLE: "true", WEBHOOK_DISABLE_AFTER_DAYS: "30" };

/** Aborted by Ctrl-C, a supervisor, or a closed output. */
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
    const clockFile = join(folder, "clock");
    const data = join(folder, "data");
    if (isConsole) await startClock(clockFile);
    service = await (isConsole ? startService(data, { settings: CONSOLE_SETTINGS, clockFile }) : startService(data));
    const interrupted = untilEnded.then(() => Promise.reject(new Error("It was interrupted before the end.")));
    const story = isConsole
      ? playMonth({ service, receiver, clockFile })
      : playStory({ service, receiver, folder, staysOpen: !isBrief });
    // When the service ends, a call fails first: wait for the end of the service, which explains more.
    const explained = Promise.race([service.failed, story.catch(() => sleep(500))]).then(() => story);
    await Promise.race([explained, interrupted]);
    const tookSeconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    heading(paint("green", "✓ Everything worked."), `it took ${tookSeconds} s`);
    if (isBrief) return 0;
    say(`The service runs until Ctrl-C; then it stops and its folder is removed.${isConsole ? "" : " New webhooks:"}`);
    await Promise.race([untilEnded, service.failed]);
    return 0;
  } catch (error) {
    heading(paint("red", "✗ The demo failed."));
    say(error instanceof Error ? error.message : String(error));
    if (service?.output()) say(`The last output of the service:\n${service.output()}`);
    return 1;
  } finally {
    await service?.stop();
    receiver.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exit(await main());
