import type { Label } from "./labels.ts";

// Words of receipts in languages beside those of labels.ts, in the same way: no accents, `=` where a word must stand alone letter for letter.

type Words = Partial<Record<Label, readonly string[]>>;

const DUTCH: Words = {
  total: ["te voldoen", "af te rekenen", "totaalbedrag", "totaal betaald"],
  savings: ["uw voordeel", "u bespaart", "totaal korting"],
  change: ["terug contant", "retour geld"],
  cash: ["contant geld", "ontvangen"],
  card: ["betaalpas", "bancontact", "payconiq"],
};

const PORTUGUESE: Words = {
  total: ["valor total", "valor a pagar", "total geral", "total liquido"],
  savings: ["total poupanca", "poupou", "total descontos"],
  discount: ["desconto", "poupanca"],
  change: ["troco"],
  cash: ["dinheiro", "numerario"],
  card: ["cartao", "multibanco", "mb way", "cartao de credito", "cartao de debito"],
  tax: ["incidencia", "tributos", "trib aprox"],
  count: ["qtd total de itens", "qtd itens", "qtde total de itens"],
  head: ["contribuinte", "fatura simplificada", "consumidor final"],
};

const SCANDINAVIAN: Words = {
  total: ["at betale", "att betala", "a betale", "sum varer", "=totalt", "=summa", "total kr", "total dkk", "total sek", "total nok"],
  subtotal: ["delsum", "delsumma", "mellomsum"],
  rounding: ["avrunding", "oresavrunding", "afrunding", "avrundning", "oresafrunding", "oresavrundning"],
  savings: ["du har spart", "du sparade", "total rabatt", "du sparer", "din besparelse", "total sparet"],
  discount: ["=rabat", "tilbud", "=kampanj", "prisnedsettelse", "medlemsrabatt", "mangderabatt"],
  change: ["byttepenge", "=vaxel", "=tilbake", "veksel"],
  cash: ["kontant", "kontanter", "betalat", "mottaget"],
  card: ["dankort", "=kort", "bankkort", "=bank", "bankaxept", "=swish", "vipps", "mobilepay", "kortbetaling", "kontokort"],
  tax: ["=moms", "=mva", "mva grunnlag", "heraf moms", "moms udgor", "varav moms", "herav mva"],
  head: ["foretaksregisteret", "org nr", "=cvr", "salgskvittering", "kvitto nr", "artikelnr"],
}; // prettier-ignore

const FINNISH: Words = {
  total: ["yhteensa", "maksettava", "loppusumma", "maksettavaa yhteensa"],
  subtotal: ["valisumma"],
  rounding: ["pyoristys"],
  discount: ["alennus", "=etu", "kanta asiakasetu"],
  savings: ["saastit", "alennukset yhteensa"],
  change: ["takaisin", "vaihtoraha"],
  cash: ["kateinen", "kateismaksu"],
  card: ["korttimaksu", "pankkikortti", "kortti", "korttitapahtuma"],
  tax: ["=alv", "veroton", "verollinen"],
  head: ["y tunnus", "=kuitti"],
};

const POLISH: Words = {
  total: ["suma pln", "=suma", "do zaplaty", "=razem", "razem pln"],
  taxTotal: ["suma ptu", "podatek ptu", "kwota ptu"],
  tax: ["=ptu", "=ptua", "=ptub", "=ptuc", "sprzedaz opodatkowana", "sprzed opod", "=sp op", "sprzedaz zwolniona"],
  discount: ["=opust", "=rabat", "=upust", "obnizka"],
  savings: ["zaoszczedzono", "oszczedzasz", "suma rabatow", "rabaty razem"],
  rounding: ["zaokraglenie"],
  change: ["=reszta"],
  cash: ["gotowka"],
  card: ["=karta", "karta platnicza", "platnosc karta", "=blik"],
  head: ["paragon fiskalny", "=paragon", "rozliczenie platnosci", "=nip"],
};

