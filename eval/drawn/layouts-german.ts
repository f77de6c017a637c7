import { comma, dotted, clock, tendered, taxRow } from "./continental.ts";
import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import type { Paper } from "./paper.ts";
import type { Random } from "./random.ts";
import { kilograms, saleBy, truthOf } from "./sale.ts";
import type { Sale, SaleLine } from "./sale.ts";
import { addressOf, shopOf } from "./shops.ts";

// Supermarkets, bakeries and kitchens of Germany.

function germanCard(paper: Paper, random: Random, sale: Sale, totalMinor: number): void {
  paper.gap();
  paper.centre("* * Kundenbeleg * *");
  paper.text(`Datum:          ${dotted(sale, 4)}`);
  paper.text(`Uhrzeit:        ${clock(sale, true)} Uhr`);
  paper.text(`Beleg-Nr.       ${random.digits(4)}`);
  paper.text(`Trace-Nr.       ${random.digits(6)}`);
  paper.centre("Kartenzahlung");
  paper.centre(random.pick(["kontaktlos", "girocard", "Contactless DEBIT"]));
  paper.text(`Nr.             ############${sale.cardLast4} 0000`);
  paper.text(`Terminal-ID     ${random.digits(8)}`);
  paper.pair("Betrag EUR", comma(totalMinor));
  paper.centre("Zahlung erfolgt");
}

function germanTaxes(paper: Paper, sale: Sale, a: string, b: string): void {
  paper.text("Steuer  %     Netto   Steuer   Brutto");
  for (const [mark, percent] of [[a, 19], [b, 7]] as const) {
    const { net, tax, gross } = taxRow(sale, mark, percent);
    if (gross === 0) continue;
    paper.text(`${mark}= ${percent.toFixed(1).replace(".", ",").padStart(4)}%  ${comma(net).padStart(7)}  ${comma(tax).padStart(7)}  ${comma(gross).padStart(7)}`);
  }
} // prettier-ignore

/** A bottle's deposit is a line of its own. */
function withDeposits(random: Random, sale: Sale, mark: string, label: string): void {
  sale.lines = sale.lines.flatMap((line) => {
    if (line.measure.kind !== "one" || line.discount || !random.chance(0.1)) return [line];
    const deposit: SaleLine = { name: label, amountMinor: 25, measure: { kind: "one" }, taxMark: mark, discount: null, isVoided: false };
    sale.sumMinor += 25;
    return [line, deposit];
  });
} // prettier-ignore

