import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Database } from "../../postgres/postgres.ts";
import { createTurns } from "../../queue/turns.ts";
import { countPasswordFailure, findPassword, forgetPasswordFailures } from "../users.store.ts";
import { ARGON2, PASSWORD_LENGTH, formatHash, lockMs, parseHash } from "./password.ts";
import type { Argon2Hash } from "./password.ts";

const argon2Async = promisify(argon2);

/** The outcome of a password. `userId`: the person with that e-mail address. "busy": too many wait. */
export type PasswordCheck =
  | { readonly kind: "right" | "wrong"; readonly userId: string }
  | { readonly kind: "unknown" | "locked" | "busy" };

/** Hashes and checks passwords, one at a time: each takes 19 MB and 40 ms of a core, and strangers can ask. */
export interface Passwords {
  /** Returns the hash to store; null: too many wait. */
  hash(password: string): Promise<string | null>;
  /**
   * Checks the password of an e-mail address, and counts failures. It takes the same time for an unknown address and
   * for a locked password, so that the time does not show either.
   */
  check(email: string, password: string): Promise<PasswordCheck>;
}

const TURNS = { waitingMax: 20, waitMsMax: 5_000 };
const DUMMY: Argon2Hash = {
  ...ARGON2,
  salt: Buffer.alloc(ARGON2.saltBytes),
  tag: Buffer.alloc(ARGON2.tagBytes),
};

/** Creates the passwords of one process. */
export function createPasswords({ database, now }: { database: Database; now: () => Date }): Passwords {
  const turns = createTurns(TURNS);
  const isRight = (password: string, stored: string | null) =>
    turns.run("hash", async () => {
      const hash = (stored && parseHash(stored)) || DUMMY;
      const isSame = timingSafeEqual(await tagOf(password, hash), hash.tag);
      return isSame && hash !== DUMMY;
    });
  return {
    hash: (password) =>
      turns.run("hash", async () => {
        const hash = { ...ARGON2, salt: randomBytes(ARGON2.saltBytes), tag: Buffer.alloc(ARGON2.tagBytes) };
        return formatHash({ ...hash, tag: await tagOf(password, hash) });
      }),
    check: async (email, password) => {
      const known = await findPassword(database, email);
      const isLocked = known?.lockedUntil != null && known.lockedUntil > now();
      const checked = await isRight(password.slice(0, PASSWORD_LENGTH.max), known?.hash ?? null);
      if (checked === null) return { kind: "busy" };
      if (!known) return { kind: "unknown" };
      if (isLocked) return { kind: "locked" };
      const { userId } = known;
      if (checked) {
        if (known.failures > 0) await forgetPasswordFailures(database, userId);
        return { kind: "right", userId };
      }
      const lockedUntil = (failures: number) => {
        const ms = lockMs(failures);
        return ms === 0 ? null : new Date(now().getTime() + ms);
      };
      await database.tx((tx) => countPasswordFailure(tx, userId, lockedUntil));
      return { kind: "wrong", userId };
    },
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
