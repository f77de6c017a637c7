import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The secrets of a new application, which the CLI prints once. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
}

const ROOT = join(import.meta.dirname, "..");
const PREFERRED_PORT = 8080;
const READY_MS_MAX = 60_000;
/** The service stops within 15 seconds. */
const STOP_MS_MAX = 20_000;
const OUTPUT_CHARACTERS_MAX = 4_000;

/** The service in its own process, started as anybody starts it. */
export interface Service {
  readonly url: string;
  /** The end of its output, to find the reason of a failure. */
  output(): string;
  /** Rejects when the process ends, which it must not do by itself. */
  readonly failed: Promise<never>;
  /** Waits until it can serve. */
  ready(): Promise<void>;
  /** Runs a command of the operator's CLI. Returns the JSON it prints. */
  cli<Output>(args: readonly string[]): Promise<Output>;
  stop(): Promise<void>;
}

/** How to start it other than the first demo does. */
export interface ServiceOptions {
  /** Settings beside those of the demo. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A file with what its clock differs from the machine's, in milliseconds; see clock.ts. */
  readonly clockFile?: string;
}

/** Starts the service and its PostgreSQL on a folder, at port 8080 if that is free. */
export async function startService(
  dataDir: string,
  { settings = {}, clockFile }: ServiceOptions = {},
): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Nothing else of the caller's environment: the demo must not write into a database of its DATABASE_URL.
  const { PATH, HOME, TMPDIR } = process.env;
  const env = {
    PATH,
    HOME,
    TMPDIR,
    DATA_DIR: dataDir,
    PORT: String(port),
    WEBHOOK_ALLOW_NETS: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    ...settings,
    ...(clockFile !== undefined && { DEMO_CLOCK: clockFile }),
  };
  const clock = clockFile === undefined ? [] : ["--import", join(ROOT, "demo/clock.ts")];
  const child = spawn(process.execPath, [...clock, join(ROOT, "src/main.ts"), "start"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  const failed = new Promise<never>((_, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => fail(new Error(`The service ended (${signal ?? `exit code ${code}`}).`)));
  });
  // At the end of the demo nobody waits for it, and the rejection must not be reported as unhandled.
  failed.catch(() => {});
  return {
    url,
    output: () => output.trim(),
    failed,
    ready: async () => {
      for (const deadline = Date.now() + READY_MS_MAX; Date.now() < deadline; await sleep(50)) {
        const response = await fetch(`${url}/health/ready`).catch(() => null);
        await response?.body?.cancel();
        if (response?.ok) return;
      }
      throw new Error(`The service was not ready within ${READY_MS_MAX / 1000} s.`);
    },
    cli: async <Output>(args: readonly string[]) => {
      const command = [...clock, join(ROOT, "src/cli.ts"), ...args, "--json"];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      return JSON.parse(stdout) as Output;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  return (await probe(PREFERRED_PORT)) ?? (await probe(0)) ?? PREFERRED_PORT;
}

/** Returns the port if it is free, else null; 0 takes any free port. */
async function probe(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const { port: found } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    return found;
  } catch {
    return null;
  }
}
