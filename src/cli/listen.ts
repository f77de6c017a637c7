import { createRewards } from "rewards-service-sdk";
import { installationKey } from "../installation.store.ts";
import { EVENT_TYPES, SEQUENCE_HEADER, TEST_EVENT } from "../webhooks/event.ts";
import type { StoredEvent } from "../webhooks/feed/store.ts";
import { signatureHeaders, signingSecret } from "../webhooks/sign.ts";
import { applicationOf } from "./client-id.ts";
import { UsageError, command, optional } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { newEvents } from "./database-feed.ts";
import { polledEvents } from "./api-feed.ts";

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
    details: `With --client-id it reads the events from the service's database, as an operator. Without it, it calls the service as
the application, with REWARDS_CLIENT_ID and REWARDS_CLIENT_SECRET of the environment, at REWARDS_URL
(http://127.0.0.1:8080 by default), and needs no database. It signs what it forwards with its own secret, which it
prints at the start and which stays the same. It forwards each event once, in order, also to addresses in private
networks. The application's endpoints get their events as always.`,
    options: {
      clientId: optional("ID", "the application, by its client id: reads its events from the database"),
      url: optional("URL", "address of the service, in place of REWARDS_URL"),
      forwardTo: optional("URL", "address that each event is posted to, as a webhook"),
      events: optional("NAMES", "only these events, comma-separated"),
      count: optional("N", "end after this number of events"),
    },
    examples: [
      "listen --forward-to http://127.0.0.1:4000/hooks",
      "listen --url https://rewards.example.com --events intake.completed,receipt_completed --json",
      "listen --client-id app_… --forward-to http://127.0.0.1:4000/hooks",
    ],
    isRemote: ({ clientId }) => clientId === undefined,
    run: async (context) => {
      const { config, options, print, stopped } = context;
      const { forwardTo = null, events: names, count, clientId } = options;
      const wanted = names === undefined ? null : eventNames(names);
      const url = forwardTo === null ? null : addressOf(forwardTo);
      let left = count === undefined ? Number.POSITIVE_INFINITY : countOf(count);
      if (clientId !== undefined && options.url !== undefined) {
        throw new UsageError("--url is for listening as the application, without --client-id");
      }
      const source = await (clientId === undefined ? remoteSource(context) : databaseSource(context, clientId));
      const { listening, secret } = source;
      print({ listening, forwardTo: url, webhookSecret: secret }, [
        `Listening to ${source.name}; deliveries are signed with`,
        secret,
      ]);
      for await (const event of source.events) {
        if (wanted && !wanted.has(event.type)) continue;
        const forwarded = url && (await forward(url, event, secret, config.webhookTimeoutMs));
        const { id, type, createdAt, body } = event;
        print({ id, type, createdAt, event: JSON.parse(body), forwarded }, [
          `${createdAt.toISOString()}  ${type}  ${id}${forwarded ? `  -> ${inWords(forwarded)}` : ""}`,
          ...(forwarded ? [] : JSON.stringify(JSON.parse(body), null, 2).split("\n")),
        ]);
        left -= 1;
        if (left === 0 || stopped.aborted) return;
      }
    },
  }),
];

/** Where the events come from. The place is read before the command says that it listens: none after that is lost. */
interface Source {
  readonly listening: string;
  readonly name: string;
  /** Signs what is forwarded. It differs from the secret of every endpoint. */
  readonly secret: string;
  readonly events: AsyncIterable<StoredEvent>;
}

/** The part of a command's context that a source uses. */
type SourceContext = Pick<Context, "database" | "client" | "stopped" | "report"> & {
  readonly options: { readonly url?: string | undefined };
};

async function databaseSource({ database, stopped }: SourceContext, clientId: string): Promise<Source> {
  const application = await applicationOf(database, clientId);
  const secret = signingSecret(await installationKey(database), application.id, 1);
  const events = await newEvents(database, application.id, stopped);
  return { listening: clientId, name: application.name, secret, events };
}

async function remoteSource({ client, options, stopped, report }: SourceContext): Promise<Source> {
  const { id, secret: clientSecret } = client;
  const { url = client.url } = options;
  if (!id || !clientSecret) {
    throw new UsageError(
      'REWARDS_CLIENT_ID and REWARDS_CLIENT_SECRET are required, as "app create" shows them; or --client-id, beside the database',
    );
  }
  const rewards = createRewards({ baseUrl: url, clientId: id, clientSecret });
  const secret = signingSecret(Buffer.from(clientSecret), "listen", 1);
  const events = await polledEvents(rewards, stopped, report);
  return { listening: id, name: `${id} at ${url}`, secret, events };
}

async function forward(
  url: string,
  { id, position, body }: StoredEvent,
  secret: string,
  timeoutMs: number,
): Promise<Forwarded> {
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = {
    "content-type": "application/json",
    [SEQUENCE_HEADER]: `${position}`,
    ...signatureHeaders({ id, timestampSeconds, body }, [secret]),
  };
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
