import { installationKey } from "../installation.store.ts";
import { EVENT_TYPES, TEST_EVENT } from "../webhooks/event.ts";
import type { StoredEvent } from "../webhooks/feed.store.ts";
import { signatureHeaders, signingSecret } from "../webhooks/sign.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { UsageError, command, optional } from "./command.ts";
import type { Command } from "./command.ts";
import { newEvents } from "./feed.ts";

/** The result of forwarding an event: the status of the response, or the reason for none. */
interface Forwarded {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export const LISTEN_COMMANDS: readonly Command[] = [
  command({
    name: "listen",
    summary: "show the events of an application as they happen, and forward them, until Ctrl-C",
    details: `Reads the events from the service's database, so it needs the service's settings and no endpoint. It signs what it
forwards with its own secret, which it prints at the start and which stays the same. It forwards each event once, in
order, also to addresses in private networks. The application's endpoints get their events as always.`,
    options: {
      clientId: CLIENT_ID,
      forwardTo: optional("URL", "address that each event is posted to, as a webhook"),
      events: optional("NAMES", "only these events, comma-separated"),
      count: optional("N", "end after this number of events"),
    },
    examples: [
      "listen --client-id app_… --forward-to http://127.0.0.1:4000/hooks",
      "listen --client-id app_… --events intake.completed,receipt_completed --json",
    ],
    run: async ({ database, config, options: { clientId, forwardTo = null, events, count }, print, stopped }) => {
      const wanted = events === undefined ? null : eventNames(events);
      const url = forwardTo === null ? null : addressOf(forwardTo);
      let left = count === undefined ? Number.POSITIVE_INFINITY : countOf(count);
      const application = await applicationOf(database, clientId);
      // Derived from the application's id, so it differs from the secret of every endpoint.
      const secret = signingSecret(await installationKey(database), application.id, 1);
      print({ listening: clientId, forwardTo: url, webhookSecret: secret }, [
        `Listening to ${application.name}; deliveries are signed with`,
        secret,
      ]);
      for await (const event of newEvents(database, application.id, stopped)) {
        if (wanted && !wanted.has(event.type)) continue;
        const forwarded = url && (await forward(url, event, secret, config.webhookTimeoutMs));
        const { id, type, createdAt, body } = event;
        print({ id, type, createdAt, event: JSON.parse(body), forwarded }, [
          `${createdAt.toISOString()}  ${type}  ${id}${forwarded ? `  -> ${inWords(forwarded)}` : ""}`,
          ...(forwarded ? [] : JSON.stringify(JSON.parse(body), null, 2).split("\n")),
        ]);
        left -= 1;
        if (left === 0) return;
      }
    },
  }),
];

async function forward(url: string, { id, body }: StoredEvent, secret: string, timeoutMs: number): Promise<Forwarded> {
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = { "content-type": "application/json", ...signatureHeaders({ id, timestampSeconds, body }, [secret]) };
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return { status: response.status, error: null, durationMs: tookMs() };
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = (cause as { code?: string } | undefined)?.code ?? message;
    return { status: null, error: reason, durationMs: tookMs() };
  }
}

function inWords({ status, error, durationMs }: Forwarded): string {
  return `${status ?? error} in ${durationMs} ms`;
}

function eventNames(list: string): ReadonlySet<string> {
  const names = list.split(",").map((name) => name.trim());
  const known: readonly string[] = [...EVENT_TYPES, TEST_EVENT];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`there are no events ${unknown.join(", ")}; there are: ${known.join(", ")}`);
  return new Set(names);
}

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError("--forward-to must be an http or https address");
  }
  return text;
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--count must be a whole number from 1");
  return Number(text);
}
