// The body of a stored record: as JSON, or packed with what the row says besides.
import { bytea, json, orNull } from "../postgres/statement.ts";
import { unpackBody } from "./packed-body.ts";
import type { RecordBody } from "./record.ts";

/** The columns of a statement that reads bodies, beside the id of the submission. One of them is null. */
export const STORED_BODY = { body: orNull(json<RecordBody>()), packed: orNull(bytea) };

/** A record whose content was not erased: an erasure leaves `{}`, and packed content has no JSON. */
export const HAS_CONTENT = "body IS DISTINCT FROM '{}'";

export interface StoredBody {
  readonly body: RecordBody | null;
  readonly packed: Buffer | null;
  readonly submissionId: string;
}

/** The body of a record. Throws where it is packed and was changed. */
export function bodyOf({ body, packed, submissionId }: StoredBody): RecordBody {
  return body ?? unpackBody(packed!, submissionId);
}

/** Returns the row with its body. */
export function withBody<Row extends StoredBody>(
  row: Row,
): Omit<Row, "body" | "packed"> & { readonly body: RecordBody } {
  const { body: _body, packed: _packed, ...rest } = row;
  return { ...rest, body: bodyOf(row) };
}