const CZECH: Words = {
  total: ["celkem", "k uhrade", "k platbe", "na uhradu", "=spolu", "celkova castka", "castka celkem"],
  subtotal: ["mezisoucet", "medzisucet"],
  rounding: ["zaokrouhleni", "zaokruhlenie", "=zaokr"],
  discount: ["=sleva", "=zlava", "sleva akce"],
  savings: ["usetrili jste", "usetrili ste", "celkova sleva"],
  change: ["vraceno", "=vratit", "=vratka", "vydavok"],
  cash: ["hotovost", "=hotove"],
  card: ["platebni karta", "platobna karta", "kartou", "=karta"],
  tax: ["=dph", "=zaklad", "=sazba"],
};

const HUNGARIAN: Words = {
  total: ["osszesen", "vegosszeg", "fizetendo"],
  subtotal: ["reszosszeg", "reszosszesen"],
  rounding: ["kerekites"],
  discount: ["kedvezmeny", "engedmeny"],
  savings: ["megtakaritas"],
  change: ["visszajaro"],
  cash: ["keszpenz"],
  card: ["bankkartya"],
  tax: ["=afa"],
  head: ["=nyugta", "adoszam", "nyugtaszam"],
};

const ROMANIAN: Words = {
  total: ["total lei", "total de plata", "total ron"],
  discount: ["reducere"],
  change: ["=rest"],
  cash: ["numerar"],
  head: ["cod fiscal", "bon fiscal"],
};

// Greek capitals come as Latin ones that look alike.
const GREEK: Words = {
  total: ["synolo", "eynoao", "zynoao", "pliroteo", "genikosynolo"],
  subtotal: ["merikosynolo"],
  cash: ["=metrita", "metphta"],
  change: ["=resta", "=pecta"],
  card: ["karta"],
  tax: ["=fpa", "=onia"],
  discount: ["ekptosi", "ekptwsh"],
};

const TURKISH: Words = {
  total: ["=toplam", "genel toplam", "odenecek", "toplam tutar", "odenecek tutar"],
  subtotal: ["ara toplam"],
  taxTotal: ["=topkdv", "toplam kdv", "top kdv", "kdv tutari"],
  tax: ["=kdv"],
  discount: ["indirim", "iskonto"],
  change: ["para ustu"],
  cash: ["=nakit"],
  card: ["kredi karti", "banka karti", "=k karti"],
  head: ["=tarih", "fis no", "=saat"],
};

const INDONESIAN: Words = {
  total: ["total belanja", "total bayar", "total tagihan"],
  subtotal: ["harga jual"],
  tax: ["=ppn", "=dpp", "=pb1", "pajak"],
  taxTotal: ["pajak restoran"],
  discount: ["diskon", "voucher disc"],
  savings: ["anda hemat", "total diskon"],
  rounding: ["pembulatan"],
  change: ["kembali", "kembalian"],
  cash: ["=bayar", "uang tunai"],
  card: ["=debet", "kartu kredit", "kartu debit", "=qris", "gopay"],
  count: ["total item", "jml item"],
  head: ["=npwp", "layanan konsumen"],
};

const VIETNAMESE: Words = {
  total: ["tong cong", "tong tien", "thanh toan", "phai thanh toan", "phai t toan", "tong thanh toan"],
  subtotal: ["tam tinh"],
  discount: ["giam gia", "chiet khau", "khuyen mai"],
  cash: ["tien mat", "khach dua", "khach tra", "tien khach tra", "tien khach dua"],
  change: ["tien thua", "tra lai", "tien tra lai", "tien thoi lai"],
  tax: ["thue gtgt", "=thue"],
  head: ["hoa don", "ngay ban", "thu ngan"],
};

/** As in labels.ts, of all languages here. */
export const WORDS_BY_LANGUAGE: readonly (readonly [Label, readonly string[]])[] = [
  DUTCH,
  PORTUGUESE,
  SCANDINAVIAN,
  FINNISH,
  POLISH,
  CZECH,
  HUNGARIAN,
  ROMANIAN,
  GREEK,
  TURKISH,
  INDONESIAN,
  VIETNAMESE,
].flatMap((words) => Object.entries(words) as [Label, readonly string[]][]);

