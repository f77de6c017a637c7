// The one place that reads what explains a record: as it is stored now, packed with a reference to evidence, and as it
// was stored before: as text in that form, and as JSON.
import type { Tx } from "../../postgres/postgres.ts";
import { bytea, json, orNull, text } from "../../postgres/statement.ts";
import type { ExplainedRow } from "../explanation.ts";
import { bodyOf } from "../stored-body.ts";
import type { StoredBody } from "../stored-body.ts";
import type { RecordBody } from "../record.ts";
import { readEvidence } from "./evidence.store.ts";
import { unpackText } from "./packed-array.ts";
import { unpackInputs } from "./packed-inputs.ts";

type Inputs = ExplainedRow["ruleInputs"];

/** The columns of a statement that reads records with their inputs. */
export const STORED_INPUTS = {
  inputsAsJson: orNull(json<Inputs>()),
  explained: orNull(text),
  inputs: orNull(bytea),
  evidence: orNull(bytea),
};
export const STORED_INPUTS_COLUMNS = `rule_inputs AS "inputsAsJson", explained, inputs, evidence`;

interface StoredInputs extends StoredBody {
  readonly inputsAsJson: Inputs | null;
  readonly explained: string | null;
  readonly inputs: Buffer | null;
  readonly evidence: Buffer | null;
}

/** Returns records with bodies and the inputs of their rules, after one more statement for the evidence of all. */
export async function withInputs<Row extends StoredInputs>(
  tx: Tx,
  rows: readonly Row[],
): Promise<
  (Omit<Row, keyof typeof STORED_INPUTS | "body" | "packed"> & { readonly body: RecordBody; ruleInputs: Inputs })[]
> {
  const shared = await readEvidence(
    tx,
    rows.map(({ evidence }) => evidence),
  );
  return rows.map(({ inputsAsJson, explained, inputs, evidence: _evidence, body: asJson, packed, ...row }, i) => {
    const body = bodyOf({ body: asJson, packed, submissionId: row.submissionId });
    const own = inputs ? unpackText(inputs) : explained;
    const ruleInputs =
      own === null ? (inputsAsJson ?? {}) : unpackInputs({ own, shared: shared[i]! }, body, row.submissionId);
    return { ...row, body, ruleInputs };
  });
}
