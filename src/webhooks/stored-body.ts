// The body of a stored event: as text, or packed with what the row says besides.
import { bytea, orNull, text } from "../postgres/statement.ts";
import { unpackEvent } from "./packed-event.ts";
import type { EventColumns } from "./packed-event.ts";

/** The columns of a statement that reads bodies, beside those of EventColumns. One of them is null. */
export const STORED_BODY = { body: orNull(text), packed: orNull(bytea) };

interface StoredBody extends EventColumns {
  readonly body: string | null;
  readonly packed: Buffer | null;
}

/** Returns the row with the exact bytes of every attempt. */
export function withBody<Row extends StoredBody>(row: Row): Omit<Row, "body" | "packed"> & { readonly body: string } {
  const { body, packed, ...rest } = row;
  return { ...rest, body: body ?? unpackEvent(packed!, row) };
}
