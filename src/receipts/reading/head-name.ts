import type { ReceiptRow } from "./columns.ts";
import { squashed } from "./labels.ts";
import { ADDRESS_WORDS_BY_LANGUAGE, BUSINESS_WORDS_BY_LANGUAGE, NO_NAMES_BY_LANGUAGE } from "./words-by-language.ts";

// The name in a receipt's head, where no dictionary knows it: among slogans, addresses, companies and what the till says of itself.

/** A name in the head. `isCompany`: it has a legal form; `tradingName`: what then stands above it, null where nothing does. */
export type HeadName = {
  printedName: string;
  isCompany: boolean;
  tradingName: string | null;
  rowIndex: number;
  score: number;
};

/** The name is looked for in this many rows from the top; below stand addresses, then goods. */
const HEAD_ROWS = 12;

/** Words that end a company's name. */
const LEGAL_FORM =
  /\b(?:S\/B|SB|SDN|BHD|GMBH|OHG|KG|E\.?K|LTD|LIMITED|PLC|LLC|INC|CORP|CORPORATION|CO|PTY|PVT|S\.?A\.?S?|S\.?L\.?U?|S\.?R\.?L|S\.?P\.?A|SARL|EURL|PTE|LLP|ENTERPRISES?|TRADING|HOLDINGS?|STIFTUNG|AG|UG|GBR|B\.V|N\.V|BVBA|A\/S|APS|OY|SP\.?\s?Z\s?O\.?\s?O|S\.R\.O|KFT|ZRT|LDA|LTDA|TBK)\b\.?/i;
/** Nothing but the end of a name: `TRADING`, `(SEMENYIH) SDN BHD`. */
const BARE_FORM = /^(?:\(?[\w ]+\)\s*)?(?:SDN|BHD|GMBH|LTD|TRADING|ENTERPRISES?)\b[\w .]*$/i;
/** Words of a business. */
const BUSINESS_WORD = withWords(
  /\b(?:RESTAURANTE?|GASTHAUS|GASTHOF|WIRTSHAUS|BRAUHAUS|IMBISS|BRASSERIE|BISTROT|TRATTORIA|OSTERIA|GELATERIA|PASTICCERIA|PANIFICIO|ALIMENTARI|MINIMARKET|TABERNA|MESON|CERVECERIA|CAFETERIA|CARNICERIA|PESCADERIA|ULTRAMARINOS|HOFLADEN|METZGEREI|FLEISCHEREI|KONDITOREI|FEINKOST|BIOLADEN|PRIMEUR|BOUCHERIE|CHARCUTERIE|PATISSERIE|TRAITEUR|GREENGROCERS?|FARM|ARMS|INN|TAVERN|PUB|DINER|KOPITIAM|MINI MARKET|RESTORAN|RISTORANTE|CAFE|CAFFE|KAFFEE|BISTRO|BAR|PIZZERIA|BAKERY|BAKERIES|BACKEREI|BOULANGERIE|PANADERIA|SUPER\s?MARKETS?|SUPERMERCADOS?|SUPERMERCATO|SUPERMARCHE|MARKET|MARKT|MART|MINI|HYPERMARKET|STORES?|SHOP|PHARMACY|PHARMACIE|FARMACIA|APOTHEKE|KEDAI|PASAR|PERNIAGAAN|SYARIKAT|BOOKS?|STATIONE\w+|HARDWARE|FOODS?|DELI|GROCER\w*|BUTCHERS?|CASH & CARRY|KITCHEN|HOUSE|HOTEL|GRILL|SEAFOOD|CONFECTIONERY|SUPPLY|SERVICES?|COFFEE|ESPRESSO|ALIMENTACION|FRUTERIA|EPICERIE|FROMAGERIE|MACELLERIA)\b/i,
  BUSINESS_WORDS_BY_LANGUAGE,
);
const ADDRESS = withWords(
  /\b(?:JALAN|JLN|LOT|NO|TAMAN|STREET|ST|ROAD|RD|AVE|AVENUE|AVENIDA|AVDA|ALAMEDA|PASEO|LANE|HIGHWAY|HWY|PKWY|PARKWAY|BLVD|DRIVE|STR|STRASSE|STRABE|RUE|PLACE|CALLE|C\/|AVDA|PLAZA|VIA|PIAZZA|CORSO|VIALE|FLOOR|LEVEL|KUALA|SELANGOR|JOHOR|ALLEE|WEG|PLATZ|UNIT|SUITE|BANDAR|SEKSYEN|SECTION|BATU|PO BOX)\b|\d{4,}\s+[A-Z]|,\s?[A-Z]{2}\s+\d{5}\b|STRA[BS]+E\s*\d/i,
  ADDRESS_WORDS_BY_LANGUAGE,
);
/** A postcode (`HA1 2JN`, `M5V 2T6`, `VIC 3000`) or the number of premises (`Shop 3`, `Unit 12`); a name holds no figures beside commas. */
const PLACE =
  /\b[A-Z]{1,2}\d{1,2}[A-Z]?(?:\s?\d[A-Z]{2})?$|\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b|\b(?:NSW|VIC|QLD|TAS|ACT)\b\s*\d{0,4}$|^(?:shop|unit|lot|level|suite|stall|kiosk|blk|block)\.?\s?#?\d|\d.*,|,.*\d/i;
