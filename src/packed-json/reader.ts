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
  SMALL,
  STRING,
  TIME,
  TRUE,
  UUID,
  WORD,
  WORD_SHORT,
} from "./tokens.ts";
import type { Known, Vocabulary } from "./tokens.ts";

const VARINT_BITS = 0x80;
const TIME_BYTES = 6;
const DOUBLE_BYTES = 8;
const UUID_BYTES = 16;

/** Reads values. Throws for bytes that no writer has written. */
export class Reader {
  #at = 0;
  #bytes: Buffer;
  readonly #vocabulary: Vocabulary;
  readonly #ownerId: string;
  readonly #seen: string[];

  constructor(bytes: Buffer, vocabulary: Vocabulary, { ownerId, strings }: Known) {
    this.#bytes = bytes;
    this.#vocabulary = vocabulary;
    this.#ownerId = ownerId;
    this.#seen = [...strings];
  }

  /** The bytes after what was read. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** Reads the only value of other bytes, with the strings that came before. */
  last(bytes: Buffer): unknown {
    this.#bytes = bytes;
    this.#at = 0;
    const value = this.value();
    if (this.#at !== bytes.length) throw new Error("packed JSON with more bytes than its value");
    return value;
  }

  value(): unknown {
    const token = this.#byte();
    if (token >= SEEN_SHORT) return this.#known(this.#seen, token - SEEN_SHORT);
    if (token >= WORD_SHORT) return this.#known(this.#vocabulary.words, token - WORD_SHORT);
    if (token >= SMALL) return token - SMALL;
    if (token >= OBJECT) return this.#object(token - OBJECT);
    if (token === NULL) return null;
    if (token === TRUE || token === FALSE) return token === TRUE;
    if (token === SEEN) return this.#known(this.#seen, this.#varint());
    if (token === WORD) return this.#known(this.#vocabulary.words, this.#varint());
    if (token === NUMBERED) return `${this.#ownerId}-${this.#varint()}`;
    if (token === STRING || token === TIME || token === UUID) return this.#string(token);
    if (token === ARRAY) return Array.from({ length: this.#varint() }, () => this.value());
    return this.#number(token);
  }

  #object(number: number): object {
    const shape = this.#known(this.#vocabulary.shapes, number);
    // Not by entries: a pair for each member took a third of the time of reading, and most of its garbage.
    const object: Record<string, unknown> = {};
    for (const name of shape) object[name] = this.value();
    return object;
  }

  #string(token: number): string {
    const value = this.#newString(token);
    this.#seen.push(value);
    return value;
  }

  #newString(token: number): string {
    if (token === TIME) return new Date(this.#bytes.readUIntBE(this.#take(TIME_BYTES), TIME_BYTES)).toISOString();
    if (token === STRING) return this.#text("utf8", this.#varint());
    const hex = this.#text("hex", UUID_BYTES);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }

  #number(token: number): number {
    if (token === INTEGER) return this.#varint();
    if (token === NEGATIVE) return -this.#varint();
    if (token === DOUBLE) return this.#bytes.readDoubleBE(this.#take(DOUBLE_BYTES));
    if (token === NUMBER) return Number(this.#text("latin1", this.#byte()));
    if (token !== DECIMAL && token !== NEGATIVE_DECIMAL) throw new Error(`packed JSON with token ${token}`);
    const digits = this.#byte();
    const value = this.#varint() / 10 ** digits;
    return token === DECIMAL ? value : -value;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= VARINT_BITS) {
      const byte = this.#byte();
      value += (byte % VARINT_BITS) * scale;
      if (byte < VARINT_BITS) return value;
    }
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  #text(encoding: BufferEncoding, length: number): string {
    const from = this.#take(length);
    return this.#bytes.toString(encoding, from, from + length);
  }

  /** Passes over bytes, and returns the place of the first. */
  #take(length: number): number {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Error("packed JSON that ends too early");
    return from;
  }

  #known<Value>(values: readonly Value[], number: number): Value {
    const value = values[number];
    if (value === undefined) throw new Error(`packed JSON with a number that is not known: ${number}`);
    return value;
  }
}
