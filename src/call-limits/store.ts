import { lockNameKey } from "../postgres/cell.ts";
import type { Tx } from "../postgres/postgres.ts";
import { json, nothing, statement, uuid } from "../postgres/statement.ts";
import type { Peer, Said } from "./shares.ts";

type Stored = Readonly<Record<string, readonly [number, number, number, number, number]>>;

const LOCK = statement(
  "call-limits.lock",
  { locked: nothing },
  `SELECT pg_advisory_xact_lock(${lockNameKey("'call-limits'")}) AS locked`,
);
const READ = statement(
  "call-limits.read",
  { id: uuid, said: json<Stored>() },
  "SELECT id, said FROM serving_processes WHERE id <> $1 AND seen_at > $2",
);
const WRITE = statement(
  "call-limits.write",
  {},
  `INSERT INTO serving_processes (id, seen_at, said) VALUES ($1, $2, $3::jsonb)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, said = excluded.said`,
);
const SWEEP = statement("call-limits.sweep", {}, "DELETE FROM serving_processes WHERE seen_at < $1");
const REMOVE = statement("call-limits.remove", {}, "DELETE FROM serving_processes WHERE id = $1");

/** Lets no other process change its shares until the end of the tx. */
export async function lockShares(tx: Tx): Promise<void> {
  await tx.query(LOCK);
}

/** What the other processes said since `since`. */
export async function readPeers(tx: Tx, id: string, since: Date): Promise<Peer[]> {
  const rows = await tx.query(READ, [id, since]);
  return rows.map((row) => ({ id: row.id, said: new Map(Object.entries(row.said).map(fromStored)) }));
}

/** Says something, in place of what the process said before. */
export async function writeSaid(tx: Tx, id: string, said: ReadonlyMap<string, Said>, now: Date): Promise<void> {
  await tx.query(WRITE, [id, now, JSON.stringify(Object.fromEntries([...said].map(toStored)))]);
}

/** Removes processes that ended without a word before `before`. */
export async function sweepProcesses(tx: Tx, before: Date): Promise<void> {
  await tx.query(SWEEP, [before]);
}

export async function removeProcess(tx: Tx, id: string): Promise<void> {
  await tx.query(REMOVE, [id]);
}

function toStored([applicationId, said]: readonly [string, Said]): [string, Stored[string]] {
  const { endsAt, limit, recent, admitted, share } = said;
  return [applicationId, [endsAt, limit, recent, admitted, share]];
}

function fromStored([applicationId, stored]: readonly [string, Stored[string]]): [string, Said] {
  const [endsAt, limit, recent, admitted, share] = stored;
  return [applicationId, { endsAt, limit, recent, admitted, share }];
}
