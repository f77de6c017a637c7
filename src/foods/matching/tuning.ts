/*
 * The weights of the matcher: what to change when names are matched badly. `npm run eval:foods -- FOLDER` shows the
 * effect of a change; halves b, e, g, h, l, m and o of eval/names.jsonl are never read, so that nothing can be
 * fitted to them.
 *
 * A weight without a source was set by hand on 2026-11-21. Half a of eval/names.jsonl and matching.dev.jsonl are the
 * names to tune with.
 *
 * A name passes these steps:
 *  1. Readings: each word of the query gets the catalogue words it may mean, with a similarity from 0 to 1.
 *  2. Names: the names that share words with the query, by the weight of the words they share.
 *  3. Scores: how well each name fits, times the factors of what the query says beside it.
 *  4. Confidence: the chance that the match is right.
 *  5. Products: the confidence where a product, and not its name, says which food it is.
 */

// 1. Readings

/** The most readings of one word. */
export const READINGS_MAX = 5;
/** Lowest similarity of an abbreviation or a prefix. Below it there were more wrong foods than right ones. */
export const SIMILARITY_MIN = 0.6;
/** Similarity of a word that is the beginning of another: at least `base`, more the more of it is there. */
export const PREFIX = { base: 0.7, byShare: 0.25 };
/** Similarity lost by each edit of a misspelt word, as a share of its length. */
export const EDIT_COST = 1.2;
/** Similarity of a word that is the consonants of another (`CHKN` for chicken). */
export const SKELETON = {
  base: 0.9,
  /** Lost for each letter below five: three letters in all are more often another word. */
  perMissingLetter: 0.06,
  /** Lost where it ends in a vowel: abbreviations leave out vowels. */
  vowelAtEnd: 0.1,
  /** Lost by the share of the word's consonants that are left out. */
  consonantsSkipped: 0.5,
  /** Lost for each letter of the word beyond twice the abbreviation. */
  perExtraLetter: 0.02,
  /** Gained by the same last letter: the last letter skipped is mostly the s of a plural. */
  sameEnd: 0.06,
};
/** Words up to this length may be whole or cut (`VAN`, `CHAMP`), so both are read. */
export const SHORT_WORD_MAX = 5;
/** Factor of the longer words that a short known word may be cut from. */
export const SHORT_GUESS_FACTOR = 0.72;
/** Factor of those longer words where the short word is known only by its stem (`ENT` of Ente). */
export const SHORT_STEM_GUESS_FACTOR = 0.9;
/** Factor of a short word that is known only by its stem, where it may be cut as well. */
export const SHORT_STEM_FACTOR = 0.85;
/** Least similarity of a word that a full stop cuts short: it is surely a beginning. */
export const CUT_SIMILARITY = 0.88;
/** Similarity of the word before the slash of `S/ONION`, where most names hold that pair. */
export const INITIAL_SIMILARITY = 0.85;
/** Shares of `INITIAL_SIMILARITY`: fixed, and by how many names hold the pair. */
export const INITIAL_SHARES = { fixed: 0.8, byCount: 0.2 };
/** Least similarity of the word that the part behind the slash is short for (`F/FNGRS`). */
export const SPELLED_OUT_SIMILARITY = 0.8;
/** A word whose form no name holds, found by its stem. */
export const STEM_SIMILARITY = 0.97;
/** A word found by writing its umlauts without the `e` that tills print (`KAESE`). */
export const UMLAUT_FACTOR = 0.95;
/** A word whose first letter was misread, and the shortest one that is looked for. Set by hand. */
export const MISREAD_FACTOR = 0.85;
export const MISREAD_WORD_MIN = 6;
/** The parts of a compound where both are known (`Erdbeerjoghurt`). */
export const COMPOUND_FACTOR = 0.95;
/** The end of a compound whose beginning is unknown. */
export const COMPOUND_TAIL_FACTOR = 0.7;
/** Fewest letters of the last part of a compound that a full stop cuts, and of the part before it. */
export const CUT_PART_MIN = 3;
export const CUT_COMPOUND_FRONT_MIN = 4;
/** A word that is both an abbreviation and a word (`pot`) is more often the abbreviation: factor of the word. */
export const LITERAL_FACTOR = 0.9;
/** A longer query is cut: no till prints more words, and the work stays bounded. */
export const WORDS_MAX = 16;

