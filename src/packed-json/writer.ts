import {
  ARRAY,
  DECIMAL,
  DOUBLE,
  FALSE,
  INTEGER,
  NEGATIVE,
  NEGATIVE_DECIMAL,
  NULL,
  NUMBER,
  NUMBERED,
  OBJECT,
  SEEN,
  SEEN_SHORT,
  SEEN_SHORT_MAX,
  SMALL,
  SMALL_MAX,
  STRING,
  TIME,
  TRUE,
  UUID,
  WORD,
  WORDS_SHORT_MAX,
  WORD_SHORT,
} from "./tokens.ts";
import type { Known } from "./tokens.ts";

const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Powers of ten, for numbers with up to that many decimals. */
const SCALES = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Of larger ones the product with a scale may not be exact. */
const DECIMAL_MAX = 1e9;
/** Smaller ones may have an exponent in their text. */
const DECIMAL_MIN = 1e-6;
const NUMBERED_FORM = /^-[1-9]\d{0,5}$/;
const ISO_CHARACTERS = 24;
const UUID_CHARACTERS = 36;
/** Of strings up to this length the bytes surely fit into a varint of one byte. */
const SHORT_CHARACTERS = 42;
const VARINT_BITS = 0x80;
/** No value but a string takes as many bytes, nor what precedes a string. */
export const ROOM = 32;
const TIME_BYTES = 6;
const DOUBLE_BYTES = 8;

/** A shape by its number. */
export interface NumberedShape {
  readonly number: number;
  readonly members: readonly string[];
}

/** The vocabulary as the writer searches it. */
export interface Index {
  readonly numberOfWord: ReadonlyMap<string, number>;
  /** The shapes by their first member. */
  readonly shapes: ReadonlyMap<string, readonly NumberedShape[]>;
}

/** Writes a lead and a value into `bytes`. What does not fit has no packed form. */
export class Writer {
  /** False: a value came that has no packed form. */
  isPacked = true;
  #at = 0;
  #seenCount = 0;
  readonly #seen = new Map<string, number>();
  readonly #bytes: Buffer;
  readonly #index: Index;
  readonly #ownerId: string;

  constructor(bytes: Buffer, index: Index, { ownerId, strings }: Known) {
    this.#bytes = bytes;
    this.#index = index;
    this.#ownerId = ownerId;
    for (const each of strings) this.#see(each);
  }

  get length(): number {
    return this.#at;
  }

  written(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  /** Writes the string that is found by its bytes: so it is never the number of another. */
  lead(lead: string | null): void {
    if (lead === null) this.#byte(NULL);
    else this.#text(lead);
  }

  value(value: unknown): void {
    if (!this.#hasRoom(0)) this.isPacked = false;
    else if (typeof value === "string") this.#string(value);
    else if (typeof value === "number") this.#number(value);
    else if (value === null) this.#byte(NULL);
    else if (typeof value === "boolean") this.#byte(value ? TRUE : FALSE);
    else if (Array.isArray(value)) this.#array(value);
    else if (typeof value === "object") this.#object(value);
    else this.isPacked = false;
  }

  #array(values: readonly unknown[]): void {
    this.#byte(ARRAY);
    this.#varint(values.length);
    for (const each of values) {
      if (!this.isPacked) return;
      this.value(each);
    }
  }

  #object(value: object): void {
    const names = Object.keys(value);
    const shape = names[0] === undefined ? undefined : this.#shapeOf(names);
    if (!shape) {
      this.isPacked = false;
      return;
    }
    this.#byte(OBJECT + shape.number);
    for (let i = 0; i < names.length && this.isPacked; i++) this.value((value as Record<string, unknown>)[names[i]!]);
  }