/** `Denver, CO 80204`: a state, not a company. */
const US_TOWN = /,\s*[A-Z]{2}\.?\s+\d{5}(?:-\d{4})?\s*$/;
/** `21-GROCERY`: a department. */
const DEPARTMENT = /^\d{2,}\s?-\s?\p{L}/u;
/** A house number behind or before the street. */
const HOUSE_NUMBER = /^\d{1,4}\s?[a-z]?[\s,]+\p{L}{2,}|\p{L}{3,}\.?,?\s\d{1,4}\s?[a-z]?$/iu;
const NOT_A_NAME = withWords(
  /\b(?:TEL|FAX|PHONE|GST|VAT|SST|ABN|TIN|REG|ROC|CO\.? ?NO|INVOICE|RECEIPT|TAX|CASHIER|SERVED BY|DATE|DATUM|WWW|HTTP|WELCOME|THANK|COPY|CUSTOMER|FORMERLY|LICENSEE|REF|GOODS|PLEASE|DUPLICATE|REPRINT|OPEN|HOURS|OFFNUNGSZEITEN|VISIT|TICKET|BON|KUNDENBELEG|QUITTUNG|RECHNUNG|FACTURA|SIMPLIFICADA|SCONTRINO|DOCUMENTO|BIENVENUE|BIENVENIDO|WILLKOMMEN|UID|SHOPPING)\b|:\s*\S/i,
  NO_NAMES_BY_LANGUAGE,
);
/** `Welcome to`: what follows is the name. */
const GREETING = /^\W*welcome\s+(?:to|at)\s+(?:the\s+)?/i;
/** Words of sentences, hardly of names: of a slogan two or more, or one beside an end of a sentence. */
const SENTENCE_WORD = /\b(?:the|for|of|us|you|your|we|our|on|in|is|are|all|more|less|it|to|with|that|this|every|good|better|best|low|real|fresh)\b/gi; // prettier-ignore

/** Who owns it, below its name. */
const OWNER = /^(?:di|inh\.?|inhaber\w*|titular\w*|fam\.?|familie|m\.? et mme)\s/i;

/** A pattern that also finds any of the alternatives, as a word. */
function withWords(pattern: RegExp, words: string): RegExp {
  return new RegExp(String.raw`${pattern.source}|\b(?:${words})\b`, "i");
}

/** The head ends where the list begins; a list at the very top is the tail of another receipt. */
export function headRows(listStart: number): number {
  return listStart < 3 ? HEAD_ROWS : Math.min(HEAD_ROWS, listStart);
}

/** Whether a text is a street with a house number. */
export function isStreet(text: string): boolean {
  return HOUSE_NUMBER.test(text.trim()) && ADDRESS.test(text);
}

/** Whether a text holds the legal form of a company. */
export function hasLegalForm(text: string): boolean {
  return LEGAL_FORM.test(text);
}

/** A row's text without registration numbers and ornaments: `*** REWE ***` → `REWE`, `AEON CO. (M) BHD. (126926-H)` → `AEON CO. (M) BHD.`. */
export function printedPart(text: string): string {
  return text
    .replace(GREETING, "")
    .replace(/[([]?\s*[A-Z]{0,3}\d{4,}\s*[-.]?\s*[A-Z]?\s*[)\]]?\s*$/i, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)!]+$/gu, "")
    .replace(/\s{2,}/g, " ")
    .trim();
}

type Candidate = { printedName: string; rowIndex: number; score: number };

/** A row that is neither address nor slogan nor far down scores this much. */
const SURE_SCORE = 0.4;

