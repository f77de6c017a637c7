// Reads records as the daily figures count them.
import type { Tx } from "../../postgres/postgres.ts";
import { code, float8, int4, oneOf, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { createCollected } from "../../reports/figures/collected.ts";
import { keepFigures } from "../../reports/figures/deltas.store.ts";
import type { Operation } from "../codes.ts";
import type { RecordSource } from "../entry.ts";
import type { ExplainedRow } from "../explanation.ts";
import { STORED_INPUTS, STORED_INPUTS_COLUMNS, withInputs } from "../explained/inputs.store.ts";
import type { RecordBody } from "../record.ts";
import { HAS_CONTENT, STORED_BODY, bodyOf } from "../stored-body.ts";
import type { StoredBody } from "../stored-body.ts";
import { countRecord } from "./record-figures.ts";
import type { CountedRecord } from "./record-figures.ts";

const COUNTED = {
  applicationId: uuid,
  userId: uuid,
  sequence: float8,
  operation: code<Operation>(),
  source: oneOf<RecordSource>(["receipt", "meal", "food", "manual", "reward"]),
  submissionId: uuid,
  relatedId: orNull(uuid),
  healthPoints: int4,
  carbonPoints: int4,
  bonusPoints: int4,
  otherPoints: int4,
  greenProducts: int4,
  healthyProducts: int4,
  co2eMg: float8,
  createdAt: timestamptz,
  ...STORED_BODY,
  ...STORED_INPUTS,
};
const COLUMNS = `application_id AS "applicationId", user_id AS "userId", sequence::float8 AS sequence, operation, source,
  submission_id AS "submissionId", related_id AS "relatedId", health_points AS "healthPoints",
  carbon_points AS "carbonPoints", bonus_points AS "bonusPoints", other_points AS "otherPoints",
  green_products AS "greenProducts", healthy_products AS "healthyProducts", co2e_mg::float8 AS "co2eMg",
  created_at AS "createdAt", body, packed, ${STORED_INPUTS_COLUMNS}`;
const PAGE = statement(
  "figures.records",
  COUNTED,
  `SELECT ${COLUMNS} FROM records WHERE user_id = ANY ($1) AND sequence > $2 AND sequence <= $3
         ORDER BY user_id, sequence`,
);
const TO_CLEAR = statement(
  "figures.records-to-clear",
  COUNTED,
  `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND sequence > $2 AND ${HAS_CONTENT}
         ORDER BY sequence LIMIT $3 FOR NO KEY UPDATE`,
);

/** A record with its owner and place. */
export interface PlacedRecord extends CountedRecord {
  readonly applicationId: string;
  readonly userId: string;
  readonly sequence: number;
}

/** The records of some users that are numbered above `after` and up to `last`, by user and number. */
export async function recordsToCount(
  tx: Tx,
  userIds: readonly string[],
  { after, last }: { readonly after: number; readonly last: number },
): Promise<PlacedRecord[]> {
  return placed(tx, await tx.query(PAGE, [userIds, after, last]));
}

/**
 * Locks the next records of a user whose content is to be removed, and keeps the figures that can't be computed from
 * them any more. Returns their numbers.
 */
export async function keepFiguresOfNext(tx: Tx, userId: string, after: number, limit: number): Promise<number[]> {
  const rows = await tx.query(TO_CLEAR, [userId, after, limit]);
  // An erasure does not stop at a record whose content or evidence is missing or damaged; `ledger verify` names it.
  const records = await placed(tx, rows).catch(() =>
    rows.map((row) => placedOf({ ...row, body: readableBody(row) }, {})),
  );
  const [before, without] = [createCollected(), createCollected()];
  for (const record of records) {
    const { applicationId, createdAt } = record;
    // An award like any other of its day: that users were active is seen without the content.
    countRecord(before.on(applicationId, createdAt), record, createdAt);
    countRecord(
      without.on(applicationId, createdAt),
      { ...record, body: {}, bases: [], extras: [], isOpening: false },
      createdAt,
    );
  }
  for (const { applicationId, day, figures } of without.all()) {
    const kept = before.on(applicationId, new Date(day));
    for (const [figure, amount] of Object.entries(figures)) kept.add(figure, -amount);
  }
  await keepFigures(tx, before.all());
  return records.map(({ sequence }) => sequence);
}

async function placed(tx: Tx, rows: RowOf<typeof COUNTED>[]): Promise<PlacedRecord[]> {
  return (await withInputs(tx, rows)).map(({ ruleInputs, ...row }) => placedOf(row, ruleInputs));
}

function placedOf(
  row: Omit<RowOf<typeof COUNTED>, keyof typeof STORED_INPUTS | "body" | "packed"> & Pick<CountedRecord, "body">,
  { bases = [], settled, ...inputs }: Pick<ExplainedRow["ruleInputs"], "bases" | "settled">,
): PlacedRecord {
  return { ...row, amounts: row, bases, extras: settled?.extras ?? [], isOpening: "opening" in inputs };
}

function readableBody(row: StoredBody): Partial<RecordBody> {
  try {
    return bodyOf(row);
  } catch {
    return {};
  }
}
