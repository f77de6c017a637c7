/** Where a receipt comes from: ISO 3166-1 alpha-2 and ISO 4217. */
export interface Origin {
  country: string | null;
  currency: string | null;
}

const CURRENCY_OF: Record<string, string> = {
  LU: "EUR", LT: "EUR", LV: "EUR", EE: "EUR", FI: "EUR", GR: "EUR", SK: "EUR", DK: "DKK", SE: "SEK", NO: "NOK", PL: "PLN", CZ: "CZK", HU: "HUF", RO: "RON", TR: "TRY", MX: "MXN", BR: "BRL", ID: "IDR", VN: "VND",
  GB: "GBP", US: "USD", MY: "MYR", SG: "SGD", CH: "CHF", CA: "CAD", AU: "AUD", NZ: "NZD", IN: "INR", ZA: "ZAR", PH: "PHP", IE: "EUR", DE: "EUR", FR: "EUR", ES: "EUR", IT: "EUR", NL: "EUR", BE: "EUR", AT: "EUR", PT: "EUR",
}; // prettier-ignore

/** What in a receipt's text speaks for a country, and how strongly. Words without accents: the OCR drops them. */
const CLUES: readonly [string, number, RegExp][] = [
  ["GB", 5, /\bGB\s?\d{3}\s?\d{4}\s?\d{2}\b|\bU\.?K\.?\b|\.co\.uk\b|\bGBP\b/i],
  // A tax number of the United Kingdom, and its telephone numbers.
  ["GB", 4, /\bVAT\b\D{0,14}\d{3}\s?\d{4}\s?\d{2}(?!\d)/i],
  ["GB", 2, /\b(?:01\d{3}\s\d{6}|01\d{2}\s\d{3}\s\d{4}|02[03489]\s\d{4}\s\d{4})\b/],
  ["GB", 3, /£|\bVAT\s?(?:NO|REG|NUMBER)|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|\b(?:CLUBCARD|Clubcard|NECTAR|Nectar)\b/],
  [
    "IE",
    6,
    /\bIE\s?\d{7}[A-Z]{1,2}\b|\bDublin\b|\bIreland\b|\bEircode\b|\.ie\b|\bCo\.? (?:Cork|Kerry|Galway|Dublin|Meath|Kildare)/i,
  ],
  // An Eircode holds figures and letters.
  ["IE", 6, /\b[AC-FHKNPRTV-Y]\d[\dW]\s(?=\d{0,3}[A-Z])(?=[A-Z]{0,3}\d)[\dA-Z]{4}\b/],
  ["US", 3, /\b(?:sales tax|subtotal\b.*\btax|ebt|snap|debit tend|cash tend|change due|us debit)\b|\$\s?\d|\bUSD\b/i],
  [
    "US",
    4,
    /\b(?:AL|AK|AZ|AR|CA|CO|CT|FL|GA|HI|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY)\.?,?\s+\d{5}(?:-\d{4})?\b/,
  ],
  ["US", 2, /\(\d{3}\)\s?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b/],
  // Above the dollars that speak for the United States.
  ["CA", 7, /\b[ABCEGHJ-NPRSTVXY]\d[A-Z]\s?\d[A-Z]\d\b|\bCAD\b|\.ca\b|\bTPS\b.*\d|\bTVQ\b/],
  ["CA", 4, /(?<!\p{L})(?:HST|PST)(?!\p{L})|\bINTERAC\b|\bInterac\b/u],
  ["CA", 4, /,\s?(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK)\b|\bG\.?S\.?T\.?\s?#?\s?R?\d{9}/],
  [
    "AU",
    7,
    /\bA\.?B\.?N\.?:?\s?[\dO]{2}\s?[\dO]{3}|\.com\.au\b|\bAUD\b|\b(?:NSW|QLD)\b|\b(?:VIC|TAS|ACT),?\s+\d{4}\b/i,
  ],
  [
    "NZ",
    7,
    /\.co\.nz\b|\bNZ\b|\bNZD\b|new zealand|\bGST\b\D{0,12}\d{2,3}-\d{3}-\d{3}\b|\b(?:auckland|christchurch|dunedin|tauranga)\b/i,
  ],
  ["IN", 7, /\bGSTIN\b|\b[CS]GST\b|\bFSSAI\b|₹|\bINR\b|\bRs\.?\s?\d/],
  [
    "ZA",
    7,
    /\.co\.za\b|\bZAR\b|south africa|\bVAT\b\D{0,12}4\d{9}\b|\b(?:cape town|johannesburg|durban|pretoria|sandton)\b/i,
  ],
  [
    "PH",
    7,
    /\bVATABLE\b|\bTIN\b\D{0,8}\d{3}-\d{3}-\d{3}|₱|\bPHP\b|\.ph\b|philippines|\b(?:quezon|makati|manila|cebu|taguig|pasig)\b/i,
  ],
  ["DE", 5, /\bDE\s?\d{3}\s?\d{3}\s?\d{3}\b|\bGmbH\b|\bmwst\b|\bust-?id|steuernummer|\.de\b/i],
  [
    "DE",
    2,
    /\b(?:summe|ruckgeld|rueckgeld|zu zahlen|gegeben|kartenzahlung|stra[bs]+e|vielen dank|filiale|kasse|rechnung|au(?:ss|[sB])er haus)\b|\binh\.\s/i,
  ],
  // Above what German words on Austrian and Swiss receipts speak for.
  ["AT", 12, /\bATU\s?\d{8}\b/i],
  ["AT", 7, /\bOsterreich\b|\bWien\b|\.at\b/i],
  ["CH", 12, /\bCHF\b|\bCHE-?\d{3}|\.ch\b/i],
  ["FR", 5, /\bFR\s?\d{2}\s?\d{9}\b|\bsiret\b|\bsiren\b|\btva\b|\.fr\b|\bTTC\b/i],
  ["FR", 2, /\b(?:merci|a payer|carte bancaire|especes|rendu|montant|articles?|caisse|bonjour|bienvenue)\b/i],
  ["ES", 5, /\b(?:NIF|CIF|C\.I\.F|N\.I\.F)\b|\bfactura simplificada\b|\.es\b|\bS\.L\.U?\b/i],
  ["ES", 2, /\b(?:iva|efectivo|entregado|tarjeta|importe|gracias|cambio|base imp|descripcion|telefono|avda|calle)\b/i],
  ["IT", 5, /\bP\.?\s?IVA\b|\bpartita iva\b|\bscontrino\b|\bdocumento commerciale\b|\.it\b|\bS\.?R\.?L\b|\bS\.p\.A\b/i],
  ["IT", 2, /\b(?:totale|contante|contanti|resto|pagamento|euro|grazie|di cui iva|reparto|subtotale|importo)\b/i],
  // Above the words they share with larger neighbours.
  ["BE", 8, /\bBE\s?[01]\d{3}[. ]?\d{3}|\bbancontact\b|\bpayconiq\b|www\S*\.be\b/i],
  ["LU", 10, /\bL-\d{4}\b|\bLU\s?\d{8}\b|\bluxembourg\b|www\S*\.lu\b/i],
  ["DK", 8, /\bCVR\b|\bDKK\b|\bdankort\b|\bmoms udg|www\S*\.dk\b/i],
  ["SE", 8, /\bSEK\b|\borg\.? ?nr\.?:? ?\d{6}-\d{4}|\bkvitto|www\S*\.se\b/i],
  ["NO", 8, /\bNOK\b|\bMVA\b|\bforetaksreg|\bbankaxept\b|\bsalgskvittering\b|www\S*\.no\b/i],
  ["DK", 3, /\bmoms\b/i],
  ["SE", 3, /\bmoms\b|\bOrg\.? ?nr\b/i],
  ["FI", 8, /\by-?tunnus\b|\bkuitti\b|\byhteens|\bALV\b|www\S*\.fi\b/i],
  ["LT", 9, /\bPVM mok|\bLT\s?\d{9}(?:\d{3})?\b|\bUAB\b|www\S*\.lt\b/],
  ["LV", 9, /\bPVN\b|\bLV\s?\d{11}\b|www\S*\.lv\b/],
  ["EE", 9, /\bKMKR\b|\bEE\s?\d{9}\b|www\S*\.ee\b/],
  ["PL", 8, /\bPLN\b|\bparagon\b|\bNIP\b\D{0,3}\d|\bPTU\b|www\S*\.pl\b/i],
  ["CZ", 8, /\bCZK\b|\bDI[CE]:?\s?CZ|\bDPH\b|\bcelkem\b|www\S*\.cz\b/i],
  ["SK", 9, /\bDI[CE]:?\s?SK|\bIC DPH\b|\bspolu\b|www\S*\.sk\b/i],
  ["HU", 8, /\bHUF\b|\badoszam|\bnyugta|\d\s?Ft\b|www\S*\.hu\b/i],
  // Not the petrol: `RON 95`.
  ["RO", 10, /\bRON\b(?!\W?\s?9\d\b)|\bLEI\b|www\S*\.ro\b/],
  ["RO", 10, /\bbon fiscal\b|\bcod fiscal\b|\btotal lei\b/i],
  ["GR", 9, /\bA\.?F\.?M\.?\s?:?\s?\d{9}|\bFPA\b|\bsynolo\b|www\S*\.gr\b/i],
  ["TR", 9, /\b(?:TOP)?KDV\b|\btoplam\b|www\S*\.com\.tr\b/i],
  ["MX", 9, /\bRFC\b|\bde C\.?\s?V\b|\bMXN\b|\bM\.N\.|www\S*\.mx\b/i],
  ["BR", 10, /\bCNPJ\b|\bNFC-?e\b|R\$|www\S*\.com\.br\b|\bCPF\b/i],
  ["ID", 9, /\bNPWP\b|\bRp\.?\s?\d|\bIDR\b|\bPPN\b|www\S*\.co\.id\b|\bjakarta\b/i],
  ["ID", 3, /\bJl\.|\bkembali\b|\bwarung\b|\bmeja\b/i],
  ["VN", 9, /\bVND\b|\bhoa don\b|\btong (?:cong|tien)\b|\bthanh toan\b|www\S*\.vn\b|\bha noi\b|\bHCM\b/i],
  ["PT", 4, /\b(?:multibanco|mb ?way|lda|numerario|descricao|consumidor final)\b/i],
  ["PT", 6, /\bcontribuinte\b|\bfatura\b|\.pt\b|\bobrigad/i],
  ["NL", 6, /\bbtw\b|\.nl\b|\bbetaald\b|\btotaal\b/i],
  ["SG", 7, /\bsingapore\b|\.com\.sg\b|\bSGD\b|\bUEN\b|\bBLK \d+|\bPTE\.? LTD\b|\bS\(?\$\)?(?=\W|\d)/i],
  ["MY", 5, /\bSDN\.?\s?BHD|\bRM\s?\d|\(RM\)|\bS\/B\b|\bMYR\b|\.com\.my\b|\bmalaysia\b/i],
  ["MY", 3, /\b(?:selangor|kuala lumpur|johor|penang|jalan|taman|GST (?:ID|reg|no)|tunai|terima kasih)\b/i],
  // £ comes as E; so does €, but that stands behind or before a comma where English is not written. Less than any other word.
  ["GB", 2, /(?<![A-Za-z])E\s?\d+\.\d\d(?!\d)/],
];

const CURRENCY_CLUES: readonly [string, RegExp][] = [
  ["MYR", /\bRM\s?\d|\(RM\)|\bRM\b|\bMYR\b/],
  ["DKK", /\bDKK\b/],
  ["SEK", /\bSEK\b/],
  ["NOK", /\bNOK\b/],
  ["PLN", /\bPLN\b/],
  ["CZK", /\bCZK\b/],
  ["HUF", /\bHUF\b/],
  ["RON", /\bRON\b(?!\W?\s?9\d\b)|\bLEI\b/],
  ["BRL", /R\$/],
  ["GBP", /£|\bGBP\b/],
  ["EUR", /€|\bEUR\b|\bEURO\b/],
  ["CHF", /\bCHF\b/],
  ["SGD", /\bSGD\b/],
  ["CAD", /\bCAD\b/],
  ["AUD", /\bAUD\b/],
  ["NZD", /\bNZD\b/],
  ["INR", /₹|\bINR\b|\bRs\.?\s?\d/],
  ["ZAR", /\bZAR\b|(?<![A-Za-z])R\s?\d+[.,]\d\d\b/],
  ["PHP", /₱|\bPHP\b/],
  ["USD", /\bUSD\b|\$\s?\d/],
];

/** Currencies that receipts write as `$`. */
const DOLLARS: readonly (string | null)[] = ["USD", "CAD", "AUD", "NZD", "SGD", "MXN"];

/** What a chain's own country counts: more than dollars and telephone numbers, less than a neighbour's tax number (Tesco in Dublin, Walmart in Toronto). */
const CHAIN_WEIGHT = 6;

/** The country that most of the text and the chain speak for; the currency printed, else the country's. */
export function originOf(texts: readonly string[], chainCountry: string | null): Origin {
  const scores = new Map<string, number>();
  for (const [country, weight, pattern] of CLUES) {
    const rows = texts.filter((text) => pattern.test(text)).length;
    // A second row that says the same adds little.
    if (rows > 0) scores.set(country, (scores.get(country) ?? 0) + weight + Math.min(1, 0.3 * (rows - 1)));
  }
  if (chainCountry) scores.set(chainCountry, (scores.get(chainCountry) ?? 0) + CHAIN_WEIGHT);
  const [best] = [...scores].sort(([, a], [, b]) => b - a);
  const country = best && best[1] >= 2 ? best[0] : null;
  const counts = CURRENCY_CLUES.map(([currency, pattern]) => ({
    currency,
    rows: texts.filter((text) => pattern.test(text)).length,
  }));
  const [printed] = counts.sort((a, b) => b.rows - a.rows);
  const expected = country ? (CURRENCY_OF[country] ?? null) : null;
  // One stray sign is a misreading where the country has another currency.
  const isOwnDollar = printed?.currency === "USD" && DOLLARS.includes(expected);
  const currency = !isOwnDollar && printed && printed.rows > (expected ? 2 : 0) ? printed.currency : expected;
  return { country, currency };
}