/** The name of a shop that no dictionary knows, from the rows above its list; null where none of them looks like a name. */
export function nameInHead(rows: readonly ReceiptRow[], listStart: number): HeadName | null {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b);
  const medianHeight = heights[heights.length >> 1] ?? 1;
  const head = rows.slice(0, headRows(listStart));
  const candidates = head.flatMap((row, rowIndex): Candidate[] => {
    const printedName = printedPart(row.text);
    if (!mayBeName(row, printedName, rowIndex)) return [];
    return [{ printedName, rowIndex, score: nameScore(row, printedName, rowIndex, medianHeight) }];
  });
  // Nothing but ornaments and numbers above it: most shops begin with their name.
  const [first] = candidates;
  if (first) first.score += 0.1;
  const best = candidates.reduce<Candidate | null>((a, b) => (a === null || b.score > a.score ? b : a), null);
  if (!best || best.score < 0.1) return null;
  // Both what the shop goes by and its company: `NEW WORLD`, `Chaffers Foods Ltd`.
  const company = candidates.find(({ printedName, score }) => hasLegalForm(printedName) && score >= SURE_SCORE) ?? best;
  const printedName = withContinuation(company.printedName, company.rowIndex, rows);
  const isCompany = hasLegalForm(company.printedName) && company.score >= SURE_SCORE;
  const isApart =
    isCompany &&
    first !== undefined &&
    first.rowIndex < company.rowIndex &&
    first.score >= SURE_SCORE &&
    !printedName.includes(first.printedName);
  return {
    printedName,
    isCompany,
    tradingName: isApart ? first.printedName : null,
    rowIndex: company.rowIndex,
    score: Math.min(0.9, company.score),
  };
}

function mayBeName(row: ReceiptRow, text: string, index: number): boolean {
  // Where the head is missing, the first rows are goods with their prices.
  if (row.amounts.at(-1)?.end === row.text.length) return false;
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  return (
    letters >= 3 &&
    letters >= 0.5 * text.replace(/\s/g, "").length &&
    !NOT_A_NAME.test(text) &&
    !DEPARTMENT.test(text) &&
    !(index > 0 && OWNER.test(text)) &&
    // The heading of a list.
    (row.cells.length < 3 || hasLegalForm(text)) &&
    !US_TOWN.test(row.text)
  );
}

function nameScore(row: ReceiptRow, text: string, index: number, medianHeight: number): number {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
  // `117 Fairford Rd Unley SA`: a state, not a company.
  const isCompany = hasLegalForm(text) && !(/^\d{1,4}\s/.test(plain) && ADDRESS.test(plain));
  let score = 0.5 - 0.035 * index;
  if (isCompany) score += 0.3;
  if (BUSINESS_WORD.test(plain)) score += 0.12;
  // `Maple Street Grill & Bar` is named after its street.
  const isAddress = HOUSE_NUMBER.test(plain) || (ADDRESS.test(plain) && !BUSINESS_WORD.test(plain));
  if (PLACE.test(plain) && !isCompany) score -= 0.4;
  else if (isAddress && ADDRESS.test(plain) && !isCompany) score -= 0.4;
  else if (HOUSE_NUMBER.test(plain) && !isCompany) score -= 0.3;
  score += 0.12 * Math.min(2, Math.max(-1, row.height / medianHeight - 1));
  // Handwriting and print showing through are read with doubt.
  score -= 1.2 * Math.max(0, 0.9 - Math.min(...row.cells.map((cell) => cell.score)));
  const words = plain.split(/\s+/).length;
  if (/^[a-z]/.test(text) && words > 2) score -= 0.15;
  const sentenceWords = plain.match(SENTENCE_WORD)?.length ?? 0;
  if (words > 2 && (sentenceWords >= 2 || (sentenceWords === 1 && /[.!]$/.test(text)))) score -= 0.3;
  return score;
}

/** A name over two rows: the second one is nothing but the rest of it, ending in the legal form. */
function withContinuation(printedName: string, rowIndex: number, rows: readonly ReceiptRow[]): string {
  const next = rows[rowIndex + 1];
  const previous = rows[rowIndex - 1];
  if (
    next &&
    !LEGAL_FORM.test(printedName) &&
    LEGAL_FORM.test(next.text) &&
    !ADDRESS.test(next.text) &&
    !NOT_A_NAME.test(next.text)
  ) {
    return `${printedName} ${printedPart(next.text)}`;
  }
  const isRest = squashed(withoutLegalForm(printedName)).length < 3 || BARE_FORM.test(printedName);
  const continues = isRest && previous && !ADDRESS.test(previous.text) && !NOT_A_NAME.test(previous.text);
  return continues ? `${printedPart(previous.text)} ${printedName}` : printedName;
}

/** A company's name without its legal form and what is in brackets: `AEON CO. (M) BHD` → `AEON`. */
export function withoutLegalForm(name: string): string {
  const bare = name.replace(/\([^)]*\)/g, " ").replace(new RegExp(LEGAL_FORM.source, "gi"), " ").replace(/\s{2,}/g, " ").trim(); // prettier-ignore
  return squashed(bare).length >= 2 ? bare : name;
}
