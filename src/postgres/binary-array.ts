/** The element types of arrays that are sent to the database. */
export type ElementType =
  | "uuid"
  | "text"
  | "jsonb"
  | "smallint"
  | "int"
  | "bigint"
  | "boolean"
  | "bytea"
  | "timestamptz";

/** A value that its column cannot have: the error of one row, as when the database refuses a value. */
export class ElementError extends Error {
  override readonly name = "ElementError";
}

/** How an element is written: its bytes without the four of its length, and their number. */
interface Format {
  /** Number of the type in pg_type; it never changes. */
  readonly oid: number;
  readonly size: (value: unknown) => number;
  readonly write: (value: never, to: Buffer, at: number) => void;
}

/** 2000-01-01 in milliseconds since 1970: times are microseconds from there on. */
const EPOCH_MS = 946_684_800_000;
const TWO_32 = 0x1_0000_0000;
const SMALLINT_MAX = 0x7fff;
const INT_MAX = 0x7fff_ffff;
const JSONB_VERSION = 1;
const UUID_LENGTH = 36;
const UUID_BYTES = 16;

const FORMATS: Readonly<Record<ElementType, Format>> = {
  uuid: { oid: 2950, size: () => UUID_BYTES, write: writeUuid },
  text: { oid: 25, size: byteLength, write: (value: string, to, at) => void to.write(value, at) },
  jsonb: {
    oid: 3802,
    size: (value) => 1 + byteLength(value),
    write(value: string, to, at) {
      to[at] = JSONB_VERSION;
      to.write(value, at + 1);
    },
  },
  smallint: {
    oid: 21,
    size: () => 2,
    write: (value: number, to, at) => void to.writeInt16BE(integer(value, SMALLINT_MAX), at),
  },
  int: {
    oid: 23,
    size: () => 4,
    write: (value: number, to, at) => void to.writeInt32BE(integer(value, INT_MAX), at),
  },
  bigint: { oid: 20, size: () => 8, write: (value: number, to, at) => writeInt64(value, to, at) },
  boolean: { oid: 16, size: () => 1, write: (value: boolean, to, at) => void (to[at] = value ? 1 : 0) },
  bytea: {
    oid: 17,
    size: (value) => (value as Uint8Array).length,
    write: (value: Uint8Array, to, at) => to.set(value, at),
  },
  timestamptz: {
    oid: 1184,
    size: () => 8,
    write: (value: Date, to, at) => writeInt64((value.getTime() - EPOCH_MS) * 1_000, to, at),
  },
};

/** Dimensions, whether there are nulls, and the element type; then the length and the lower bound of the dimension. */
const HEAD_BYTES = 12;
const DIMENSION_BYTES = 8;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * Returns an array in PostgreSQL's binary format. As text, each quote in a JSON body is escaped, and unescaped by the
 * server character by character; times are written as local time.
 */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, size, write } = FORMATS[type];
  let bytes = HEAD_BYTES + (values.length > 0 ? DIMENSION_BYTES : 0);
  let hasNull = 0;
  const sizes = values.map((value) => {
    const isNull = value === null || value === undefined;
    if (isNull) hasNull = 1;
    const length = isNull ? NULL_LENGTH : size(value);
    bytes += LENGTH_BYTES + Math.max(0, length);
    return length;
  });
  const array = Buffer.allocUnsafe(bytes);
  array.writeInt32BE(values.length > 0 ? 1 : 0, 0);
  array.writeInt32BE(hasNull, 4);
  array.writeInt32BE(oid, 8);
  if (values.length === 0) return array;
  array.writeInt32BE(values.length, HEAD_BYTES);
  array.writeInt32BE(1, HEAD_BYTES + 4);
  let at = HEAD_BYTES + DIMENSION_BYTES;
  for (let i = 0; i < values.length; i++) {
    const [value, length] = [values[i], sizes[i]!];
    array.writeInt32BE(length, at);
    at += LENGTH_BYTES;
    if (length === NULL_LENGTH) continue;
    write(value as never, array, at);
    at += length;
  }
  return array;
}

function byteLength(value: unknown): number {
  if (typeof value !== "string") throw new ElementError(`no text: ${typeof value}`);
  return Buffer.byteLength(value);
}

function integer(value: number, max: number): number {
  if (!Number.isInteger(value) || value > max || value < -max) throw new ElementError(`no integer to ${max}: ${value}`);
  return value;
}

function writeInt64(value: number, to: Buffer, at: number): void {
  const whole = integer(value, Number.MAX_SAFE_INTEGER);
  to.writeInt32BE(Math.floor(whole / TWO_32), at);
  to.writeUInt32BE(((whole % TWO_32) + TWO_32) % TWO_32, at + 4);
}

function writeUuid(value: string, to: Buffer, at: number): void {
  // A regular expression for the hyphens alone would take twice as long as all of this.
  const digits = value.slice(0, 8) + value.slice(9, 13) + value.slice(14, 18) + value.slice(19, 23) + value.slice(24);
  const isUuid = value.length === UUID_LENGTH && to.write(digits, at, UUID_BYTES, "hex") === UUID_BYTES;
  if (!isUuid) throw new ElementError(`no UUID: ${value}`);
}
