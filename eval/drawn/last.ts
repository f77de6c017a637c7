import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import { cells, clockOf, dayOf, given, halfDayClockOf, pieces } from "./tills.ts";

// Five more, drawn once the later ones had changed the reader's rules: whether those rules are general.

const comma = (minor: number): string => money(minor, ",");

/** An American chemist: counts before names, regular prices told below, a tax, coupons for the next visit as long as the list. */
const drugstore: Layout = (random) => {
  const sale = saleBy(random, { language: "us", lines: [1, 8], weightShare: 0, nameLength: 20, taxMarks: ["T", "F", "B"], discountLabels: ["MFR COUPON", "EXTRABUCKS"], discountShare: 0.15 });
  const paper = newPaper(38);
  paper.centre("CVS/pharmacy", { scale: 1.6, isBold: true });
  paper.centre("1150 E MAIN ST, DENISON, TX 75021");
  paper.centre(`903-555-${random.digits(4)}`);
  paper.text(`REG#${random.digits(2)} TRN#${random.digits(4)} CSHR#${random.digits(7)} STR#${random.digits(4)}`);
  paper.text(`Helped by: MARIA`);
  paper.gap();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    paper.pair(`${count} ${line.name}`, `${money(line.amountMinor)}${line.taxMark}`);
    if (line.measure.kind === "count") paper.text(`   ${count} @ ${money(line.measure.unitMinor)} ea`);
    if (line.discount) paper.pair(`   ${line.discount.label}`, `${money(-line.discount.amountMinor)}-`);
    else if (random.chance(0.3)) paper.text(`   REG ${money(line.amountMinor + 150)}  SAVED 1.50`);
  }
  paper.gap();
  const tax = Math.round(sale.lines.filter(({ taxMark }) => taxMark === "T").reduce((sum, l) => sum + l.amountMinor + (l.discount?.amountMinor ?? 0), 0) * 0.0825);
  const totalMinor = sale.sumMinor + tax;
  paper.text(`${pieces(sale)} ITEMS`);
  paper.pair("          SUBTOTAL", money(sale.sumMinor));
  if (tax > 0) paper.pair("          TX 8.25% TAX", money(tax));
  paper.pair("          TOTAL", money(totalMinor), { isBold: true });
  paper.pair("          CHARGE", money(totalMinor));
  paper.text(`************${sale.cardLast4} CONTACTLESS`);
  paper.text(`VISA DEBIT  APPROVED# ${random.digits(6)}`);
  paper.pair("          CHANGE", ".00");
  paper.gap();
  paper.bars();
  paper.text(`Returns with receipt, thru 12/31/2030`);
  paper.text(`${new Date(Date.UTC(2020, sale.date.month - 1)).toUTCString().slice(8, 11).toUpperCase()} ${sale.date.day}, ${sale.date.year}   ${halfDayClockOf(sale)}`);
  paper.rule("=");
  paper.text("ExtraCare Card balances as of 06/01");
  paper.pair("Year to Date Savings", "184.22");
  paper.centre("$4.00 off your next $20.00 purchase");
  return { paper, truth: truthOf(sale, { merchant: "CVS", country: "US", currency: "USD", totalMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A German bakery chain: count, name, price of one and amount, the tax by where it is eaten, signature lines below. */
const bakery: Layout = (random) => {
  const name = `${random.pick(["Backhaus", "Bäckerei", "Stadtbäckerei"])} ${random.pick(["Olfen", "Wendlandt", "Siebrecht"])}`;
  const sale = saleBy(random, { language: "de", goods: "kitchen", lines: [1, 6], weightShare: 0, nameLength: 18 });
  const paper = newPaper(32);
  paper.centre(name, { scale: 1.2, isBold: true });
  paper.centre("Am Bahnhof 3 - 48301 Nottuln");
  paper.centre(`St.-Nr. ${random.digits(3)}/${random.digits(4)}/${random.digits(4)}`);
  paper.text(`Rechnung ${random.digits(6)}  Kasse ${random.int(1, 3)}`);
  paper.text(`${dayOf(sale, "DD.MM.YYYY")} ${clockOf(sale)}  Außer Haus`);
  paper.rule();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    const unit = line.measure.kind === "count" ? line.measure.unitMinor : line.amountMinor;
    paper.text(cells(paper, [76, 99], [`${count} ${line.name}`, comma(unit), comma(line.amountMinor)]));
  }
  paper.rule();
  paper.pair("Gesamt", `${comma(sale.sumMinor)} EUR`, { scale: 1.3, isBold: true });
  const cash = given(random, sale.sumMinor);
  paper.pair("Bar", `${comma(cash)} EUR`);
  paper.pair("Rückgeld", `${comma(cash - sale.sumMinor)} EUR`);
  const tax = Math.round((sale.sumMinor * 7) / 107);
  paper.text(`7% MwSt ${comma(tax)}  Netto ${comma(sale.sumMinor - tax)}`);
  paper.rule();
  paper.text(`TSE-Start ${dayOf(sale, "YYYY-MM-DD")}T${clockOf(sale, true)}`);
  paper.text(`TSE-Signatur ${random.digits(20)}`);
  paper.centre("10 Brötchen nur 3,90 EUR");
  return { paper, truth: truthOf(sale, { merchant: name, country: "DE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** A French discounter: count and price above the name, what meal vouchers may pay told beside the total. */
const voucher: Layout = (random) => {
  const merchant = random.pick(["Lidl", "Aldi", "Franprix"]);
  const sale = saleBy(random, { language: "fr", lines: [2, 14], weightShare: 0.1, nameLength: 22, discountLabels: ["REMISE LIDL PLUS", "Remise 30%"] });
  const paper = newPaper(36);
  paper.centre(merchant.toUpperCase(), { scale: 1.8, isBold: true });
  paper.centre("112 bd Voltaire 75011 PARIS");
  paper.centre("Ouvert de 8h30 à 21h00");
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`   ${line.measure.count} x ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`   ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} EUR/kg`);
    paper.pair(line.name, `${comma(line.amountMinor)} ${random.pick(["A", "B"])}`);
    if (line.discount) paper.pair(`   ${line.discount.label}`, comma(line.discount.amountMinor));
  }
  paper.rule();
  paper.pair("Total", comma(sale.sumMinor), { scale: 1.4, isBold: true });
  paper.pair("Total éligible TR", comma(Math.round(sale.sumMinor * 0.8)));
  paper.pair("Carte bancaire", comma(sale.sumMinor));
  paper.text(`Nb d'articles : ${pieces(sale)}`);
  paper.text("     TVA %    HT     TVA    TTC");
  const tax = Math.round((sale.sumMinor * 5.5) / 105.5);
  paper.text(`A    5,5   ${comma(sale.sumMinor - tax)}  ${comma(tax)}  ${comma(sale.sumMinor)}`);
  paper.text(`${random.digits(4)} ${random.digits(6)}/${random.digits(2)} ${dayOf(sale, "DD.MM.YY")} ${clockOf(sale)}`);
  paper.gap();
  paper.text(`No de carte : ############${sale.cardLast4}`);
  paper.text(`Date : ${dayOf(sale, "DD/MM/YYYY")}  Heure : ${clockOf(sale, true)}`);
  paper.pair("Montant", `${comma(sale.sumMinor)} EUR`);
  return { paper, truth: truthOf(sale, { merchant, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A Spanish bar: a table, counts before names, price of one and amount, the tax within, a tip suggested. */
const taberna: Layout = (random) => {
  const name = `${random.pick(["Taberna", "Bar", "Mesón"])} ${random.pick(["El Rincón", "Casa Paco", "La Esquina"])}`;
  const sale = saleBy(random, { language: "es", goods: "kitchen", lines: [2, 8], weightShare: 0, nameLength: 16 });
  const paper = newPaper(32);
  paper.centre(name, { scale: 1.3, isBold: true });
  paper.centre("C/ Cervantes 12 - 18009 Granada");
  paper.centre(`B-${random.digits(8)}`);
  paper.text(`Mesa: ${random.int(1, 30)}   Camarero: ${random.int(1, 9)}`);
  paper.text(`Fecha ${dayOf(sale, "DD-MM-YY")}  Hora ${clockOf(sale)}`);
  paper.text(`Fra. Simplif. T${random.digits(6)}`);
  paper.rule("=");
  paper.text(cells(paper, [76, 99], ["Cant Concepto", "Precio", "Total"]));
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    const unit = line.measure.kind === "count" ? line.measure.unitMinor : line.amountMinor;
    paper.text(cells(paper, [76, 99], [`${count}   ${line.name}`, comma(unit), comma(line.amountMinor)]));
  }
  paper.rule("=");
  const tax = Math.round(sale.sumMinor / 11);
  paper.pair("Base imponible", comma(sale.sumMinor - tax));
  paper.pair("IVA 10%", comma(tax));
  paper.pair("TOTAL EUR", comma(sale.sumMinor), { scale: 1.4, isBold: true });
  paper.centre("IVA incluido");
  paper.pair("Propina sugerida 5%", comma(Math.round(sale.sumMinor * 0.05)));
  paper.centre("Gracias por su visita");
  return { paper, truth: truthOf(sale, { merchant: name, country: "ES", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** A British quick-service kitchen: an order number, counts before names, what belongs to a meal below it without a price, `Eat-In Total`. */
const counter: Layout = (random) => {
  const merchant = random.pick(["McDonald's", "Greggs", "Burger King"]);
  const sale = saleBy(random, { language: "en", goods: "kitchen", lines: [1, 6], weightShare: 0 });
  const paper = newPaper(34);
  paper.centre(merchant.toUpperCase(), { scale: 1.5, isBold: true });
  paper.centre("Retail Park, Stockport SK1 3TA");
  paper.centre(`Tel No. 0161 ${random.digits(7)}`);
  paper.centre(`ORDER ${random.int(10, 99)}`, { scale: 1.8 });
  paper.text(`KS# ${random.int(1, 20)}          ${dayOf(sale, "DD/MM/YYYY")} ${clockOf(sale)}`);
  paper.text(cells(paper, [98], ["QTY ITEM", "TOTAL"]));
  for (const line of sale.lines) {
    paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1} ${line.name}`, money(line.amountMinor));
    if (random.chance(0.3)) paper.text(`   1 ${random.pick(["Med Cola Zero", "No Onion", "Ketchup"])}`);
  }
  paper.gap();
  paper.pair("Subtotal", money(sale.sumMinor));
  paper.pair(random.pick(["Eat-In Total (incl VAT)", "Take-Out Total (incl VAT)"]), money(sale.sumMinor), { isBold: true });
  paper.pair("Cashless", money(sale.sumMinor));
  paper.pair("Change", "0.00");
  paper.text(`VAT @ 20%     ${money(Math.round(sale.sumMinor / 6))}`);
  paper.gap();
  paper.text(`CARD NO ************${sale.cardLast4}`);
  paper.centre("Tell us and win: code " + random.digits(12));
  return { paper, truth: truthOf(sale, { merchant, country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** By name. */
export const LAST_LAYOUTS: Readonly<Record<string, Layout>> = { drugstore, bakery, voucher, taberna, counter };
