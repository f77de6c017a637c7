// The tokens of packed JSON: the first byte of each value. They are stored: a change is a new version.

export const VERSION = 1;
/** The same, and all but the lead is deflated. */
export const DEFLATED_VERSION = 2;

export const NULL = 0;
export const TRUE = 1;
export const FALSE = 2;
/** A string that came before, or a word: its number as a varint. */
export const SEEN = 3;
export const WORD = 4;
/** Length in bytes as a varint, then UTF-8. */
export const STRING = 5;
/** Six bytes: ms since 1970. Its text is RFC 3339 in UTC with milliseconds. */
export const TIME = 6;
/** Sixteen bytes. Its text is in small letters. */
export const UUID = 7;
/** Varints. */
export const INTEGER = 8;
export const NEGATIVE = 9;
/** Digits after the point in a byte, then all digits as a varint. */
export const DECIMAL = 10;
export const NEGATIVE_DECIMAL = 11;
/** Any other number of a short text: its length in a byte, and its text. */
export const NUMBER = 12;
/** The id of a line: the owner's id, which both sides know, a hyphen, and this varint. */
export const NUMBERED = 13;
/** Number of elements as a varint, then these. */
export const ARRAY = 14;
/** Any other number: eight bytes, IEEE 754. */
export const DOUBLE = 15;
/** And the number of a shape, below 32: then the values of its members. */
export const OBJECT = 16;
/** And an integer below 16. */
export const SMALL = 48;
/** And the number of a word, below 64. */
export const WORD_SHORT = 64;
/** And the number of a string that came before, below 128. */
export const SEEN_SHORT = 128;

export const SHAPES_MAX = SMALL - OBJECT;
export const SMALL_MAX = WORD_SHORT - SMALL;
export const WORDS_SHORT_MAX = SEEN_SHORT - WORD_SHORT;
export const SEEN_SHORT_MAX = 256 - SEEN_SHORT;

/** What both sides know. Places in the lists are stored: append only, and never remove. */
export interface Vocabulary {
  /** Members of objects, in the order of their text. */
  readonly shapes: readonly (readonly string[])[];
  /** Strings that come often. The first take one byte each. */
  readonly words: readonly string[];
}

/** What the writer and the reader of one value know beside the vocabulary. */
export interface Known {
  /** The first part of the ids of its lines. */
  readonly ownerId: string;
  readonly strings: readonly string[];
}