/** REWE: marks A and B behind amounts, counts below names. */
const rewe: Layout = (random) => {
  const sale = saleBy(random, { language: "de", taxMarks: ["B", "B", "A"], discountLabels: ["RABATT 30%", "Rabatt"], discountShare: 0.05, voidShare: 0.02, nameLength: 20 });
  withDeposits(random, sale, "A", "PFAND 0,25 EURO");
  const paper = newPaper(random.pick([38, 42]));
  paper.centre("REWE", { scale: 2, isBold: true });
  for (const row of addressOf(random, "de")) paper.centre(row);
  paper.centre(`Telefon 0${random.digits(3)}-${random.digits(6)}`);
  paper.centre("UID Nr.: DE812706034");
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    const star = random.chance(0.08) ? " *" : "";
    paper.pair(line.name, `${comma(line.amountMinor)} ${line.taxMark}${star}`);
    if (line.measure.kind === "count") paper.text(`${String(line.measure.count).padStart(12)} Stk x    ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`     ${kilograms(line.measure.grams, ",")} kg x   ${comma(line.measure.perKgMinor)} EUR/kg`);
    if (line.discount) paper.pair(line.discount.label, `${comma(line.discount.amountMinor)} ${line.taxMark}`);
    if (line.isVoided) paper.pair(`STORNO ${line.name}`, `${comma(-line.amountMinor)} ${line.taxMark}`);
  }
  paper.rule();
  paper.pair(`SUMME${" ".repeat(14)}EUR`, comma(sale.sumMinor), { isBold: true });
  paper.rule("=");
  const hasCard = random.chance(0.6);
  if (hasCard) {
    paper.pair(`Geg. ${random.pick(["Mastercard", "EC-Cash", "VISA", "girocard"]).padEnd(14)} EUR`, comma(sale.sumMinor));
    germanCard(paper, random, sale, sale.sumMinor);
  } else {
    const given = tendered(random, sale.sumMinor);
    paper.pair("Geg. BAR           EUR", comma(given));
    paper.pair("Rückgeld BAR       EUR", comma(given - sale.sumMinor));
  }
  paper.gap();
  germanTaxes(paper, sale, "A", "B");
  paper.gap();
  paper.pair(`${dotted(sale, 4)}   ${clock(sale, false)}`, `Bon-Nr.:${random.digits(4)}`);
  paper.pair(`Markt:${random.digits(4)}   Kasse:${random.int(1, 9)}`, `Bed.:${random.digits(6)}`);
  return { paper, truth: truthOf(sale, { merchant: "REWE", country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard, voidLabel: ({ name }) => `STORNO ${name}` }) };
}; // prettier-ignore

/** EDEKA and Netto: `2 x 1,29` before the name's row, `Posten: 5`. */
const edeka: Layout = (random) => {
  const merchant = random.pick(["EDEKA", "Netto Marken-Discount", "Marktkauf", "tegut"]);
  const sale = saleBy(random, { language: "de", taxMarks: ["B", "B", "A", "BW", "AW"], nameLength: 22, voidShare: 0.02 });
  withDeposits(random, sale, "A", "Pfand 0,25");
  const paper = newPaper(40);
  paper.centre(merchant === "EDEKA" ? "EDEKA" : merchant.toUpperCase(), { scale: 1.5, isBold: true });
  if (merchant === "EDEKA") paper.centre(`${random.pick(["Schuster", "Hellwig", "Kranz"])} e.K.`);
  for (const row of addressOf(random, "de")) paper.centre(row);
  paper.centre(`USt-IdNr. DE${random.digits(9)}`);
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`  ${line.measure.count} x      ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`  ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} EUR/kg`);
    paper.pair(line.name, `${comma(line.amountMinor)} ${line.taxMark}`);
    if (line.isVoided) paper.pair(`Storno ${line.name}`, `${comma(-line.amountMinor)} ${line.taxMark}`);
  }
  paper.pair("", "----------");
  paper.pair(random.pick(["SUMME  EUR", "Summe", "GESAMTBETRAG", "zu zahlen"]), comma(sale.sumMinor), { isBold: true });
  paper.text(`Posten: ${sale.lines.length}`);
  const hasCard = random.chance(0.4);
  if (hasCard) {
    paper.pair("GIROCARD", comma(sale.sumMinor));
    germanCard(paper, random, sale, sale.sumMinor);
  } else {
    const given = tendered(random, sale.sumMinor);
    paper.pair("Bar", comma(given));
    paper.pair(random.pick(["Rückgeld", "Zurück"]), comma(given - sale.sumMinor));
  }
  paper.text("MwSt%   Netto    MwSt   Umsatz");
  const tax = Math.round((sale.sumMinor * 7) / 107);
  paper.text(`B  7%  ${comma(sale.sumMinor - tax)}   ${comma(tax)}   ${comma(sale.sumMinor)}`);
  paper.gap();
  paper.text(`${dotted(sale, random.pick([2, 4]))} ${clock(sale, false)}  ${random.digits(4)} ${random.digits(2)} ${random.digits(6)}`);
  paper.centre("Vielen Dank für Ihren Einkauf!");
  return { paper, truth: truthOf(sale, { merchant, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard, voidLabel: ({ name }) => `Storno ${name}` }) };
}; // prettier-ignore

