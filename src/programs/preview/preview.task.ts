import { setImmediate as nextTurn } from "node:timers/promises";
import { periodOf } from "../../points/limits/periods.ts";
import { isScarce } from "../../points/campaigns/campaign.ts";
import type { CampaignUsage } from "../../points/campaigns/campaign.ts";
import { NEW_APPLICATION } from "../../points/settlement/standing.ts";
import type { ApplicationStanding, UserStanding } from "../../points/settlement/standing.ts";
import type { Source } from "../../points/award.ts";
import type { Terms } from "../../points/terms.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";
import type { GroupOf } from "../eligibility.ts";
import { programOf } from "../program.ts";
import type { Program } from "../program.ts";
import { countriesOf } from "../store.ts";
import { termsOf } from "../terms.task.ts";
import { ruleIdOf } from "../versions.ts";
import { createFigures } from "./figures.ts";
import type { FiguresBuilder } from "./figures.ts";
import { createKeys } from "./keys.ts";
import type { RecordKey, RecordKeys } from "./keys.ts";
import type { PreviewRequest } from "./preview.ts";
import { acceptedMs, replayAward } from "./replay.ts";
import type { Replayed } from "./replay.ts";
import { awardKeys, countErased, readAwards } from "./replayed.store.ts";
import type { ReplayedAward, Span } from "./replayed.store.ts";
import { presentResult } from "./schema.ts";
import type { PreviewResult } from "./schema.ts";
import { applicationDayLimits, standingsAt, usedCampaigns, usersSince } from "./start.store.ts";
import type { Start } from "./start.store.ts";

/** Awards read at once. The largest have 260 kB each. */
const AWARDS_AT_ONCE = 200;
/** Replaying yields to the event loop this often: the process may serve requests, too. */
const TURN_MS_MAX = 4;

export interface PreviewDeps {
  readonly database: Pick<Database, "snapshot">;
  readonly groupOf: GroupOf;
  readonly now: () => Date;
  /** Waits while requests are more important. */
  readonly giveWay?: () => Promise<void>;
  readonly stopped: AbortSignal;
  /** Called now and then. */
  readonly progress?: (replayed: number, total: number) => Promise<void> | void;
  /** Called for each award with what it would be. */
  readonly each?: (award: ReplayedAward, replayed: Replayed) => void;
}

/**
 * Replays what an application accepted in the last days under a programme. One snapshot of the database is read, so
 * that the figures are those of one moment; nothing is locked and nothing written.
 */
export function preview(deps: PreviewDeps, applicationId: string, request: PreviewRequest): Promise<PreviewResult> {
  return deps.database.snapshot(async (tx) => {
    const { definition, version, days, pointValue } = request;
    const { timeZone = "UTC", name } = definition;
    const program = programOf(definition, version === null ? "draft" : ruleIdOf(version));
    const until = deps.now();
    const span = { fromMs: startOfDays(until.getTime(), days, timeZone), untilMs: until.getTime() };
    const replay = await createReplay(deps, tx, { applicationId, program, span, timeZone });
    for (const part of replay.parts()) await replay.run(part);
    const erased = await countErased(tx, applicationId, span);
    const { figures, keys, counts } = replay;
    return presentResult(figures.figures(keys.userIds), {
      name,
      version,
      timeZone,
      from: new Date(span.fromMs),
      until,
      pointValue,
      notReplayed: { erased, ...counts },
      notes: notesOf(program, span),
    });
  });
}

/** The start of the first of `days` days, of which the day of `ms` is the last. */
function startOfDays(ms: number, days: number, timeZone: string): number {
  const { fromMs } = periodOf(ms, "day", timeZone);
  // Noon: a day may have 23 or 25 hours.
  return periodOf(fromMs + DAY_MS / 2 - (days - 1) * DAY_MS, "day", timeZone).fromMs;
}

interface About {
  readonly applicationId: string;
  readonly program: Program;
  readonly span: Span;
  readonly timeZone: string;
}