// 2. Names

/** A word that says little (`fresh`, `large`) counts this share of its weight. */
export const NOISE_FACTOR = 0.15;
/** Factor of a word by its emphasis: in full, as noise, or as a hint from the food of a brand. */
export const EMPHASIS = { full: 1, noise: NOISE_FACTOR, hint: 0.5 } as const;
/** A word that no name holds is mostly a brand: it counts this share of the mean word's weight. */
export const UNKNOWN_FACTOR = 0.22;
/** A guessed word may be a brand too: its weight falls towards an unknown word's by this power of its similarity. */
export const GUESS_EXPONENT = 3;
/**
 * Factor of a word that heads no name (`mild`, `smoked`): it says how a thing is, and less what it is. With it 0.8
 * points more ingredients of the taxonomy are right and no list is worse; 0.8 and less cost receipt lines.
 */
export const NEVER_HEAD_FACTOR = 0.9;
/** Factor of a word behind `with` or `in`: what the food comes with. */
export const ADDITION_FACTOR = 0.7;
/** Names that explain less of the query than this share of what the best name explains are dropped. */
export const NAME_WORTH_SHARE = 0.35;

// 3. Scores

/** The share of the query that is explained counts with this power; the share of the name with its square root. */
export const QUERY_SHARE_EXPONENT = 0.9;
/** Factors where the head of the name and of the query differ: found somewhere in the other, or not at all. */
export const HEADS_DIFFER = { nameHeadFound: 0.9, nameHeadMissing: 0.72, queryHeadFound: 0.97, queryHeadMissing: 0.8 };
/** Factor of a food where a word of the query is in the names of things that nobody eats (`dog`, `floor`). */
export const NON_FOOD_WORD_FACTOR = 0.55;
/** Factor of a food where the query says smoked, dried or breaded and the food is not. */
export const UNPROCESSED_FACTOR = 0.8;
/** Factor of a food of another animal than the name says (`blanquette de poulet`, `turkey chilli`). */
export const OTHER_ANIMAL_FACTOR = 0.7;
/** Factor of a taste behind what comes in flavours: tills print the flavour last (`MILCHREIS ZIMT`). */
export const FLAVOUR_FACTOR = 0.6;
/** Factor of an ingredient beside a whole dish (`butternut squash risotto`): the dish is made of it. */
export const OF_DISH_FACTOR = 0.7;
/** From this share and similarity on a name counts as whole in the query, spelt as it is. */
export const WHOLE = 0.97;
/** Candidates scoring below this share of the best one are dropped before the lead is computed. */
export const CANDIDATE_WORTH_SHARE = 0.25;
/** The most candidates after ranking. */
export const CANDIDATES_MAX = 10;
/** Least similarity of a word, or its plural, that says the thing is no food. */
export const NON_FOOD_SIMILARITY = 0.97;
/** Least similarity of the part of a compound that is its head (`Pizzaschneider`). */
export const NON_FOOD_PART_SIMILARITY = 0.94;
/** From this similarity on a word that food has in its names says nothing about being no food. */
export const EATEN_SIMILARITY = 0.9;
/** Least similarity of a word that says the food is processed. */
export const PROCESS_SIMILARITY = 0.9;
/** Least similarity of a word that says which animal a food is of. */
export const ANIMAL_SIMILARITY = 0.85;

// 4. Confidence