/** Words over the columns of a list, as alternatives of a pattern. */
export const HEADING_WORDS_BY_LANGUAGE = String.raw`EINZEL|GESAMT|AANTAL|OMSCHRIJVING|PRIJS|BEDRAG|BESKRIVNING|PRIS|MANGD|SUMMA|ANTAL|DESCRICAO|VALOR|QTD|PVP|CONCEPTO|HARGA|JUMLAH|DON GIA|SL|T\.?TIEN|MAT HANG`;

/** Words of a row that is nothing but a tax, as alternatives of a pattern. */
export const TAX_WORDS_BY_LANGUAGE = String.raw`BTW|MOMS|MVA|GRUNNLAG|UDGOR|VARAV|HERAF|PTU ?[A-G]?|SUMA|SPRZEDA\w*|OPODATKOWANA|SP OP|KWOTA|DPH|ZAKLAD|AFA|FPA|KDV|TOPKDV|TOPLAM|ALV|PPN|DPP|PB1|PAJAK|INCID\w*`;

/** Words of a business, of an address and of what stands in a head beside the name, as alternatives of patterns; places of a street end in theirs (`Folkparksvägen`). */
export const BUSINESS_WORDS_BY_LANGUAGE = String.raw`TANKSTELLE|GASTSTATTE|WEINSTUBE|BIERGARTEN|BIOMARKT|BAUMARKT|DROGERIE|KIOSK|TAPERIA|ASADOR|MARISQUERIA|CHURRERIA|BODEGA|PASTELERIA|HELADERIA|LIBRERIA|FERRETERIA|PAPELERIA|HIPERMERCADO|SALUMERIA|ENOTECA|TABACCHERIA|FORNO|PESCHERIA|IPERMERCATO|PARAFARMACIA|FERRAMENTA|CREPERIE|AUBERGE|TABAC|PRESSE|DROGUERIE|QUINCAILLERIE|BAKKERIJ|SLAGERIJ|EETCAFE|APOTHEEK|SUPERMARKT|PASTELARIA|PADARIA|TALHO|MERCEARIA|MINIMERCADO|CHURRASQUEIRA|CERVEJARIA|BAGERI|APOTEK|KONDITORI|RAVINTOLA|KAHVILA|LEIPOMO|SKLEP|PIEKARNIA|CUKIERNIA|APTEKA|RESTAURACJA|RESTAURACE|LEKARNA|PEKARSTVI|POTRAVINY|ETTEREM|PEKSEG|CUKRASZDA|TAVERNA|LOKANTA\w*|FIRIN|ECZANE\w*|PASTANE\w*|TAQUERIA|ABARROTES|LANCHONETE|DROGARIA|WARUNG|RUMAH MAKAN|TOKO|NHA HANG|CUA HANG|SIEU THI`;
export const ADDRESS_WORDS_BY_LANGUAGE = String.raw`BOULEVARD|BD|CHEMIN|ROUTE|RTE|QUAI|COURS|IMPASSE|ZAC?|PZA|PIAZZALE|LARGO|RUA|PRACA|TRAVESSA|UL|ULICA|UTCA|ULICE|MAH|CAD|SOK|JL|\w+(?:STRAAT|LAAN|PLEIN|GATAN|GADE|VAGEN|VEIEN|VEJ|KATU|WEG|STR)`;
export const NO_NAMES_BY_LANGUAGE = String.raw`FORETAKSREGISTERET|PARAGON|NYUGTA|KVITTO|\w*KVITTERING|KUITTI|KASSABON|KASTICKET|KASSENBON|FATURA|RECIBO|RICEVUTA|FATTURA|FACTURE|HERZLICH|IHRE?|OUVERT|ABIERTO|APERTO|ORARIO|HORARIO|COPIA|DUPLICATA|COMMERCIALE|PRESTAZIONE|WELKOM|BIENVENIDOS|BENVENUT[IO]|NIF|CIF|SIRET|CNPJ|NPWP|RFC|CVR|EUR\/KG`;
