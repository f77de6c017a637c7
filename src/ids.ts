/**
 * Creates a UUID of version 7 (RFC 9562): 48 bits of milliseconds, then random bits. `random` must be 10 new random
 * bytes. Ids of later milliseconds sort after earlier ones, as text and as uuid.
 */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  return uuidv7Of(nowMs, Buffer.from(random.buffer, random.byteOffset, 10).toString("hex"));
}

/** The same from 20 new random hexadecimal digits. */
export function uuidv7Of(nowMs: number, digits: string): string {
  // By text operations: an intake needs half a dozen ids, and arithmetic on BigInts takes six times as long.
  if (lastTime.ms !== nowMs) lastTime = { ms: nowMs, prefix: prefixOf(nowMs) };
  const variant = VARIANTS[Number.parseInt(digits[4]!, 16) & 3]!;
  return `${lastTime.prefix}${digits.slice(1, 4)}-${variant}${digits.slice(5, 8)}-${digits.slice(8)}`;
}

const VARIANTS = "89ab";

/** The millisecond of the id that was made last: a batch has many ids of one. */
let lastTime = { ms: 0, prefix: prefixOf(0) };

/** The first 15 digits and hyphens of all ids of a millisecond. */
function prefixOf(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/**
 * Returns the id with `position` (0 to 4095) in place of its first 12 random bits: ids of one millisecond then sort by
 * position. 62 random bits are left.
 */
export function idAtPosition(id: string, position: number): string {
  return `${id.slice(0, 15)}${position.toString(16).padStart(3, "0")}${id.slice(18)}`;
}

/**
 * Returns an id above `last`, even if the clock went back: `candidate`, if that is above, else the successor of `last`.
 * The successor increments the 62 random bits below the variant, so that it stays a valid version 7.
 */
export function idAbove(candidate: string, last: string | null): string {
  if (last === null || candidate > last) return candidate;
  const value = BigInt(`0x${last.replaceAll("-", "")}`);
  const low = (1n << 62n) - 1n;
  if ((value & low) === low) throw new Error("no id left in this millisecond");
  return format(value + 1n);
}

/** Creation time of an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * An id below all ids that are created from this millisecond on, and above all earlier ones. Below all ids for a time
 * before 1970.
 */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Whether a text has the form of an id. Other texts cannot be the id of any object. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

function format(value: bigint): string {
  const hex = value.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
