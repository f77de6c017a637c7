import { compactKey } from "../rows/labels.ts";
import { anyGluedWordOf, anyPhraseOf, anyUnitOf, anyWholeWordOf, anyWordOf } from "../languages/notation.ts";
import { plainLetters } from "../languages/plain-letters.ts";
import { MEASURES } from "../languages/language.ts";
import { measureWords, patternsOf, wordsOf } from "../languages/vocabulary.ts";

// Recognises rows of the header: a company, a business, an address, a slogan, or a text of the till.

/** Words that end a company's name. */
const LEGAL_FORM = new RegExp(String.raw`${anyWordOf(wordsOf("legalForms"))}\.?`, "i");
const LEGAL_FORMS = new RegExp(LEGAL_FORM.source, "gi");
/** Only the end of a name: `TRADING`, `(SEMENYIH) SDN BHD`. */
const BARE_FORM = new RegExp(String.raw`^(?:\(?[\w ]+\)\s*)?${anyWordOf(wordsOf("nameEnds"))}[\w .]*$`, "i");
/** Words of a business. */
const BUSINESS_WORD = new RegExp(anyWordOf(wordsOf("businesses")), "i");
/** Words of an address, a postcode before a town, a state and its ZIP code. */
const ADDRESS = new RegExp(String.raw`${anyWordOf(wordsOf("addresses"))}|\d{4,}\s+[A-Z]|,\s?[A-Z]{2}\s+\d{5}\b`, "i");
/** A word of so few letters is in names of other languages too: `Al Súper`, `No Frills`. */
const SHORT_ADDRESS_MAX = 3;
const isShortAddress = (word: string): boolean => word.replace(/[^a-z]/g, "").length <= SHORT_ADDRESS_MAX;
const LONG_ADDRESS = anyWordOf(wordsOf("addresses").filter((word) => !isShortAddress(word)));
const SHORT_ADDRESS = anyWordOf(wordsOf("addresses").filter(isShortAddress));
/**
 * A street or a town without a figure: it begins or ends with its word (`Calle Mayor`, `HIGH STREET`), or has a short
 * one with its point (`ul. Rynek`). Of 1941 chains 70 had any word of an address, in some language.
 */
const STREET_NAME = new RegExp(
  String.raw`^${LONG_ADDRESS}|${LONG_ADDRESS}\W*$|^${SHORT_ADDRESS}(?:\.|/)|${SHORT_ADDRESS}\.\W*$|\s${SHORT_ADDRESS}\.\s`,
  "i",
);
/**
 * A postcode (`HA1 2JN`, `M5V 2T6`, `VIC 3000`) or the number of premises (`Shop 3`, `Unit 12`); a name has no figures
 * beside commas.
 */
const PLACE = new RegExp(
  String.raw`${patternsOf("places")}|^(?:${anyUnitOf(wordsOf("premises"))})\.?\s?#?\d|\d.*,|,.*\d`,
  "i",
);
/** `Denver, CO 80204`, `LA CROSSE WI 54601`: a state, not a company. */
const TOWN = new RegExp(patternsOf("towns"));
/** `21-GROCERY`: a department. */
const DEPARTMENT = /^\d{2,}\s?-\s?\p{L}/u;
/** A house number behind or before the street. */
const HOUSE_NUMBER = /^\d{1,4}\s?[a-z]?[\s,]+\p{L}{2,}|\p{L}{3,}\.?,?\s\d{1,4}\s?[a-z]?$/iu;
/** Words of the till and the document, and a label before a colon. */
const NOT_A_NAME = new RegExp(String.raw`${anyWordOf(wordsOf("notNames"))}|:\s*\S`, "i");
/** `Welcome to`: the name follows. */
const GREETING = new RegExp(
  String.raw`^\W*${anyPhraseOf(wordsOf("greetings"))}\s+(?:${anyWordOf(wordsOf("articles"))}\s+)?`,
  "i",
);
/** Texts of the till: `Order #118`, `TABLE 12`, `GUEST CHECK`. */
const SERVICE_ROW = new RegExp(
  String.raw`^\W*${anyWordOf(wordsOf("tillRows"))}\W*$|^\W*${anyGluedWordOf(wordsOf("numberedRows"))}\W*${anyGluedWordOf(wordsOf("numberWords"))}?\W*\d+\b`,
  "i",
);
/** Words that address the customer, in slogans in capitals. */
const APPEAL = new RegExp(anyWholeWordOf(wordsOf("appeals")), "gi");

/** Words of praise: `FRESH BAKED DAILY`, `SMACZNIE I TANIO`. */
const PRAISE = new RegExp(anyWholeWordOf(wordsOf("praises")), "gi");

function praisesIn(text: string): number {
  return (text.match(APPEAL)?.length ?? 0) + (text.match(PRAISE)?.length ?? 0);
}

/**
 * Whether a text is a slogan: written as a sentence (`The fresh food people`, `Eat well. Live well.`) or addressed to
 * the customer.
 */