async function createReplay(deps: PreviewDeps, tx: Tx, about: About) {
  const { applicationId, program, span, timeZone } = about;
  const keys = createKeys();
  for await (const found of awardKeys(tx, applicationId, span)) {
    deps.stopped.throwIfAborted();
    found.forEach(keys.add);
  }
  const figures = createFigures();
  const counts = { withoutInputs: 0, reversed: 0, corrected: 0 };
  const dayOf = dayOfZone(timeZone);
  const termsFor = draftTerms(program, deps.groupOf);
  const anyTerms = termsFor("receipt", null);
  const isShared = anyTerms.campaigns.some(isScarce);
  const dayLimits = await applicationDayLimits(tx, applicationId);
  const start: Start = { applicationId, fromMs: span.fromMs, dayLimits, terms: anyTerms };
  const usage = await usageAt(deps, tx, keys, start);
  let application: ApplicationStanding = { ...NEW_APPLICATION, dayLimits, usage };
  let users = new Map<string, UserStanding>();
  let [replayedCount, turnMs] = [0, performance.now()];

  const one = (award: ReplayedAward, { user }: RecordKey, country: string | null): void => {
    const terms = termsFor(award.source, country);
    const replayed = replayAward({ user: users.get(award.userId)!, application }, award, terms);
    if (replayed === null) {
      counts.withoutInputs += 1;
      return;
    }
    users.set(award.userId, replayed.standing.user);
    application = replayed.standing.application;
    deps.each?.(award, replayed);
    if (award.isReversed) {
      counts.reversed += 1;
      return;
    }
    if (award.isCorrected) counts.corrected += 1;
    const { now, draft } = replayed;
    figures.add({ user, day: dayOf(acceptedMs(award)), source: award.source, now, draft });
  };

  const run = async (part: readonly RecordKey[]): Promise<void> => {
    const awards = await readAwards(tx, part);
    const userIds = [...new Set(part.map(({ userId }) => userId))];
    const unknown = userIds.filter((userId) => !users.has(userId));
    for (const [userId, standing] of await standingsAt(tx, unknown, start)) users.set(userId, standing);
    const countries = program.eligible.countries ? await countriesOf(tx, userIds) : null;
    for (const [i, award] of awards.entries()) {
      one(award, part[i]!, countries?.get(award.userId) ?? null);
      if (performance.now() - turnMs < TURN_MS_MAX) continue;
      await nextTurn();
      await deps.giveWay?.();
      turnMs = performance.now();
    }
    // Users come one after the other: only the last of them may go on in the next part.
    const lastId = part.at(-1)?.userId;
    if (!isShared) users = new Map([...users].filter(([userId]) => userId === lastId));
    replayedCount += part.length;
    deps.stopped.throwIfAborted();
    await deps.progress?.(replayedCount, keys.count);
  };

  return { keys, figures, counts, run, parts: () => keys.parts(isShared ? "bookings" : "users", AWARDS_AT_ONCE) };
}

/**
 * What campaigns of the draft had given at the start: until now, less what the records give that are replayed. Reads
 * these only where a campaign that may end early is one that has given points before: mostly it is new.
 */
async function usageAt(deps: PreviewDeps, tx: Tx, keys: RecordKeys, start: Start): Promise<Map<string, CampaignUsage>> {
  const usage = await usedCampaigns(tx, start);
  if (usage.size === 0) return usage;
  const take = (id: string, by: CampaignUsage): void => {
    const { points, users } = usage.get(id)!;
    usage.set(id, { points: points - by.points, users: users - by.users });
  };
  for (const part of keys.parts("users", AWARDS_AT_ONCE)) {
    for (const { ruleInputs } of await readAwards(tx, part)) {
      for (const { campaignId, points } of ruleInputs.settled?.extras ?? []) {
        if (campaignId !== null && usage.has(campaignId)) take(campaignId, { points, users: 0 });
      }
    }
    deps.stopped.throwIfAborted();
  }
  for (let at = 0; at < keys.userIds.length; at += AWARDS_AT_ONCE) {
    const userIds = keys.userIds.slice(at, at + AWARDS_AT_ONCE);
    const since = await usersSince(tx, userIds, [...usage.keys()], start.fromMs);
    for (const [id, users] of since) take(id, { points: 0, users });
  }
  return usage;
}

/** The terms of the draft. They depend on the kind of submission, and where countries count on the user's. */
function draftTerms(program: Program, groupOf: GroupOf): (source: Source, country: string | null) => Terms {
  const known = new Map<string, Terms>();
  return (source, country) => {
    const key = `${source} ${country}`;
    const terms = known.get(key) ?? termsOf(program, source, { groupOf, country });
    known.set(key, terms);
    return terms;
  };
}

/** The days of moments. All zones differ by quarters of an hour, so a quarter is within one day. */
function dayOfZone(timeZone: string): (ms: number) => string {
  const known = new Map<number, string>();
  return (ms) => {
    const quarter = Math.floor(ms / (15 * MINUTE_MS));
    const day = known.get(quarter) ?? periodOf(ms, "day", timeZone).first;
    known.set(quarter, day);
    return day;
  };
}

/** Campaigns that cannot give anything in the time, which a reader would otherwise take for worthless. */
function notesOf(program: Program, { fromMs, untilMs }: Span): string[] {
  return program.campaigns.flatMap(({ id, fromMs: from, untilMs: until }) =>
    from < untilMs && until > fromMs
      ? []
      : [`The campaign ${id} has no day in this time. To see what it would give, move its days into it.`],
  );
}
