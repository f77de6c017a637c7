// A service whose database is filled once, and may stay in a folder for the next runs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { startProcess } from "../../test/support/processes.ts";
import { startSubject } from "../subject.ts";
import type { Customers, Subject } from "../subject.ts";
import { fill } from "./fill.ts";
import type { Grown, Growth } from "./fill.ts";

export interface Filled {
  readonly subject: Subject;
  readonly client: Client;
  /** Ends everything. A folder that stays is all that is left. */
  close(): Promise<void>;
}

interface Filling<Contents, Found> {
  /** A folder that stays, or that an earlier run left; without it everything goes with `close`. */
  readonly folder: string | undefined;
  /** Of the file in it that says what was filled, and whose it is. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isSandbox?: boolean;
  /** Not called if an earlier run did it. What it returns is kept as JSON. */
  fill(subject: Subject, client: Client): Promise<Contents>;
  /** Reads each time what measurements need. */
  find(subject: Subject, client: Client, contents: Contents): Promise<Found>;
}

/** Starts a service, fills its database unless it is filled, and returns what `find` returns. */
export async function startFilled<Contents extends object, Found extends object>(
  { folder, name, env, isSandbox = false, ...steps }: Filling<Contents, Found>,
  signal: AbortSignal,
): Promise<Filled & Found> {
  const kept = folder === undefined ? undefined : join(folder, name);
  const isKept = kept !== undefined && existsSync(kept);
  const earlier = isKept ? (JSON.parse(readFileSync(kept, "utf8")) as Customers & Contents) : undefined;
  const subject = await startSubject("start", { isDatabaseApart: true, isSandbox, env, keptDir: folder, earlier });
  const client = connectionTo(subject);
  const close = async (): Promise<void> => {
    await client.end().catch(() => {});
    await subject.close();
  };
  // At once: filling takes minutes. Without its server it fails.
  const end = (): void => void subject.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect();
    const contents = earlier ?? (await steps.fill(subject, client));
    if (kept !== undefined && earlier === undefined) {
      const { clientId, clientSecret, userIds } = subject;
      writeFileSync(kept, JSON.stringify({ clientId, clientSecret, userIds, ...contents }), { mode: 0o600 });
    }
    return { ...(await steps.find(subject, client, contents)), subject, client, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Fills the database while the service is down, by two connections; `more` adds to it. */
export async function fillWhileDown(
  subject: Subject,
  client: Client,
  growth: Omit<Growth, "userId">,
  more: () => Promise<void> = async () => {},
): Promise<Grown> {
  let grown: Grown | null = null;
  await subject.restart(async (settings) => {
    const second = connectionTo(subject);
    await second.connect();
    grown = await fill([client, second], { ...growth, userId: subject.userIds[0]! });
    await second.end();
    await more();
    return startProcess(settings);
  });
  return grown!;
}

function connectionTo(subject: Subject): Client {
  const client = new Client({ connectionString: subject.databaseUrl! });
  // It ends with its server when the bench is ended.
  client.on("error", () => {});
  return client;
}