  #shapeOf(names: readonly string[]): NumberedShape | undefined {
    return this.#index.shapes.get(names[0]!)?.find(({ members }) => isSame(members, names));
  }

  #string(value: string): void {
    const seen = this.#seen.get(value);
    if (seen !== undefined) return this.#numberOf(seen, SEEN_SHORT, SEEN_SHORT_MAX, SEEN);
    const word = this.#index.numberOfWord.get(value);
    if (word !== undefined) return this.#numberOf(word, WORD_SHORT, WORDS_SHORT_MAX, WORD);
    if (value.length === ISO_CHARACTERS && value.endsWith("Z") && this.#time(value)) return;
    if (value.length === UUID_CHARACTERS && UUID_FORM.test(value)) return this.#uuid(value);
    const { length } = this.#ownerId;
    if (length > 0 && value.startsWith(this.#ownerId) && NUMBERED_FORM.test(value.slice(length))) {
      this.#byte(NUMBERED);
      return this.#varint(Number(value.slice(length + 1)));
    }
    this.#text(value);
  }

  #numberOf(number: number, short: number, shortMax: number, long: number): void {
    if (number < shortMax) return this.#byte(short + number);
    this.#byte(long);
    this.#varint(number);
  }

  #time(value: string): boolean {
    const ms = timeOf(value);
    if (ms === null) return false;
    this.#byte(TIME);
    this.#at = this.#bytes.writeUIntBE(ms, this.#at, TIME_BYTES);
    this.#see(value);
    return true;
  }

  #uuid(value: string): void {
    this.#byte(UUID);
    this.#at += this.#bytes.write(value.replaceAll("-", ""), this.#at, "hex");
    this.#see(value);
  }

  #text(value: string): void {
    // A half of a surrogate pair has no UTF-8. A character has at most three bytes.
    if (!value.isWellFormed() || !this.#hasRoom(3 * value.length)) {
      this.isPacked = false;
      return;
    }
    this.#byte(STRING);
    if (value.length <= SHORT_CHARACTERS) {
      const length = this.#bytes.write(value, this.#at + 1);
      this.#byte(length);
      this.#at += length;
    } else {
      this.#varint(Buffer.byteLength(value));
      this.#at += this.#bytes.write(value, this.#at);
    }
    this.#see(value);
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) return this.#integer(value);
    if (this.#decimal(value)) return;
    if (!Number.isFinite(value)) {
      this.isPacked = false;
      return;
    }
    const amount = Math.abs(value);
    // Seven or more decimals are nine characters: their text, which takes longer than all else here, is not needed.
    const isLong = amount >= DECIMAL_MIN && amount < DECIMAL_MAX;
    const text = isLong ? "" : String(value);
    if (isLong || text.length > DOUBLE_BYTES) {
      this.#byte(DOUBLE);
      this.#at = this.#bytes.writeDoubleBE(value, this.#at);
      return;
    }
    this.#byte(NUMBER);
    this.#byte(text.length);
    this.#at += this.#bytes.write(text, this.#at, "latin1");
  }

  /** The quotient of two exact integers is the number nearest to it, and so the one that its digits mean. */
  #decimal(value: number): boolean {
    const amount = Math.abs(value);
    if (!(amount < DECIMAL_MAX)) return false;
    for (let digits = 1; digits <= SCALES.length; digits++) {
      const scale = SCALES[digits - 1]!;
      const scaled = Math.round(amount * scale);
      if (scaled / scale !== amount) continue;
      this.#byte(value < 0 ? NEGATIVE_DECIMAL : DECIMAL);
      this.#byte(digits);
      this.#varint(scaled);
      return true;
    }
    return false;
  }

  #integer(value: number): void {
    if (value >= 0 && value < SMALL_MAX) return this.#byte(SMALL + value);
    this.#byte(value >= 0 ? INTEGER : NEGATIVE);
    this.#varint(Math.abs(value));
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= VARINT_BITS) {
      this.#byte((rest % VARINT_BITS) + VARINT_BITS);
      rest = Math.floor(rest / VARINT_BITS);
    }
    this.#byte(rest);
  }

  #hasRoom(bytes: number): boolean {
    return this.#at + bytes + ROOM <= this.#bytes.length;
  }

  #byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  #see(value: string): void {
    this.#seen.set(value, this.#seenCount++);
  }
}

function isSame(members: readonly string[], names: readonly string[]): boolean {
  if (members.length !== names.length) return false;
  for (let i = 0; i < names.length; i++) if (members[i] !== names[i]) return false;
  return true;
}

/** The time that was parsed last: an event and the next of its subject often have the same. */
let lastTime = { text: "", ms: 0 };

/** The time whose text in UTC with milliseconds this is; null for any other text. */
function timeOf(text: string): number | null {
  if (lastTime.text === text) return lastTime.ms;
  const ms = Date.parse(text);
  if (!(ms >= 0) || new Date(ms).toISOString() !== text) return null;
  lastTime = { text, ms };
  return ms;
}