export function isSlogan(text: string): boolean {
  const words = text.split(/\s+/);
  // A full stop behind a short word may mark an abbreviation: `FRUTAS HNOS. MOLINA`.
  if (
    /\p{L}{5}[.!]\s+\p{L}{2}|\p{L}{3}[.!]\s+\p{L}.*[.!]$|\p{L}{4}[.!]$/u.test(text) &&
    words.length > 2 &&
    !hasLegalForm(text)
  )
    return true;
  if (words.length < 3) return false;
  // `Good food - good mood`: names go on with a capital behind a dash.
  if (words.length > 3 && /\p{L}{3}\s[-–]\s\p{Ll}{3}/u.test(text) && !isBusiness(text)) return true;
  // `Fresh every day`, but `Casa da sogra`, `Kafe på hjørnet`: short words link the parts of a name.
  const isSmall = words.slice(1).every((word) => /^\p{Ll}{3,}[!.]?$/u.test(word));
  if (isSmall && words.slice(1).some((word) => /^\p{L}{4}/u.test(word)) && !isBusiness(text)) return true;
  // Small words are small in names too (`Osteria dei Sapori`), and a business may be named in small letters.
  const later = words.slice(1).filter((word) => /^\p{L}{4}/u.test(word));
  if (later.length >= 2 && !isBusiness(text) && later.every((word) => /^\p{Ll}/u.test(word))) return true;
  const plain = plainLetters(text);
  if ((plain.match(APPEAL)?.length ?? 0) >= 2) return true;
  return praisesIn(plain) >= 2 && !isBusiness(text) && !hasLegalForm(text);
}

/** Whether a text ends in a town and its state. */
export function isTown(text: string): boolean {
  return TOWN.test(text);
}

/** A zero beside letters is an O: `EXTRAT0`, `CUP0M`. */
const ZERO_IN_WORD = /(?<=[A-Za-z]{2})0(?![\d.,])|(?<![\d.,])0(?=[A-Za-z]{2})/g;

const UNITS: ReadonlySet<string> = new Set(MEASURES.flatMap(measureWords));

/** Whether a text has only units and single letters: names of columns, `kg  £/kg  £`. */
function isOfUnits(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  return words.some((word) => UNITS.has(word)) && words.every((word) => word.length === 1 || UNITS.has(word));
}

/** Whether a text is of the till or the document, and so is no name. */
export function isNoName(text: string): boolean {
  const words = plainLetters(text).replace(ZERO_IN_WORD, "O");
  return NOT_A_NAME.test(words) || SERVICE_ROW.test(words) || DEPARTMENT.test(text) || isOfUnits(text);
}

/** Whether a text has a word of a business. */
export function isBusiness(text: string): boolean {
  return BUSINESS_WORD.test(plainLetters(text));
}

const BUSINESS_WORDS = new RegExp(BUSINESS_WORD.source, "gi");

