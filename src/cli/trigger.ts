import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRewards } from "rewards-service-sdk";
import { turnExpiryOn } from "../points/settings/store.ts";
import type { Database } from "../postgres/postgres.ts";
import { findVersion, lockPrograms, publishVersion, publishedVersions, saveVersion } from "../programs/store.ts";
import { LEAD_MS, inForceAt } from "../programs/versions.ts";
import { hashToken, tokenIn } from "../sessions/session.ts";
import { completeSession, expireSession } from "../sessions/store.ts";
import { eventsOfUser } from "../webhooks/feed/store.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, UsageError, argument, command, optional } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { closestWord } from "../did-you-mean.ts";
import { TRIGGERS } from "./trigger-kinds.ts";

const POLL_MS = 200;
/** A receipt is read within seconds, unless many are queued before it. */
const WAIT_MS_MAX = 180_000;
const EXPIRY_MONTHS = 12;

export const TRIGGER_COMMANDS: readonly Command[] = [
  command({
    name: "trigger",
    summary: "cause an event or an outcome for a new user of a sandbox, and print the events",
    details: [
      "It calls the service like the application, with REWARDS_CLIENT_ID and REWARDS_CLIENT_SECRET of the environment, at",
      "REWARDS_URL (http://127.0.0.1:8080 by default). Events and outcomes:",
      ...[...TRIGGERS].map(([name, { about }]) => `  ${name.padEnd(24)}  ${about}`),
    ].join("\n"),
    options: {
      outcome: argument("OUTCOME", "an event or an outcome of the list above"),
      url: optional("URL", "address of the service, in place of REWARDS_URL"),
    },
    examples: ["trigger receipt_completed", "trigger old_meal_log --json"],
    run: async ({ database, config, now, options, client, print, stopped }) => {
      const { outcome, url = client.url } = options;
      const trigger = TRIGGERS.get(outcome);
      if (!trigger) {
        const suggestion = closestWord(outcome, [...TRIGGERS.keys()]);
        const hint = suggestion === null ? "cli trigger --help lists them" : `did you mean ${suggestion}?`;
        throw new UsageError(`there is no event or outcome ${outcome}; ${hint}`);
      }
      if (!client.id || !client.secret) {
        throw new UsageError(
          'REWARDS_CLIENT_ID and REWARDS_CLIENT_SECRET are required, as "app create --sandbox" shows them',
        );
      }
      const { id: applicationId, isSandbox } = await applicationOf(database, client.id);
      if (!isSandbox) throw new Refusal("the application is no sandbox: the trigger would have real effects");

      const rewards = createRewards({ baseUrl: url, clientId: client.id, clientSecret: client.secret });
      const reference = `trigger-${randomUUID()}`;
      const person = { email: `${reference}@example.org`, firstName: "Robin", lastName: "Example" };
      const { user } = await rewards.enrollUser(person, { signal: stopped });
      const { userID: userId } = user;
      const { mealWindowDays } = config;
      const expire = (sessionId: string) => expireSession(database, sessionId, new Date());
      const completeReceiptSession = async (redirectUrl: string, receiptId: string) => {
        const token = tokenIn(Object.fromEntries(new URL(redirectUrl).searchParams)) ?? "";
        await completeSession(database, hashToken(token), "receipt", { outcome: "sent", receiptId }, new Date());
      };
      const input = {
        userId,
        person,
        reference,
        now,
        mealWindowDays,
        expireSession: expire,
        completeReceiptSession,
        startTiers: () => startTiers(database, applicationId, stopped),
        turnExpiryOn: () => turnExpiryOn(database, applicationId, EXPIRY_MONTHS, now),
      };
      const ownerId = (await trigger.send(rewards, input)) ?? userId;
      const events = (await eventsUntil(database, ownerId, trigger.lastEvent, stopped)).map(
        ({ id, type, createdAt, body }) => ({ id, type, createdAt, event: JSON.parse(body) as object }),
      );
      print({ outcome, userId, events }, [
        ...events.map(({ id, type, createdAt }) => `${createdAt.toISOString()}  ${type}  ${id}`),
        ...JSON.stringify(events.at(-1)?.event ?? null, null, 2).split("\n"),
      ]);
    },
  }),
];

/** Points of the tier that a programme without one gets. */
const TIER_FROM = 100;

/** Publishes the programme in force with tiers, unless it has some, and waits for its start. */
async function startTiers(database: Database, applicationId: string, stopped: AbortSignal): Promise<number> {
  const now = new Date();
  const current = inForceAt(await publishedVersions(database, applicationId), now);
  const before = current && (await findVersion(database, applicationId, current.version));
  const from = before?.definition.tiers?.levels.find((level) => level.from > 0)?.from;
  if (from !== undefined) return from;
  const levels = [
    { tier: "bronze" as const, name: "Bronze", from: 0 },
    { tier: "silver" as const, name: "Silver", from: TIER_FROM },
  ];
  const definition = { ...(before?.definition ?? { name: "Tiers" }), tiers: { by: "lifetime" as const, levels } };
  const startsAt = new Date(now.getTime() + LEAD_MS);
  await database.tx(async (tx) => {
    await lockPrograms(tx, applicationId);
    const { version } = await saveVersion(tx, applicationId, { definition, note: "", author: "trigger" }, now);
    await publishVersion(tx, applicationId, version, { startsAt, author: "trigger" }, now);
  });
  await sleep(LEAD_MS + POLL_MS, undefined, { signal: stopped });
  return TIER_FROM;
}

async function eventsUntil(tx: Context["database"], ownerId: string, wanted: string, stopped: AbortSignal) {
  for (const endsAt = Date.now() + WAIT_MS_MAX; Date.now() < endsAt;) {
    const events = await eventsOfUser(tx, ownerId);
    if (events.some(({ type }) => type === wanted)) return events;
    await sleep(POLL_MS, undefined, { signal: stopped });
  }
  throw new Refusal(`${wanted} did not come within ${WAIT_MS_MAX / 1_000} s; is the service running?`);
}
