import { containsNearly, folded, squashed, standsNearly } from "./labels.ts";
import type { ReceiptRow } from "./columns.ts";

/** What sort of business sold. */
export type MerchantKind = "grocery" | "restaurant" | "online" | "other";

/**
 * A chain: its usual name, how its receipts spell it (company names too), and what else gives it away. `country` is null where it trades in several.
 * VAT ids, with their country's letters, are only ones seen on the chain's own receipts; websites without `www.`.
 */
export type ChainMerchant = {
  name: string;
  spellings: readonly string[];
  kind: MerchantKind;
  country: string | null;
  vatIds: readonly string[];
  websites: readonly string[];
};

/** The chains known, as in data/merchants.jsonl; operators may add their own. */
export type MerchantDictionary = readonly ChainMerchant[];

/** The dictionary from the text of a file of one JSON object a line. Throws on a line that is none. */
export function toMerchantDictionary(jsonLines: string): MerchantDictionary {
  return jsonLines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ChainMerchant);
}

/** Who sold. `printedName` as on the receipt, `chain` where the dictionary knows it, `rowIndex` of the name where it was printed. */
export type MerchantFinding = {
  printedName: string;
  chain: ChainMerchant | null;
  rowIndex: number | null;
  score: number;
};

/** The name is looked for in this many rows from the top; below stand addresses, then goods. */
const HEAD_ROWS = 12;
const FIT_MIN = 0.82;

/** Words that end a company's name. */
const LEGAL_FORM =
  /\b(?:S\/B|SB|SDN|BHD|GMBH|OHG|KG|E\.?K|LTD|LIMITED|PLC|LLC|INC|CORP|CO|S\.?A\.?S?|S\.?L\.?U?|S\.?R\.?L|S\.?P\.?A|SARL|EURL|PTE|ENTERPRISES?|TRADING|HOLDINGS?|STIFTUNG)\b\.?/i;
/** Nothing but the end of a name: `TRADING`, `(SEMENYIH) SDN BHD`. */
const BARE_FORM = /^(?:\(?[\w ]+\)\s*)?(?:SDN|BHD|GMBH|LTD|TRADING|ENTERPRISES?)\b[\w .]*$/i;
/** Words of a business. */
const BUSINESS_WORD =
  /\b(?:RESTAURANTE?|GASTHAUS|GASTHOF|WIRTSHAUS|BRAUHAUS|IMBISS|BRASSERIE|BISTROT|TRATTORIA|OSTERIA|GELATERIA|PASTICCERIA|PANIFICIO|ALIMENTARI|MINIMARKET|TABERNA|MESON|CERVECERIA|CAFETERIA|CARNICERIA|PESCADERIA|ULTRAMARINOS|HOFLADEN|METZGEREI|FLEISCHEREI|KONDITOREI|FEINKOST|BIOLADEN|PRIMEUR|BOUCHERIE|CHARCUTERIE|PATISSERIE|TRAITEUR|GREENGROCERS?|FARM|ARMS|INN|TAVERN|PUB|DINER|KOPITIAM|MINI MARKET|RESTORAN|RISTORANTE|CAFE|CAFFE|KAFFEE|BISTRO|BAR|PIZZERIA|BAKERY|BAKERIES|BACKEREI|BOULANGERIE|PANADERIA|SUPER\s?MARKETS?|SUPERMERCADOS?|SUPERMERCATO|SUPERMARCHE|MARKET|MARKT|MART|MINI|HYPERMARKET|STORES?|SHOP|PHARMACY|PHARMACIE|FARMACIA|APOTHEKE|KEDAI|PASAR|PERNIAGAAN|SYARIKAT|BOOKS?|STATIONE\w+|HARDWARE|FOODS?|DELI|GROCER\w*|BUTCHERS?|CASH & CARRY|KITCHEN|HOUSE|HOTEL|GRILL|SEAFOOD|CONFECTIONERY|SUPPLY|SERVICES?|COFFEE|ALIMENTACION|FRUTERIA|EPICERIE|FROMAGERIE|MACELLERIA)\b/i;
const ADDRESS =
  /\b(?:JALAN|JLN|LOT|NO|TAMAN|STREET|ST|ROAD|RD|AVE|AVENUE|AVENIDA|AVDA|ALAMEDA|PASEO|LANE|HIGHWAY|BLVD|DRIVE|STR|STRASSE|STRABE|RUE|PLACE|CALLE|C\/|AVDA|PLAZA|VIA|PIAZZA|CORSO|VIALE|FLOOR|LEVEL|KUALA|SELANGOR|JOHOR|ALLEE|WEG|PLATZ|UNIT|SUITE|BANDAR|SEKSYEN|SECTION|BATU|PO BOX)\b|\d{4,}\s+[A-Z]|,\s?[A-Z]{2}\s+\d{5}\b|STRA[BS]+E\s*\d/i;