/** Between what a shop sells: `FOOD HALL - WINE BAR - DINING`, `Fotocopy, ATK, Print`. */
const TRADE_MARK = /\s[-–•·|/*]\s|,\s/;
/** A list of trades has this many, each of two words at most. */
const TRADES_MIN = 3;
const TRADE_WORDS_MAX = 2;

/** A name of two letters behind a word that links it: `TASCA DO ZÉ`. */
const SHORT_NAME = /\s(?:d[aeiou]|de la)\s\p{L}{2}$/iu;

/** Whether a text lists what is sold. */
export function isListOfTrades(text: string): boolean {
  const parts = text.split(TRADE_MARK).map((part) => part.trim());
  const isShort = (part: string): boolean => /^\p{L}/u.test(part) && part.split(/\s+/).length <= TRADE_WORDS_MAX;
  return parts.length >= TRADES_MIN && parts.every(isShort) && !/\d/.test(text) && !hasLegalForm(text);
}

/**
 * Whether a text has only words of a business (`BOULANGERIE PATISSERIE`, `UGOSTITELJSKA RADNJA`), so that the name is
 * on another row.
 */
export function isTradeOnly(text: string): boolean {
  if (isListOfTrades(text)) return true;
  if (SHORT_NAME.test(text)) return false;
  const plain = plainLetters(text);
  const words = plain.split(/[^\p{L}]+/u).filter((word) => word.length > 2);
  return words.length > 0 && (words.every(isBusiness) || !/\p{L}{3}/u.test(plain.replace(BUSINESS_WORDS, " ")));
}

/** `SHOPPING CENTER NORTE`, `C.C. GRAN VIA 2`, `MALL KELAPA GADING 3`, `Forum Kauppakeskus`. */
const MALL = new RegExp(
  String.raw`^\W*${anyWordOf(wordsOf("malls"))}\s+\p{L}{2}|\p{L}{2}\W+${anyWordOf(wordsOf("malls"))}(?:\s\d{1,2})?\W*$`,
  "iu",
);

/** Whether a text names a mall, and so no shop. */
export function isMall(text: string): boolean {
  return MALL.test(plainLetters(text)) && !hasLegalForm(text) && !isBusiness(text);
}

/** All of a row: `GREENE KING`, `LOUIS FITZGERALD GROUP`. */
const GROUP = new RegExp(String.raw`^\W*(?:\p{L}+\s){0,2}${anyWordOf(wordsOf("groups"))}\W*$`, "iu");

/** Whether a text names a brewery or a group, and so perhaps not the house. */
export function isGroup(text: string): boolean {
  return GROUP.test(plainLetters(text)) && !hasLegalForm(text);
}

/** Whether a text has a word of an address. */
export function hasAddressWord(text: string): boolean {
  return ADDRESS.test(plainLetters(text));
}

/** Whether a text begins or ends with a house number. */
export function hasHouseNumber(text: string): boolean {
  return HOUSE_NUMBER.test(plainLetters(text));
}

/**
 * Whether a text is an address: a place, or a street that is no business (`Maple Street Grill & Bar`) and no company
 * (unless in South Australia: `117 Fairford Rd Unley SA`).
 */
export function isAddress(text: string): boolean {
  const plain = plainLetters(text);
  if (hasLegalForm(text) && !(/^\d{1,4}\s/.test(plain) && ADDRESS.test(plain))) return false;
  if (PLACE.test(plain)) return true;
  if (!/[\d,]/.test(plain)) return STREET_NAME.test(plain.trim()) && !BUSINESS_WORD.test(plain);
  return ADDRESS.test(plain) && (HOUSE_NUMBER.test(plain) || !BUSINESS_WORD.test(plain));
}

/** Whether a text is only the end of a company's name. */
export function isBareForm(text: string): boolean {
  return BARE_FORM.test(plainLetters(text));
}

/** Whether a text is a street with a house number. */
export function isStreet(text: string): boolean {
  const plain = plainLetters(text.trim());
  return HOUSE_NUMBER.test(plain) && ADDRESS.test(plain);
}

/** Whether a text has the legal form of a company. */
export function hasLegalForm(text: string): boolean {
  return LEGAL_FORM.test(plainLetters(text));
}

/**
 * Returns a row's text without registration numbers and ornaments: `*** REWE ***` → `REWE`, `AEON CO. (M) BHD.
 * (126926-H)` → `AEON CO. (M) BHD.`.
 */
export function printedPart(text: string): string {
  return text
    .replace(OWNER_BEHIND, "")
    .replace(GREETING, "")
    .replace(FOUNDED, "")
    .replace(NUMBER_BEHIND, "")
    .replace(/[([]?\s*[A-Z]{0,3}\d{4,}\s*[-.]?\s*[A-Z]?\s*[)\]]?\s*$/i, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)!]+$/gu, "")
    .replace(/\s{2,}/g, " ")
    .trim();
}

/** The owner behind a name of two words at least: `SZR Lipa vl. Ana Horvat`, not `Gasthof Fam. Huber`. */
const OWNER_BEHIND = new RegExp(
  String.raw`(?<=\p{L}\P{L}+\p{L}.*)\s${anyWordOf(wordsOf("owners"))}\.:?\s+\p{L}.*$`,
  "iu",
);

/** The year when the shop was founded: `POLVILLO DESDE 1946`. */
const FOUNDED = new RegExp(
  String.raw`[\s(,–-]{0,3}\b(?:${anyPhraseOf(wordsOf("founded"))})[\s.:]{0,3}(?:1[6-9]|20)\d{2}\W*$`,
  "iu",
);

/** A registration number with its label behind a name: `BOI DE OURO LTDA - CNPJ 11.223.344/0001-55`. */
const NUMBER_BEHIND = /(?<=\p{L}{3}.*)[\s,–-]+\p{L}{2,6}\.?\s?:?\s?\d[\d./-]{8,20}\s*$/u;

/** A registration number with its label before something else: `CNPJ: 12.345.678/0001-90 `. */
const NUMBER_BEFORE = /^\W*\p{L}{2,6}\.?\s?:?\s?\d[\d./-]{8,20}\s+(?=\p{L}{2})/u;

/** Returns a text without a registration number before the name of a company. */
export function withoutNumberBefore(text: string): string {
  const rest = text.replace(NUMBER_BEFORE, "");
  return hasLegalForm(rest) ? rest : text;
}

/** Returns a company's name without its legal form and what is in brackets: `AEON CO. (M) BHD` → `AEON`. */
export function withoutLegalForm(name: string): string {
  const bare = withoutForms(name.replace(/\([^)]*\)/g, " "))
    .replace(/\s{2,}/g, " ")
    .trim();
  return compactKey(bare).length >= 2 ? bare : name;
}

/** Legal forms are found in plain letters (`A.Ş.`), each in its own place, and taken out of the name as printed. */
function withoutForms(name: string): string {
  const plain = name
    .split("")
    .map((letter) => plainLetters(letter).charAt(0) || letter)
    .join("");
  return [...plain.matchAll(LEGAL_FORMS)].reduceRight(
    (rest, { index, 0: form }) => `${rest.slice(0, index)} ${rest.slice(index + form.length)}`,
    name,
  );
}
