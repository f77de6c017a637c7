import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { createTurns } from "../queue/turns.ts";
import { ARGON2, formatHash, parseHash } from "./password.ts";
import type { Argon2Hash } from "./password.ts";

const argon2Async = promisify(argon2);

/** Hashes passwords and compares them, one at a time: each takes 19 MB and 40 ms of a core, and strangers can ask. */
export interface Passwords {
  /** Returns the hash to store; null: too many wait. */
  hash(password: string): Promise<string | null>;
  /**
   * Returns whether a password has a stored hash; null: too many wait. With `stored` null it is false after the same
   * time, so that the time does not show whether there is such a person.
   */
  isRight(password: string, stored: string | null): Promise<boolean | null>;
}

const TURNS = { waitingMax: 20, waitMsMax: 5_000 };
const DUMMY: Argon2Hash = {
  ...ARGON2,
  salt: Buffer.alloc(ARGON2.saltBytes),
  tag: Buffer.alloc(ARGON2.tagBytes),
};

/** Creates the passwords of one process. */
export function createPasswords(): Passwords {
  const turns = createTurns(TURNS);
  return {
    hash: (password) =>
      turns.run("hash", async () => {
        const hash = { ...ARGON2, salt: randomBytes(ARGON2.saltBytes), tag: Buffer.alloc(ARGON2.tagBytes) };
        return formatHash({ ...hash, tag: await tagOf(password, hash) });
      }),
    isRight: (password, stored) =>
      turns.run("hash", async () => {
        const hash = (stored && parseHash(stored)) || DUMMY;
        const isSame = timingSafeEqual(await tagOf(password, hash), hash.tag);
        return isSame && hash !== DUMMY;
      }),
  };
}

async function tagOf(password: string, { memoryKiB, passes, parallelism, salt, tag }: Argon2Hash): Promise<Buffer> {
  return argon2Async("argon2id", {
    message: password.normalize("NFKC"),
    nonce: salt,
    parallelism,
    tagLength: tag.length,
    memory: memoryKiB,
    passes,
  });
}