/** `Denver, CO 80204`: a state, not a company. */
const US_TOWN = /,\s*[A-Z]{2}\.?\s+\d{5}(?:-\d{4})?\s*$/;
/** `21-GROCERY`: a department. */
const DEPARTMENT = /^\d{2,}\s?-\s?\p{L}/u;
/** A house number behind or before the street. */
const HOUSE_NUMBER = /^\d{1,4}\s?[a-z]?[\s,]+\p{L}{2,}|\p{L}{3,}\.?,?\s\d{1,4}\s?[a-z]?$/iu;
const WEB_ADDRESS = /www|http|@|\.com\b/i;
const NOT_A_NAME =
  /\b(?:TEL|FAX|PHONE|GST|VAT|SST|REG|ROC|CO\.? ?NO|INVOICE|RECEIPT|TAX|CASHIER|DATE|DATUM|WWW|HTTP|WELCOME|THANK|COPY|CUSTOMER|FORMERLY|LICENSEE|REF|GOODS|PLEASE|DUPLICATE|OPEN|HOURS|OFFNUNGSZEITEN|VISIT|TICKET|BON|KUNDENBELEG|QUITTUNG|RECHNUNG|FACTURA|SIMPLIFICADA|SCONTRINO|DOCUMENTO|BIENVENUE|BIENVENIDO|WILLKOMMEN|UID|SHOPPING)\b/i;

/** The merchant: by the dictionary (VAT id, website, name in the head, name elsewhere), else by the head of the receipt; null where neither names one. */
export function findMerchant(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
): MerchantFinding | null {
  return chainIn(rows, listStart, dictionary) ?? nameInHead(rows, listStart);
}

/** The head ends where the list begins; a list at the very top is the tail of another receipt. */
function headRows(listStart: number): number {
  return listStart < 3 ? HEAD_ROWS : Math.min(HEAD_ROWS, listStart);
}

function chainIn(
  rows: readonly ReceiptRow[],
  listStart: number,
  dictionary: MerchantDictionary,
): MerchantFinding | null {
  let best: MerchantFinding | null = null;
  const consider = (finding: MerchantFinding): void => {
    if (!best || finding.score > best.score) best = finding;
  };
  const headEnd = headRows(listStart);
  const texts = rows.map(({ text }) => ({
    text,
    words: ` ${folded(text)} `,
    letters: squashed(text),
    raw: text.replace(/\s/g, ""),
    isStreet: HOUSE_NUMBER.test(text.trim()) && ADDRESS.test(text),
    isWebAddress: WEB_ADDRESS.test(text),
  }));
  for (const chain of dictionary) {
    const spellings = chain.spellings.map((spelling) => ({
      word: ` ${folded(spelling)} `,
      wanted: squashed(spelling),
    }));
    for (const [index, { text, words, letters, raw, isStreet, isWebAddress }] of texts.entries()) {
      const isHead = index < headEnd;
      for (const spelling of spellings) {
        const strength = isWebAddress ? 0 : spellingStrength(spelling, words, letters, isStreet);
        if (strength === 0) continue;
        // Far from the head a chain's name may be that of a product or a card, unless its company signs there.
        if (!isHead && !LEGAL_FORM.test(text)) continue;
        const printedName = isHead ? printedPart(text) : chain.name;
        consider({
          printedName,
          chain,
          rowIndex: index,
          score: Math.min(1, (isHead ? 0.95 : 0.75) * strength + (isHead ? 0.03 : 0) - 0.002 * index),
        });
      }
      if (chain.vatIds.some((id) => vatIdIn(raw, id)))
        consider({ printedName: chain.name, chain, rowIndex: null, score: 0.93 });
      if (chain.websites.some((site) => raw.toLowerCase().includes(site))) {
        consider({ printedName: chain.name, chain, rowIndex: null, score: 0.8 });
      }
    }
  }
  return best;
}

/** In a street's name (`Calle Real 7`, `3 place du Marché`) a chain is named only where the row begins with it. */
function spellingStrength(
  { word, wanted }: { word: string; wanted: string },
  words: string,
  letters: string,
  isStreet: boolean,
): number {
  if (isStreet && !letters.startsWith(wanted)) return 0;
  if (words.includes(word) || letters === wanted) return 1;
  if (wanted.length < 7) return 0;
  // Letters within other words are no name: SWC ENTERPRISE is no E CENTER.
  const isThere = letters.includes(wanted) && wanted.length > 7;
  const isNear = standsNearly(words.trim().split(" "), wanted, Math.floor(wanted.length / 7));
  return isThere || isNear ? 0.92 : 0;
}

