// JSON in few bytes: members by their place in a known shape, a string that came before by its number, times, ids and
// numbers in binary. An event of a food takes a sixth of its text, and 2 µs. Deflate with a dictionary takes 30 to 50:
// it is only for what is still long.
//
// The form is read for good: shapes and words are only appended, and any other change is a new version (tokens.ts).
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Reader } from "./reader.ts";
import { DEFLATED_VERSION, SHAPES_MAX, VERSION } from "./tokens.ts";
import type { Known, Vocabulary } from "./tokens.ts";
import { ROOM, Writer } from "./writer.ts";
import type { Index } from "./writer.ts";

/** What is longer, before it is deflated, is left to PostgreSQL, which compresses it. */
const BYTES_MAX = 80_000;
/** What is longer is deflated: receipts, and meals of a dozen ingredients. */
const DEFLATED_FROM = 600;

/** What is deflated has some thousand bytes: by itself, Node allocates 16 kB for each. */
const INFLATE = { chunkSize: 4_096 };

/** Packs and unpacks values of one vocabulary. */
export interface PackedJson {
  /**
   * Packs a value. `lead` is a string that is found by its bytes (`packedLead`). Null: there is an object of another
   * shape in it, or it is too long.
   */
  pack(value: unknown, lead: string | null, known: Known): Buffer | null;
  /** Returns the value, its members in the order of its text. */
  unpack(packed: Buffer, known: Known): unknown;
}

/** The bytes after the version of all that is packed with this lead. */
export function packedLead(lead: string): Buffer {
  const writer = new Writer(
    Buffer.alloc(3 * lead.length + ROOM),
    { numberOfWord: new Map(), shapes: new Map() },
    { ownerId: "", strings: [] },
  );
  // Without halves of surrogate pairs, which are in nothing that is packed.
  writer.lead(lead.toWellFormed());
  return writer.written();
}

/** Creates the two directions. */
export function createPackedJson(vocabulary: Vocabulary): PackedJson {
  const { shapes, words } = vocabulary;
  if (shapes.length > SHAPES_MAX) throw new Error(`at most ${SHAPES_MAX} shapes`);
  const index: Index = {
    numberOfWord: new Map(words.map((word, i) => [word, i])),
    shapes: Map.groupBy(
      shapes.map((members, number) => ({ members, number })),
      ({ members }) => members[0]!,
    ),
  };
  const bytes = Buffer.allocUnsafeSlow(BYTES_MAX);
  return {
    pack(value, lead, known) {
      bytes[0] = VERSION;
      const writer = new Writer(bytes.subarray(1), index, known);
      writer.lead(lead);
      const valueFrom = 1 + writer.length;
      writer.value(value);
      if (!writer.isPacked) return null;
      const end = 1 + writer.length;
      return end <= DEFLATED_FROM ? Buffer.from(bytes.subarray(0, end)) : deflated(bytes, valueFrom, end);
    },
    unpack(packed, known) {
      const version = packed[0];
      if (version !== VERSION && version !== DEFLATED_VERSION) throw new Error(`packed JSON of version ${version}`);
      const reader = new Reader(packed.subarray(1), vocabulary, known);
      reader.value();
      const rest = reader.rest();
      return reader.last(version === VERSION ? rest : inflateRawSync(rest, INFLATE));
    },
  };
}

/** The lead stays as it is. */
function deflated(bytes: Buffer, valueFrom: number, end: number): Buffer {
  const lead = Buffer.from(bytes.subarray(0, valueFrom));
  lead[0] = DEFLATED_VERSION;
  return Buffer.concat([lead, deflateRawSync(bytes.subarray(valueFrom, end), { level: 9 })]);
}
