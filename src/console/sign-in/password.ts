/** Lengths of passwords in characters. Longer ones would cost more to hash than they add. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** The cost of argon2id: OWASP's Password Storage Cheat Sheet, its second choice. About 40 ms of a core. */
export const ARGON2 = { memoryKiB: 19_456, passes: 2, parallelism: 1, tagBytes: 32, saltBytes: 16 } as const;

/** Wrong passwords that are free; each further one locks the password for twice as long, up to a quarter of an hour. */
const FREE_FAILURES = 4;
const FIRST_LOCK_MS = 15_000;
const LOCK_MS_MAX = 900_000;

/** Returns how long a password is locked after a number of failures, in ms; 0: not. */
export function lockMs(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(LOCK_MS_MAX, FIRST_LOCK_MS * 2 ** Math.min(10, failures - FREE_FAILURES - 1));
}

/** A stored hash in the PHC format, with its parameters: a later release may change them. */
export interface Argon2Hash {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns the text that is stored for a hash. */
export function formatHash({ memoryKiB, passes, parallelism, salt, tag }: Argon2Hash): string {
  const encoded = [salt, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${encoded.join("$")}`;
}

/** Parses a stored hash; null for any other text. */
export function parseHash(text: string): Argon2Hash | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** Why a new password is refused. */
export type PasswordError = "short" | "long" | "different";

/** Returns why a new password, typed twice, is refused; null: it is fine. */
export function passwordError(password: string, repeated: string): PasswordError | null {
  if (password.length < PASSWORD_LENGTH.min) return "short";
  if (password.length > PASSWORD_LENGTH.max) return "long";
  return password === repeated ? null : "different";
}