function vatIdIn(text: string, id: string): boolean {
  const figures = id.slice(2);
  return text
    .replace(/[.\-/]/g, "")
    .replaceAll("O", "0")
    .includes(figures);
}

/** A row's text without registration numbers and ornaments: `*** REWE ***` → `REWE`, `AEON CO. (M) BHD. (126926-H)` → `AEON CO. (M) BHD.`. */
function printedPart(text: string): string {
  return text
    .replace(/[([]?\s*[A-Z]{0,3}\d{4,}\s*[-.]?\s*[A-Z]?\s*[)\]]?\s*$/i, "")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)!]+$/gu, "")
    .replace(/\s{2,}/g, " ")
    .trim();
}

function nameInHead(rows: readonly ReceiptRow[], listStart: number): MerchantFinding | null {
  const heights = rows.map(({ height }) => height).sort((a, b) => a - b);
  const medianHeight = heights[heights.length >> 1] ?? 1;
  const head = rows.slice(0, headRows(listStart));
  let best: MerchantFinding | null = null;
  for (const [index, row] of head.entries()) {
    // Where the head is missing, the first rows are goods with their prices.
    if (row.amounts.at(-1)?.end === row.text.length) continue;
    const text = printedPart(row.text);
    const letters = text.replace(/[^\p{L}]/gu, "").length;
    if (
      letters < 3 ||
      letters < 0.5 * text.replace(/\s/g, "").length ||
      NOT_A_NAME.test(text) ||
      DEPARTMENT.test(text) ||
      US_TOWN.test(row.text)
    )
      continue;
    const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
    let score = 0.5 - 0.035 * index;
    if (LEGAL_FORM.test(text)) score += 0.3;
    if (BUSINESS_WORD.test(plain)) score += 0.2;
    // `Maple Street Grill & Bar` is named after its street.
    const isAddress = HOUSE_NUMBER.test(plain) || (ADDRESS.test(plain) && !BUSINESS_WORD.test(plain));
    if (isAddress && ADDRESS.test(plain) && !LEGAL_FORM.test(text)) score -= 0.4;
    else if (HOUSE_NUMBER.test(plain) && !LEGAL_FORM.test(text)) score -= 0.3;
    score += 0.12 * Math.min(2, Math.max(-1, row.height / medianHeight - 1));
    // Handwriting and print showing through are read with doubt.
    score -= 1.2 * Math.max(0, 0.9 - Math.min(...row.cells.map((cell) => cell.score)));
    if (/^[a-z]/.test(text)) score -= 0.15;
    if (!best || score > best.score) best = { printedName: text, chain: null, rowIndex: index, score };
  }
  if (!best || best.score < 0.1) return null;
  return { ...best, printedName: withContinuation(best, rows), score: Math.min(0.9, best.score) };
}

/** A name over two rows: the second one is nothing but the rest of it, ending in the legal form. */
function withContinuation({ printedName, rowIndex }: MerchantFinding, rows: readonly ReceiptRow[]): string {
  const next = rows[rowIndex! + 1];
  const previous = rows[rowIndex! - 1];
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

/** Whether the declared merchant's name stands in the receipt's text: letter for letter, nearly, or by the dictionary's other spellings; legal forms don't count. */
export function merchantNamedIn(
  texts: readonly string[],
  declaredName: string,
  dictionary: MerchantDictionary,
): boolean {
  const names = [declaredName, ...spellingsOf(declaredName, dictionary)]
    .map(withoutLegalForm)
    .filter((name) => squashed(name).length >= 2);
  const rows = texts.map((text) => ({ words: ` ${folded(text)} `, letters: squashed(text) }));
  return names.some((name) => {
    const letters = squashed(name);
    return rows.some((row, index) => {
      const joined = row.letters + (rows[index + 1]?.letters ?? "");
      if (letters.length < 6) return row.words.includes(` ${folded(name)} `) || row.letters === letters;
      return containsNearly(joined, letters, Math.floor(letters.length * (1 - FIT_MIN)));
    });
  });
}

function spellingsOf(declaredName: string, dictionary: MerchantDictionary): readonly string[] {
  const letters = squashed(withoutLegalForm(declaredName));
  const chain = dictionary.find(({ name, spellings }) =>
    [name, ...spellings].some((spelling) => squashed(withoutLegalForm(spelling)) === letters),
  );
  return chain ? [chain.name, ...chain.spellings] : [];
}

/** A company's name without its legal form and what is in brackets: `AEON CO. (M) BHD` → `AEON`. */
export function withoutLegalForm(name: string): string {
  const bare = name.replace(/\([^)]*\)/g, " ").replace(new RegExp(LEGAL_FORM.source, "gi"), " ").replace(/\s{2,}/g, " ").trim(); // prettier-ignore
  return squashed(bare).length >= 2 ? bare : name;
}