/** Below it a match is more likely wrong than right. */
export const ACCEPTED_CONFIDENCE = 0.5;
/** Confidence of a name that is in the catalogue word for word. */
export const EXACT_CONFIDENCE = 0.99;
/** Highest confidence of a name that means its food only roughly, or another food elsewhere. */
export const ROUGH_CONFIDENCE = 0.7;
/** Highest confidence of any other name: only the catalogue's own names and brands reach 0.9. */
export const READ_CONFIDENCE_MAX = 0.89;
/** Highest confidence of a food whose name says it is something else (`pizza cutter`). */
export const SOMETHING_ELSE_CONFIDENCE_MAX = 0.3;
/** Confidence of the food of a brand by itself. */
export const BRAND_CONFIDENCE = 0.93;
/** Confidence of the food of a brand beside other words that do not win against it. */
export const BRAND_WITH_WORDS_CONFIDENCE = 0.82;
/** Confidence of the food of a brand whose other words may well mean another thing (`FAIRY TALE BAKERY RYE BREAD`). */
export const DISPUTED_BRAND_CONFIDENCE = 0.6;
/** Above this confidence the other words win against the brand. */
export const OTHER_THAN_BRAND_CONFIDENCE = 0.7;
/** Largest weight of a small piece of fruit or a nut. On a receipt a single one (`FRAISE`) is often a flavour. */
export const SMALL_PIECE_G = 20;

/**
 * A logistic regression over 7,100 names that are not in the catalogue word for word: hand-labelled lines (half a of
 * the evaluation's own names among them), categories, ingredients and products of Open Food Facts (coarser labels, so
 * they weigh less). The constant is 0.4 above the fit's, which the coarse labels pull down: hand-labelled names came
 * out eight points too low. The price: on product names, whose labels are no finer than their category, it is too
 * sure (docs/data.md, "Matching").
 */
export const REGRESSION = {
  constant: -4.55,
  score: 1.08,
  lead: 2.18,
  groupLead: 1.71,
  similarity: -0.52,
  nameShare: 2.99,
  queryShare: 2.28,
};
/** The lead over other foods, and over those of other groups, is cut to these bounds. */
export const LEAD_MAX = 0.3;
export const GROUP_LEAD_MAX = 0.2;

/**
 * Doubt, in logits, where an unknown word is in the place of the one that says what the thing is (`tartelette abricot`,
 * `garlic chahan`). Of products of Open Food Facts matched with 0.8 and more, this share had figures far from the
 * matched food's: 41 % where the first word in French or Spanish was unknown and the food is a flavour, 35 % where it
 * is another food; 39 and 18 % where the last word was unknown in English or German; 15 % where every word was known.
 */
export const UNKNOWN_HEAD_DOUBT = { headFirst: { flavour: 2, other: 0.9 }, headLast: { flavour: 1.3, other: 0.4 } };
/**
 * The same for typed names: people who type what they ate leave brands out, so an unknown word names a dish (`beef
 * Wellington`).
 */
export const UNKNOWN_DISH_DOUBT = 0.8;
/**
 * Doubt, in logits, of a guessed word that fits foods of several groups alike (`VOLLKORN.`: rice, bread, flour or
 * pasta).
 */
export const TIE_DOUBT = 1.2;
/** A lead over other groups below this is a tie. */
export const TIE = 0.02;
/** Below this similarity a word was guessed. */
export const SURE_SPELLING = 0.97;

// 5. Products

/**
 * Confidence of a food that a product's source names by an id of our catalogue, or by a CIQUAL code: it may be the
 * nearest one.
 */
export const REFERENCE_CONFIDENCE = { foodId: 1, ciqual: 0.95 };
/** Confidence of a product found by its GTIN: it is read without doubt, and almost surely on the right thing. */
export const GTIN_CONFIDENCE = 0.99;
/**
 * Highest confidence of products of one name, all of one food: that of a catalogue name that matches but for a word.
 */
export const PRODUCT_NAME_CONFIDENCE = 0.9;
/**
 * Fat, carbohydrates and protein that differ by more than this in all, in grams of 100, are another food's: of 276
 * labelled products of Open Food Facts whose name was matched with 0.5 and more, 62 % were right below it and 31 %
 * above.
 */
export const NUTRITION_DIFFERENCE_MAX_G = 30;
/** Factor of the confidence in such a food. */
export const NUTRITION_DIFFERENT_FACTOR = 0.55;
