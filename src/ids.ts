/**
 * A UUID of version 7 (RFC 9562): 48 bits of milliseconds, then random bits.
 * `random` gives 10 fresh bytes. Ids of later milliseconds sort after earlier ones as text and as uuid.
 */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(nowMs) << 16n);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return format(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
}

/**
 * The first of `candidate` and the successor of `last`: an id above the last one, whatever the clock did.
 * The successor counts up within the random bits below the variant, 62 bits wide, so that it stays a valid version 7.
 */
export function idAbove(candidate: string, last: string | null): string {
  if (last === null || candidate > last) return candidate;
  const value = BigInt(`0x${last.replaceAll("-", "")}`);
  const low = (1n << 62n) - 1n;
  if ((value & low) === low) throw new Error("no id left in this millisecond");
  return format(value + 1n);
}

/** Whether a text has the form of our ids; anything else cannot name an object of ours. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

function format(value: bigint): string {
  const hex = value.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
