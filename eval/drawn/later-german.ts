import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import { cells, clockOf, dayOf, given } from "./tills.ts";

// Germany, Austria and Switzerland, as tills print there that the first layouts were not drawn from.

const comma = (minor: number): string => money(minor, ",");

/** A discounter: `1,19 x 2` behind the name, discounts of the app, the total high, the card's slip with the only full date. */
const discounter: Layout = (random) => {
  const sale = saleBy(random, { language: "de", lines: [2, 16], nameLength: 18, taxMarks: ["A", "A", "B"], discountLabels: ["Lidl Plus Rabatt", "RABATT 20%", "Preisvorteil"], discountShare: 0.15 });
  const paper = newPaper(40);
  paper.centre("Lidl", { scale: 2, isBold: true });
  paper.centre("Chausseestr. 46");
  paper.centre("14943 Luckenwalde");
  paper.centre("Mo-Sa: 07:00 - 21:00 Uhr");
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") {
      line.name = line.name.slice(0, 16).trim();
      paper.pair(`${line.name.padEnd(18)} ${comma(line.measure.unitMinor)} x ${line.measure.count}`, `${comma(line.amountMinor)} ${line.taxMark}`);
    } else paper.pair(line.name, `${comma(line.amountMinor)} ${line.taxMark}`);
    if (line.measure.kind === "weight") paper.text(`   ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)}  EUR/kg`);
    if (line.discount) paper.pair(`   ${line.discount.label}`, `${comma(line.discount.amountMinor)}  `);
  }
  paper.pair("", "----------");
  paper.pair("zu zahlen", comma(sale.sumMinor), { scale: 1.5, isBold: true });
  paper.pair("Karte", comma(sale.sumMinor));
  paper.text("MWST%   MWST  +  Netto   =  Brutto");
  const tax = Math.round((sale.sumMinor * 7) / 107);
  paper.text(`A  7 %  ${comma(tax)}     ${comma(sale.sumMinor - tax)}      ${comma(sale.sumMinor)}`);
  paper.text(`Summe   ${comma(tax)}     ${comma(sale.sumMinor - tax)}      ${comma(sale.sumMinor)}`);
  const saved = sale.lines.reduce((sum, { discount }) => sum - (discount?.amountMinor ?? 0), 0);
  if (saved > 0) {
    paper.rule();
    paper.centre("Mit Lidl Plus");
    paper.centre(`${comma(saved)} EUR gespart`, { isBold: true });
    paper.rule();
  }
  paper.text(`TSE Transaktionsnummer: ${random.digits(6)}`);
  paper.text(`Seriennr. Kasse: ${random.digits(14)}`);
  paper.text(`Prüfwert: 1mTuL5+${random.digits(8)}`);
  paper.gap();
  paper.centre("K-U-N-D-E-N-B-E-L-E-G");
  paper.pair("Bezahlung", "girocard");
  paper.text(`Terminal-ID: ${random.digits(8)}  TA-Nr. ${random.digits(6)}`);
  paper.text(`Kartennr. ############${sale.cardLast4}`);
  paper.text(`${dayOf(sale, "DD.MM.YYYY")} ${clockOf(sale, true)} Uhr`);
  paper.pair("Betrag EUR", comma(sale.sumMinor));
  paper.centre("Zahlung erfolgt");
  paper.text(`${random.digits(4)}   ${random.digits(6)}/${random.digits(2)}   ${dayOf(sale, "DD.MM.YY")}   ${clockOf(sale)}`);
  return { paper, truth: truthOf(sale, { merchant: "Lidl", country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A butcher's scales: weight, price a kilogram and amount in columns, the name above; on 58 mm. */
const scales: Layout = (random) => {
  const name = `${random.pick(["Metzgerei", "Fleischerei", "Käserei"])} ${random.pick(["Rothmaier", "Stöckl", "Uhlenbrock"])}`;
  const sale = saleBy(random, { language: "de", lines: [1, 5], weightShare: 0.9, nameLength: 22 });
  const paper = newPaper(30);
  paper.centre(name, { scale: 1.2, isBold: true });
  paper.centre("Kirchgasse 2");
  paper.centre("84028 Landshut");
  paper.centre("Tel. 0871/2244");
  paper.text(`Bed. ${random.int(1, 9)}  Waage ${random.int(1, 4)}  Bon ${random.digits(4)}`);
  paper.rule("=");
  paper.text("  kg      EUR/kg       EUR");
  for (const line of sale.lines) {
    paper.text(line.name);
    if (line.measure.kind === "weight") paper.text(cells(paper, [60, 95], [`  ${kilograms(line.measure.grams, ",")}`, comma(line.measure.perKgMinor), comma(line.amountMinor)]));
    else if (line.measure.kind === "count") paper.text(cells(paper, [60, 95], [`  ${line.measure.count} St`, comma(line.measure.unitMinor), comma(line.amountMinor)]));
    else paper.text(cells(paper, [95], ["  1 St", comma(line.amountMinor)]));
  }
  paper.rule("=");
  paper.pair(`${sale.lines.length} Pos. SUMME EUR`, comma(sale.sumMinor), { isBold: true });
  const cash = given(random, sale.sumMinor);
  paper.pair("gegeben", comma(cash));
  paper.pair("zurück", comma(cash - sale.sumMinor));
  paper.pair("enth. 7% MwSt", comma(Math.round((sale.sumMinor * 7) / 107)));
  paper.text(`${dayOf(sale, "DD.MM.YY")}    ${clockOf(sale)}`);
  paper.centre("Es bediente Sie Frau Huber");
  return { paper, truth: truthOf(sale, { merchant: name, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** An Austrian supermarket: tax letters before amounts, discounts of the club, the sum with its word and currency, points. */
const austrian: Layout = (random) => {
  const merchant = random.pick(["BILLA", "HOFER", "SPAR", "PENNY"]);
  const sale = saleBy(random, { language: "de", lines: [2, 14], nameLength: 20, taxMarks: ["B", "B", "C"], discountLabels: ["EXTREM AKTION", "-25% Rabattsticker", "jö Rabatt"], voidShare: 0.02 });
  const paper = newPaper(38);
  paper.centre(merchant, { scale: 2, isBold: true });
  paper.centre("Mariahilfer Straße 88, 1070 Wien");
  paper.centre("Tel. 01 523 48 21");
  paper.centre(`UID-Nr: ATU${random.digits(8)}`);
  paper.gap();
  paper.text(`Datum: ${dayOf(sale, "DD.MM.YYYY")}   Zeit: ${clockOf(sale)}`);
  paper.text(`Filiale: 0${random.digits(3)} Kassa: ${random.int(1, 9)} Bon: ${random.digits(4)}`);
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    paper.pair(line.name, `${line.taxMark} ${comma(line.amountMinor).padStart(7)}`);
    if (line.measure.kind === "count") paper.text(`   ${line.measure.count} x ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`   ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} EUR/kg`);
    if (line.discount) paper.pair(`  ${line.discount.label}`, comma(line.discount.amountMinor));
    if (line.isVoided) paper.pair(`STORNO ${line.name}`, `${line.taxMark} ${comma(-line.amountMinor).padStart(7)}`);
  }
  paper.rule("=");
  paper.pair("SUMME EUR", comma(sale.sumMinor), { scale: 1.3, isBold: true });
  paper.rule("=");
  const hasCard = random.chance(0.5);
  if (hasCard) {
    paper.pair("Bankomat", comma(sale.sumMinor));
    paper.text(`Debit Mastercard  XXXX XXXX XXXX ${sale.cardLast4}`);
  } else {
    const cash = given(random, sale.sumMinor);
    paper.pair("Bar", comma(cash));
    paper.pair("Rückgeld", comma(cash - sale.sumMinor));
  }
  paper.text("   Satz     Netto    MwSt    Brutto");
  const tax = Math.round(sale.sumMinor / 11);
  paper.text(`B: 10%   ${comma(sale.sumMinor - tax)}   ${comma(tax)}   ${comma(sale.sumMinor)}`);
  paper.gap();
  paper.text(`Ihre Ersparnis heute: ${comma(random.int(50, 700))} EUR`);
  paper.text(`jö Bonus Club: ${random.int(3, 60)} Ös gesammelt`);
  paper.bars();
  paper.centre("Vielen Dank für Ihren Einkauf");
  return { paper, truth: truthOf(sale, { merchant, country: "AT", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard, voidLabel: ({ name }) => `STORNO ${name}` }) };
}; // prettier-ignore

/** A Swiss supermarket: name, count, price and total in columns, rounded to five centimes, a reference column of taxes. */
const swiss: Layout = (random) => {
  const merchant = random.pick(["Migros", "Coop", "Denner"]);
  const sale = saleBy(random, { language: "de", lines: [2, 14], nameLength: 18, endings: [0, 5, 20, 40, 50, 60, 80, 90, 95], weightShare: 0.1, priceLevel: 1.5 });
  const paper = newPaper(44);
  paper.centre(merchant === "Migros" ? "MIGROS" : merchant, { scale: 1.8, isBold: true });
  paper.centre("Genossenschaft Zürich");
  paper.centre("Limmatplatz 6, 8005 Zürich");
  paper.centre(`CHE-1${random.digits(2)}.${random.digits(3)}.${random.digits(3)} MWST`);
  paper.gap();
  paper.text(cells(paper, [52, 68, 82, 94], ["Artikelbezeichnung", "Menge", "Preis", "Total", " "]));
  for (const line of sale.lines) {
    const { measure } = line;
    const [menge, preis] = measure.kind === "count" ? [String(measure.count), money(measure.unitMinor)] : measure.kind === "weight" ? [kilograms(measure.grams), money(measure.perKgMinor)] : ["1", money(line.amountMinor)];
    paper.text(cells(paper, [52, 68, 86, 92], [line.name, menge, preis, money(line.amountMinor), "1"]));
  }
  paper.rule();
  const totalMinor = Math.round(sale.sumMinor / 5) * 5;
  if (totalMinor !== sale.sumMinor) {
    paper.pair("Zwischensumme", money(sale.sumMinor));
    paper.pair("Rundung", money(totalMinor - sale.sumMinor));
  }
  paper.pair("Total CHF", money(totalMinor), { scale: 1.4, isBold: true });
  const hasCard = random.chance(0.6);
  if (hasCard) {
    paper.pair("Debit Mastercard", money(totalMinor));
    paper.text(`xxxx xxxx xxxx ${sale.cardLast4}`);
  } else {
    const cash = given(random, totalMinor);
    paper.pair("Barzahlung", money(cash));
    paper.pair("Rückgeld", money(cash - totalMinor));
  }
  paper.text("MwSt-Nr  Satz   Total   MWST");
  paper.text(`1        2.60   ${money(totalMinor)}   ${money(Math.round((totalMinor * 2.6) / 102.6))}`);
  paper.gap();
  paper.text(`Filiale ${random.digits(4)} Kasse ${random.int(1, 30)} ${dayOf(sale, "DD.MM.YY")} ${clockOf(sale)} Nr ${random.digits(5)}`);
  paper.centre("Cumulus-Punkte: " + random.int(1, 90));
  return { paper, truth: truthOf(sale, { merchant, country: "CH", currency: "CHF", totalMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** By name. */
export const LATER_GERMAN_LAYOUTS: Readonly<Record<string, Layout>> = { discounter, scales, austrian, swiss };
