// Referral codes: short enough to be read out, and too many to be guessed.

/** Without I, O, 0 and 1, which people confuse. 32 letters: each has 5 bits. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** 40 bits: with a million users one in a million guesses is somebody's code, and it gives the guesser nothing else. */
const LETTERS = 8;
export const CODE_BYTES = LETTERS;

/** A code from as many random bytes, in two groups. */
export function referralCode(random: Uint8Array): string {
  const letters = Array.from(random.subarray(0, LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`;
}

/** The code that a person typed, in the form of `referralCode`; null: it can be none. */
export function readCode(typed: string): string | null {
  const letters = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  const isCode = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`).test(letters);
  return isCode ? `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}` : null;
}
