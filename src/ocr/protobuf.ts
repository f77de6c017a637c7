// The wire format of Protocol Buffers, as far as ONNX models need it.

/** A field of a message: a number, or the bytes of a text or message. `raw` is the encoded field itself. */
export interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
  readonly raw: Uint8Array;
}

/** An encoded message in parts. Nested messages are copied once, by `concatenated`, and not once a level. */
export interface Encoded {
  readonly length: number;
  readonly parts: readonly Uint8Array[];
}

/** Reads the fields of a message. */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < message.length) {
    const start = at;
    const [key, afterKey] = varintAt(message, at);
    const wire = key & 7;
    let value: Field["value"];
    if (wire === 0) [value, at] = varintAt(message, afterKey);
    else {
      const [length, from] = wire === 2 ? varintAt(message, afterKey) : [wire === 5 ? 4 : 8, afterKey];
      value = message.subarray(from, from + length);
      at = from + length;
    }
    fields.push({ number: key >>> 3, value, raw: message.subarray(start, at) });
  }
  return fields;
}

/** Reads a packed list of numbers. */
export function packedNumbers(value: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < value.length;) {
    const [number, end] = varintAt(value, at);
    numbers.push(number);
    at = end;
  }
  return numbers;
}

/** Returns the bytes of a field's value. Throws RangeError for a number. */
export function bytesOf(value: Field["value"]): Uint8Array {
  if (typeof value === "number") throw new RangeError("a number where a message was expected");
  return value;
}

/** Returns the text of a field. Throws RangeError for a number. */
export function textOf({ value }: Field): string {
  return Buffer.from(bytesOf(value)).toString();
}

/** Reads little-endian floats. Copies them, since floats in a message need not be aligned to four bytes. */
export function floatsOf(raw: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(raw).buffer);
}

/** Encodes a field with a non-negative whole number. */
export function intField(number: number, value: number): Encoded {
  return encoded(Uint8Array.from([...varint(8 * number), ...varint(value)]));
}

/** Encodes a field with a float. */
export function floatField(number: number, value: number): Encoded {
  return joined([encoded(Uint8Array.of(8 * number + 5)), encoded(bytesOfFloats(Float32Array.of(value)))]);
}

/** Encodes a field with bytes, a text or a message. */
export function bytesField(number: number, value: Encoded | Uint8Array | string): Encoded {
  const content = typeof value === "string" ? encoded(Buffer.from(value)) : "parts" in value ? value : encoded(value);
  return joined([encoded(Uint8Array.from([...varint(8 * number + 2), ...varint(content.length)])), content]);
}

/** Returns encoded bytes unchanged, as a part of a message. */
export function encoded(bytes: Uint8Array): Encoded {
  return { length: bytes.length, parts: [bytes] };
}

/** Joins encoded fields to a message, without a copy. */
export function joined(fields: readonly Encoded[]): Encoded {
  return {
    length: fields.reduce((sum, { length }) => sum + length, 0),
    parts: fields.flatMap(({ parts }) => parts),
  };
}

/** Copies an encoded message into one array. */
export function concatenated({ length, parts }: Encoded): Uint8Array {
  return Buffer.concat(parts, length);
}

/** Returns floats as little-endian bytes, without a copy. */
export function bytesOfFloats({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads the number at an index, and the index of its end. Exact up to 2^53; negative numbers don't occur in models. */
function varintAt(message: Uint8Array, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from, scale = 1; ; scale *= 128) {
    const byte = message[at++]!;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
