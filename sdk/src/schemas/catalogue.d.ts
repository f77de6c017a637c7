// Written by generate.ts from the service's OpenAPI document: change that, not this.

/** A name that your application has taught the meaning of. */
export interface Alias {
  /** The alias's id. */
  readonly id: string;
  /** As taught. */
  readonly name: string;
  /** At which merchant; empty: at any. */
  readonly merchantName: string;
  /** The food or product that it means; empty where it means a GTIN. */
  readonly foodId: string;
  /** The GTIN that it means, 14 digits; else empty. */
  readonly gtin: string;
  /** Who taught it: your application, or the operator for it. */
  readonly author: "api" | "operator";
  /** When it was taught. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** One alias. */
export interface AliasAnswer {
  readonly alias: Alias;
}

/** A page of aliases. */
export interface AliasList {
  /** The newest first. */
  readonly aliases: readonly (Alias)[];
  /** How many there are in all. */
  readonly count: number;
}

/** A food that a name may mean. What is known and not rated (a bag, wine) has nulls. */
export interface Candidate {
  /** Send it as `foodId` to mean this very food. */
  readonly foodId: string;
  /** The food's name. */
  readonly name: string;
  /** How sure it is that the name means this food. */
  readonly confidence: number;
  /** Sure enough to be credited. */
  readonly accepted: boolean;
  /** Kilograms of CO2-equivalent for one kilogram; null: not rated. */
  readonly co2ePerKg: number | null;
  /** Carbon rating; null: not rated. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5 | null;
  /** Health rating; null: not rated. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5 | null;
  /** Where the figure for CO2e is from, as `<source>:<code>`. */
  readonly carbonDataSource: string;
}

/** What a name may mean. */
export interface Candidates {
  /** The likeliest first; empty where no word is known. */
  readonly candidates: readonly (Candidate)[];
  /** The name as it was read, your own words replaced by what they mean. */
  readonly readAs: string;
}

/** What a name means. Either `foodId` or `gtin` is wanted. */
export interface NewAlias {
  /** The name as your receipts or users have it. */
  readonly name: string;
  /** Only at this merchant; left out or empty: at any. */
  readonly merchantName?: string | undefined;
  /** What it means: a food of the catalogue, or a product of your own. This or `gtin`. */
  readonly foodId?: string | undefined;
  /** What it means: a product by the number under its bar code. This or `foodId`. */
  readonly gtin?: string | undefined;
}

/** A word of your own, such as an abbreviation of your tills. */
export interface NewWord {
  /** One word with a letter in it. */
  readonly word: string;
  /** What is read in its place; empty: it says nothing. */
  readonly means: string;
}

/** What was asked to be removed is gone. */
export interface Removed {
  /** Of what is gone. */
  readonly id: string;
}

/** A word that your application has taught. */
export interface Word {
  /** The word's id. */
  readonly id: string;
  /** As words are compared: lower case, no accents. */
  readonly word: string;
  /** What is read in its place; empty: it says nothing about the food. */
  readonly means: string;
  /** Who taught it: your application, or the operator for it. */
  readonly author: "api" | "operator";
  /** When it was taught. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** One word. */
export interface WordAnswer {
  readonly word: Word;
}

/** A page of words. */
export interface WordList {
  /** The newest first. */
  readonly words: readonly (Word)[];
  /** How many there are in all. */
  readonly count: number;
}
