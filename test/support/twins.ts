// Two applications with the same users who submit the same at the same times, booked by the functions of the service.
import { randomBytes } from "node:crypto";
import { insertApplication } from "../../src/applications/store.ts";
import type { Resolver } from "../../src/foods/lookup/resolve.ts";
import { lookUp } from "../../src/foods/lookup/store.ts";
import { uuidv7 } from "../../src/ids.ts";
import { PARTNER_TYPE } from "../../src/points/codes.ts";
import { composeRecord } from "../../src/points/record.ts";
import { scoredLine } from "../../src/points/scored-line.ts";
import type { ScoredLine } from "../../src/points/scored-line.ts";
import { book } from "../../src/points/store.ts";
import type { Booked, Booking } from "../../src/points/store.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import type { ProgramDefinition } from "../../src/programs/definition.ts";
import type { GroupOf } from "../../src/programs/eligibility.ts";
import { publishVersion, saveVersion } from "../../src/programs/store.ts";
import { createTerms } from "../../src/programs/terms.task.ts";
import { insertUsers } from "../../src/users/insert.store.ts";
import type { AnySubmission, History } from "./any-program.ts";
import { newApplication } from "./applications.ts";

export interface Twin {
  readonly applicationId: string;
  readonly userIds: readonly string[];
  /** Puts a programme in force from a moment on. */
  publish(definition: ProgramDefinition, fromMs: number): Promise<void>;
  /** Books the whole history. */
  submit(): Promise<void>;
  /** What was booked, in that order. */
  readonly booked: readonly (Booked & { readonly submissionId: string; readonly acceptedMs: number })[];
}

export interface TwinDeps {
  readonly resolver: Resolver;
  readonly groupOf: GroupOf;
  readonly history: History;
  /** Start of the time that is replayed, and now. */
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Due extends AnySubmission {
  readonly submissionId: string;
  readonly acceptedMs: number;
  readonly bookedMs: number;
}

/** Creates two applications with users of the same order, and submissions of the same ids. */
export async function createTwins(database: Database, deps: TwinDeps): Promise<readonly [Twin, Twin]> {
  const { history, fromMs, untilMs } = deps;
  const dues = history.submissions
    .map((each): Due => {
      const acceptedMs = untilMs - each.agoMs;
      // What was accepted before the time is booked before it.
      const latestMs = acceptedMs < fromMs ? fromMs - 1 : untilMs - 1;
      const bookedMs = Math.min(acceptedMs + each.lateMs, latestMs);
      return { ...each, submissionId: uuidv7(acceptedMs, randomBytes(10)), acceptedMs, bookedMs };
    })
    .sort((a, b) => a.bookedMs - b.bookedMs || (a.submissionId < b.submissionId ? -1 : 1));
  return [await createTwin(database, deps, dues), await createTwin(database, deps, dues)];
}

async function createTwin(database: Database, deps: TwinDeps, dues: readonly Due[]): Promise<Twin> {
  const { resolver, groupOf, history, fromMs, untilMs } = deps;
  const isEarlier = ({ bookedMs }: Due) => bookedMs < fromMs;
  const startMs = untilMs - 300 * 86_400_000;
  const newId = () => uuidv7(startMs, randomBytes(10));
  const { application } = newApplication(newId());
  const applicationId = application.id;
  await insertApplication(database, application, new Date(startMs));
  const people = history.countries.map((country) => {
    const id = newId();
    const about = { imageUrl: null, city: null, postalCode: null };
    return { id, email: `${id}@example.org`, firstName: "Ada", lastName: "Lovelace", country, ...about };
  });
  await insertUsers(database, applicationId, people, new Date(startMs));
  const userIds = people.map(({ id }) => id);
  const booked: Twin["booked"][number][] = [];

  const linesOf = async (due: Due): Promise<ScoredLine[]> => {
    const items = due.items.map(({ name, foodId, quantity }) => ({
      foodId,
      name,
      weight: 150,
      unit: "g",
      quantity,
      nutrition: null,
      merchants: due.merchant === "" ? [] : [due.merchant],
    }));
    const found = await lookUp(
      database,
      items.map(({ foodId, name, merchants }) => ({ applicationId, foodId, name, merchants })),
    );
    const { rate } = resolver.raterFor(found, applicationId);
    return items.flatMap((item, i): ScoredLine[] => {
      const rating = rate(item, due.source);
      if (rating.kind === "incomplete") return [];
      const { name, foodId, quantity } = item;
      const texts = { id: `${due.submissionId}-${i + 1}`, externalId: foodId ?? "", name, cleanedName: name };
      return [scoredLine({ ...texts, imageUrl: "", quantity, amountMinor: 100, soldByWeight: false }, rating)];
    });
  };

  const bookAll = async (part: readonly Due[], terms: ReturnType<typeof createTerms>): Promise<void> => {
    const at = new Date(Math.max(...part.map(({ bookedMs }) => bookedMs)));
    const scorables = part.map(({ user, source, acceptedMs }) => {
      return { applicationId, userId: userIds[user]!, source, acceptedAt: new Date(acceptedMs) };
    });
    const termsOf = await terms.termsFor(scorables);
    const bookings: Booking[] = [];
    for (const [i, due] of part.entries()) {
      const head = {
        reference: due.submissionId,
        brand: due.merchant,
        logo: "",
        location: "",
        partnerType: PARTNER_TYPE.unspecified,
        timestamp: new Date(due.acceptedMs).toISOString(),
        currency: due.currency,
        totalAmountMinor: due.totalMinor,
      };
      const own = termsOf(scorables[i]!);
      const record = composeRecord(due.source, head, await linesOf(due), own);
      const { userId, source } = scorables[i]!;
      const { submissionId } = due;
      bookings.push({ applicationId, userId, source, submissionId, record, terms: own, catalogueVersion: "test" });
    }
    const done = await database.tx((tx) => book(tx, bookings, at, () => uuidv7(at.getTime(), randomBytes(10))));
    for (const [i, each] of done.entries()) {
      const { submissionId, acceptedMs } = part[i]!;
      booked.push({ ...each, submissionId, acceptedMs });
    }
  };

  return {
    applicationId,
    userIds,
    booked,
    publish: async (definition, fromMs) => {
      const at = new Date(fromMs);
      const { version } = await saveVersion(database, applicationId, { definition, note: "", author: "test" }, at);
      await publishVersion(database, applicationId, version, { startsAt: at, author: "test" }, at);
    },
    submit: async () => {
      const terms = createTerms({ database, groupOf, now: () => new Date(untilMs) });
      for (const side of [dues.filter(isEarlier), dues.filter((due) => !isEarlier(due))]) {
        for (let at = 0; at < side.length; at += history.batch) {
          // One tx books at one moment, in the order of the ids.
          const part = side.slice(at, at + history.batch);
          await bookAll(
            part.toSorted((a, b) => (a.submissionId < b.submissionId ? -1 : 1)),
            terms,
          );
        }
      }
    },
  };
}
