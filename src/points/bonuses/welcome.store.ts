import type { Tx } from "../../postgres/postgres.ts";
import { statement, uuid } from "../../postgres/statement.ts";
import { PERSON_KEY, isKeptOf } from "../../users/erased-receipts.store.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { BONUS_TYPE } from "../codes.ts";
import { append, lockBalances } from "../ledger.store.ts";
import { grantingDue } from "./bonus.ts";
import { bonusEvent } from "./event.ts";
import { insertGranted } from "./standing.store.ts";
import type { DueBonus } from "./granting.ts";

const WELCOMED_BEFORE = statement(
  "bonuses.welcomed-before",
  { userId: uuid },
  `SELECT users.id AS "userId" FROM users CROSS JOIN installation
           CROSS JOIN LATERAL (SELECT ${PERSON_KEY} AS person) AS of_user
         WHERE users.id = ANY ($1) AND ${isKeptOf("welcome")}`,
);

/** A welcome that a programme gives with the enrolment. */
export interface Welcome {
  /** The id of the programme's version in records. */
  readonly rule: string;
  readonly points: number;
}

export interface WelcomeDeps {
  /** Stores the events of the records in the tx; null: there are none. */
  readonly publish: ((tx: Tx, events: readonly NewEvent[]) => Promise<void>) | null;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Gives a welcome to users whom this tx has enrolled. None to an erased person who enrols again. Returns the number of
 * those who got one.
 */
export async function giveWelcome(
  tx: Tx,
  applicationId: string,
  userIds: readonly string[],
  { rule, points }: Welcome,
  { publish, now, newId }: WelcomeDeps,
): Promise<number> {
  const before = new Set((await tx.query(WELCOMED_BEFORE, [userIds])).map(({ userId }) => userId));
  const at = now();
  const cause = { kind: "welcome", on: "enrolment" } as const;
  const due = userIds
    .filter((userId) => !before.has(userId))
    .map((userId): DueBonus => {
      return { userId, rule, cause, key: "", type: BONUS_TYPE.welcome, points, profileId: null };
    });
  if (due.length === 0) return 0;
  const locked = await lockBalances(tx, userIds, []);
  const entries = due.map((each) => grantingDue(applicationId, each, newId(), at));
  const posted = await append(tx, locked, entries, at, newId);
  await insertGranted(
    tx,
    due.map((each, i) => ({ applicationId, due: each, recordId: posted[i]!.id })),
  );
  await publish?.(
    tx,
    entries.map((entry, i) => bonusEvent({ entry, posted: posted[i]! }, newId(), at)),
  );
  return due.length;
}
