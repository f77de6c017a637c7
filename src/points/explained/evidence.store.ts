// Evidence that many records share is stored once, by the hash of its text. Nothing is removed: it is bounded by what
// the catalogue and products say, some 500 bytes for each food, and not by the number of records.
import { hash } from "node:crypto";
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bytea, statement, text } from "../../postgres/statement.ts";
import { createRemembered } from "./remembered.ts";
import type { Remembered } from "./remembered.ts";

/** Bytes of a hash: two texts with the same one would need 2^64 texts made for it. */
export const HASH_BYTES = 16;

interface Evidence {
  readonly hash: Buffer;
  readonly content: string;
}

const NEW = arrayColumns<Evidence>({
  hash: ["bytea", (evidence) => evidence.hash],
  content: ["text", ({ content }) => content],
});
const INSERT = statement(
  "evidence.insert",
  {},
  // In one order, so that two txs with the same new evidence never wait for each other in a circle.
  `INSERT INTO evidence (${NEW.names}) SELECT * FROM ${NEW.unnest} AS new (${NEW.names}) ORDER BY hash
         ON CONFLICT DO NOTHING`,
);
const READ = statement(
  "evidence.read",
  { hash: bytea, content: text },
  "SELECT hash, content FROM evidence WHERE hash = ANY ($1)",
);

/** What this process knows to be stored, for each database that it has open. */
const remembered = new WeakMap<object, Remembered>();

/**
 * Stores evidence that is new, in the tx of the record that refers to it. Returns the hashes of each record, one after
 * the other. A text is known to be stored only after a commit.
 */
export async function storeEvidence(tx: Tx, records: readonly (readonly string[])[]): Promise<Buffer[]> {
  const known = rememberedOf(tx);
  const unknown = new Map<string, Evidence>();
  const hashes = records.map((texts) =>
    Buffer.concat(
      texts.map((content) => {
        const digest = hashOf(content);
        const key = digest.toString("latin1");
        if (!known.has(key)) unknown.set(key, { hash: digest, content });
        return digest;
      }),
    ),
  );
  if (unknown.size > 0) {
    await tx.query(INSERT, NEW.values([...unknown.values()]));
    tx.afterCommit(() => known.add(unknown.keys()));
  }
  return hashes;
}

/** Reads the evidence of records by their hashes. Throws if one is missing: `ledger verify` names its record. */
export async function readEvidence(tx: Tx, records: readonly (Buffer | null)[]): Promise<string[][]> {
  const wanted = new Map<string, Buffer>();
  const keys = records.map((hashes) => {
    const digests = hashes ? splitHashes(hashes) : [];
    return digests.map((digest) => {
      const key = digest.toString("latin1");
      wanted.set(key, digest);
      return key;
    });
  });
  if (wanted.size === 0) return keys.map(() => []);
  const rows = await tx.query(READ, [[...wanted.values()]]);
  const contents = new Map(rows.map((row) => [row.hash.toString("latin1"), row.content]));
  return keys.map((own) =>
    own.map((key) => {
      const content = contents.get(key);
      if (content === undefined) throw new Error("the evidence of a record is missing");
      return content;
    }),
  );
}

function hashOf(content: string): Buffer {
  return hash("sha256", content, "buffer").subarray(0, HASH_BYTES);
}

function splitHashes(hashes: Buffer): Buffer[] {
  return Array.from({ length: hashes.length / HASH_BYTES }, (_, i) =>
    hashes.subarray(HASH_BYTES * i, HASH_BYTES * (i + 1)),
  );
}

function rememberedOf({ origin }: Tx): Remembered {
  let known = remembered.get(origin);
  if (!known) remembered.set(origin, (known = createRemembered(() => performance.now())));
  return known;
}
