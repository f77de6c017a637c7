// Voucher codes: those that integrators load, and those that the service makes.

export const CODE_LENGTH_MAX = 64;
/** Loading as many holds the lock on the reward for some 20 ms. */
export const CODES_A_REQUEST_MAX = 1_000;
/** Bounds of what an application stores here: a row of a code has about 150 bytes with its indexes. */
export const CODES_OF_REWARD_MAX = 100_000;
export const CODES_OF_APPLICATION_MAX = 1_000_000;

/** The same as the constraint of the table. It can be in a path as it is. */
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** Without I, O, 0 and 1, which people confuse. 32 letters: each has 5 bits. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
export const MADE_CODE_BYTES = 12;

/** A code of 12 letters, 60 bits, from as many secret random bytes. */
export function madeCode(random: Uint8Array): string {
  return Array.from(random.subarray(0, MADE_CODE_BYTES), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