/** Kaufland and Lidl: unit price and count on the name's row. */
const kaufland: Layout = (random) => {
  const merchant = random.pick(["Kaufland", "Lidl", "PENNY", "ALDI"]);
  const sale = saleBy(random, { language: "de", taxMarks: ["B", "A"], discountLabels: ["Kaufland Card Rabatt", "Preisvorteil", "Lidl Plus Rabatt"], nameLength: 18 });
  withDeposits(random, sale, "A", "Pfand 0,25 EM");
  const paper = newPaper(42);
  paper.centre(merchant, { scale: 2, isBold: true });
  for (const row of addressOf(random, "de")) paper.centre(row);
  paper.pair(random.pick(["Preis", ""]), random.pick(["EUR", "€"]));
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.pair(`${line.name.padEnd(19)} ${line.measure.count} x ${comma(line.measure.unitMinor)}`, `${comma(line.amountMinor)} ${line.taxMark}`);
    else paper.pair(line.name, `${comma(line.amountMinor)} ${line.taxMark}`);
    if (line.measure.kind === "weight") paper.text(`   ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)}  EUR/kg`);
    if (line.discount) paper.pair(`   ${line.discount.label}`, comma(line.discount.amountMinor));
  }
  paper.pair("", "---------");
  paper.pair(merchant === "Kaufland" ? "Summe" : "zu zahlen", comma(sale.sumMinor), { isBold: true });
  const hasCard = random.chance(0.5);
  if (hasCard) {
    paper.pair(random.pick(["Karte", "Kreditkarte", "Girocard"]), comma(sale.sumMinor));
    germanCard(paper, random, sale, sale.sumMinor);
  } else {
    const given = tendered(random, sale.sumMinor);
    paper.pair(random.pick(["Bar", "Bargeld", "gegeben"]), comma(given));
    paper.pair("Rückgeld", comma(sale.sumMinor - given));
  }
  paper.gap();
  paper.text("MWST%      MWST +   Netto =  Brutto");
  for (const [mark, percent] of [["A", 19], ["B", 7]] as const) {
    const { net, tax, gross } = taxRow(sale, mark, percent);
    if (gross > 0) paper.text(`${mark} ${String(percent).padStart(2)} %  ${comma(tax).padStart(7)}  ${comma(net).padStart(7)}  ${comma(gross).padStart(7)}`);
  }
  paper.gap();
  paper.text(`Datum ${dotted(sale, random.pick([2, 4]))} Zeit ${clock(sale, false)} Filiale ${random.digits(4)}`);
  if (hasCard || random.chance(0.5)) paper.text(`TSE-Transaktion: ${random.digits(6)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** dm and Rossmann: date on top, marks of figures. */
const drugstore: Layout = (random) => {
  const merchant = random.pick(["dm", "ROSSMANN", "Alnatura"]);
  const sale = saleBy(random, { language: "de", taxMarks: ["1", "2"], nameLength: 24, lines: [1, 9], weightShare: 0, endDiscountLabels: ["dm-Coupon 10%", "10% Rabatt Coupon"] });
  const paper = newPaper(38);
  paper.centre(merchant === "dm" ? "dm-drogerie markt" : merchant, { scale: 1.25, isBold: true });
  for (const row of addressOf(random, "de")) paper.centre(row);
  paper.centre(`0${random.digits(4)}/${random.digits(6)}`);
  paper.gap();
  paper.text(`${dotted(sale, 4)}  ${clock(sale, false)}   ${random.digits(4)}/${random.int(1, 9)}   ${random.digits(6)}/${random.int(1, 9)}`);
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? `${line.measure.count}x ${comma(line.measure.unitMinor)} ` : "";
    paper.pair(count + line.name.slice(0, 24 - count.length), `${comma(line.amountMinor)} ${line.taxMark}`);
    line.name = line.name.slice(0, 24 - count.length).trim();
  }
  if (sale.endDiscounts.length > 0) {
    paper.pair("Zwischensumme", comma(sale.sumMinor - sale.endDiscounts[0]!.amountMinor));
    for (const { label, amountMinor } of sale.endDiscounts) paper.pair(label, comma(amountMinor));
  }
  paper.rule("=");
  paper.pair("SUMME EUR", comma(sale.sumMinor), { isBold: true, scale: 1.2 });
  const hasCard = random.chance(0.4);
  if (hasCard) {
    paper.pair("Kartenzahlung EUR", comma(-sale.sumMinor));
    germanCard(paper, random, sale, sale.sumMinor);
  } else {
    const given = tendered(random, sale.sumMinor);
    paper.pair("BAR EUR", comma(-given));
    paper.pair("Rückgeld EUR", comma(sale.sumMinor - given));
  }
  paper.text("MwSt-Satz   Brutto    Netto    MwSt");
  for (const [mark, percent] of [["1", 19], ["2", 7]] as const) {
    const { net, tax, gross } = taxRow(sale, mark, percent);
    if (gross > 0) paper.text(`${mark}=${percent.toFixed(2).replace(".", ",")}%  ${comma(gross).padStart(7)}  ${comma(net).padStart(7)} ${comma(tax).padStart(6)}`);
  }
  return { paper, truth: truthOf(sale, { merchant: merchant === "dm" ? "dm-drogerie markt" : merchant, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Bakery, farm shop, inn. */
const germanSmall: Layout = (random) => {
  const goods = random.pick(["shelf", "kitchen"] as const);
  const shop = shopOf(random, "de", goods);
  const sale = saleBy(random, { language: "de", goods: goods === "shelf" ? random.pick(["shelf", "kitchen"] as const) : goods, lines: [1, 6], weightShare: 0 });
  const paper = newPaper(32);
  paper.centre(shop.name, { isBold: true, scale: random.pick([1, 1.25]) });
  for (const row of shop.address) paper.centre(row);
  paper.centre(`Tel. 0${random.digits(3)} / ${random.digits(6)}`);
  if (random.chance(0.5)) paper.centre(`St.-Nr. ${random.digits(2)}/${random.digits(3)}/${random.digits(5)}`);
  if (random.chance(0.6)) paper.centre(random.pick(["RECHNUNG", "Quittung", `Rechnung Nr. ${random.digits(5)}`]));
  paper.gap();
  if (goods === "kitchen") paper.text(`Tisch ${random.int(1, 30)}      Bediener ${random.int(1, 8)}`);
  paper.text(`${dotted(sale, random.pick([2, 4]))}  ${clock(sale, false)}`);
  paper.rule();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    const unit = line.measure.kind === "count" ? line.measure.unitMinor : line.amountMinor;
    if (goods === "kitchen") paper.pair(`${count}x ${line.name}`, comma(line.amountMinor));
    else {
      if (count > 1) paper.text(`${count} x ${comma(unit)}`);
      paper.pair(line.name, comma(line.amountMinor));
    }
  }
  paper.rule();
  paper.pair(random.pick(["Gesamt", "Summe", "TOTAL", "Gesamtbetrag", "Zu zahlen", "Total EUR"]), `${comma(sale.sumMinor)}${random.pick(["", " €", " EUR"])}`, { isBold: true });
  const tax = Math.round((sale.sumMinor * 7) / 107);
  paper.pair("enthaltene MwSt 7%", comma(tax));
  paper.pair("Netto", comma(sale.sumMinor - tax));
  if (random.chance(0.6)) {
    const given = tendered(random, sale.sumMinor);
    paper.pair("Bar", comma(given));
    paper.pair("Rückgeld", comma(given - sale.sumMinor));
  }
  paper.centre("Vielen Dank!");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** By name, `country-habit`. */
export const GERMAN_LAYOUTS: Readonly<Record<string, Layout>> = {
  "de-rewe": rewe,
  "de-edeka": edeka,
  "de-kaufland": kaufland,
  "de-drugstore": drugstore,
  "de-small": germanSmall,
};
