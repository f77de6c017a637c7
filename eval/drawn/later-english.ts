import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import { clockOf, dayOf, given, pieces, tillRow } from "./tills.ts";

// Britain and Ireland, as tills print there that the first layouts were not drawn from.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const pounds = (minor: number): string => (minor < 0 ? `-£${money(-minor)}` : `£${money(minor)}`);

/** A convenience shop on 58 mm: date and till on top, a high total, cash and card for one sale, cash given back by card. */
const convenience: Layout = (random) => {
  const merchant = random.pick(["SPAR", "Nisa Local", "Budgens", "Londis"]);
  const sale = saleBy(random, { language: "en", lines: [1, 9], weightShare: 0, nameLength: 17, taxMarks: ["A", "Z"], discountLabels: ["MULTISAVE", "OFFER 2 FOR 3.00"] });
  const paper = newPaper(28);
  paper.centre(merchant.toUpperCase(), { scale: 1.8, isBold: true });
  paper.centre("8 Bridge Street");
  paper.centre("Kendal LA9 7DD");
  paper.centre(`01539 ${random.digits(6)}`);
  paper.text(`${dayOf(sale, "DD/MM/YY")} ${clockOf(sale)} TILL ${random.int(1, 4)}`);
  paper.text(`SERVED BY ${random.pick(["JO", "SAM", "PRIYA"])}  No.${random.digits(6)}`);
  paper.rule("=");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`${line.measure.count} @ ${money(line.measure.unitMinor)}`);
    paper.pair(line.name, `${money(line.amountMinor)}${line.taxMark}`);
    if (line.discount) paper.pair(line.discount.label, money(line.discount.amountMinor));
  }
  paper.rule("=");
  paper.text(`TOTAL ITEMS ${pieces(sale)}`);
  paper.pair("TOTAL", pounds(sale.sumMinor), { scale: 1.6, isBold: true });
  const isSplit = sale.sumMinor > 1000 && random.chance(0.4);
  const hasCard = isSplit || random.chance(0.6);
  if (isSplit) {
    paper.pair("CASH", pounds(500));
    paper.pair("CARD", pounds(sale.sumMinor - 500));
  } else if (hasCard) {
    const back = random.chance(0.4) ? 2000 : 0;
    paper.pair("VISA DEBIT", pounds(sale.sumMinor + back));
    if (back > 0) paper.pair("CASHBACK", pounds(back));
  } else {
    const cash = given(random, sale.sumMinor);
    paper.pair("CASH", pounds(cash));
    paper.pair("CHANGE", pounds(cash - sale.sumMinor));
  }
  if (hasCard) {
    paper.gap();
    paper.text(`VISA DEBIT ****${sale.cardLast4}`);
    paper.text(`AUTH ${random.digits(6)}`);
  }
  paper.gap();
  paper.centre("WIN £500 OF SHOPPING");
  paper.centre("ENTER BY 31/12/2030");
  return { paper, truth: truthOf(sale, { merchant, country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A chemist or stationer: the name on one row, its number and price on the next; savings told in the footer only. */
const barcodes: Layout = (random) => {
  const merchant = random.pick(["Boots", "WHSmith", "Holland & Barrett"]);
  const sale = saleBy(random, { language: "en", lines: [1, 7], weightShare: 0, nameLength: 26, discountLabels: ["3 FOR 2 MIX & MATCH", "MEAL DEAL SAVING"] });
  const paper = newPaper(40);
  paper.centre(merchant, { scale: 1.7, isBold: true });
  paper.centre("Unit 14 The Arcades, Ashton OL6 7JE");
  paper.centre(`Tel: 0161 ${random.digits(3)} ${random.digits(4)}`);
  paper.gap();
  for (const line of sale.lines) {
    paper.text(line.name);
    const count = line.measure.kind === "count" ? ` ${line.measure.count} x ${pounds(line.measure.unitMinor)}` : "";
    paper.pair(`50${random.digits(11)}${count}`, pounds(line.amountMinor));
    if (line.discount) paper.pair(line.discount.label, pounds(line.discount.amountMinor));
  }
  paper.gap();
  paper.pair("Total to pay", pounds(sale.sumMinor), { isBold: true });
  const hasCard = random.chance(0.7);
  if (hasCard) {
    paper.pair("Mastercard", pounds(sale.sumMinor));
    paper.text(`Card number ************${sale.cardLast4}`);
    paper.text("Contactless   Merchant ID ****" + random.digits(4));
  } else {
    const cash = given(random, sale.sumMinor);
    paper.pair("Cash", pounds(cash));
    paper.pair("Change", pounds(cash - sale.sumMinor));
  }
  paper.rule();
  paper.pair("Points earned on this sale", String(4 * Math.floor(sale.sumMinor / 100)));
  paper.pair("Your points are worth", pounds(random.int(100, 2400)));
  paper.rule();
  paper.centre("Spend £15 on No7 and get £5 off");
  paper.centre("until 24 December");
  paper.bars();
  paper.text(tillRow(random, dayOf(sale, "DD/MM/YYYY"), clockOf(sale, true)));
  return { paper, truth: truthOf(sale, { merchant, country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A pub: a table's number, counts before names, an optional service charge, the sum split among guests in the footer. */
const pub: Layout = (random) => {
  const name = `The ${random.pick(["Fox & Hounds", "Railway Tavern", "Old Crown", "Plough Inn"])}`;
  const sale = saleBy(random, { language: "en", goods: "kitchen", lines: [2, 8], weightShare: 0 });
  const paper = newPaper(36);
  paper.centre(name, { scale: 1.4, isBold: true });
  paper.centre("Church Lane, Wargrave RG10 8EU");
  paper.pair(`Table ${random.int(1, 60)}`, `Covers ${random.int(1, 6)}`);
  paper.pair(`Order #${random.digits(4)}`, `${dayOf(sale, "DD mon YYYY").replace("mon", MONTHS[sale.date.month - 1]!)} ${clockOf(sale)}`);
  paper.rule();
  for (const line of sale.lines) paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1} ${line.name}`, money(line.amountMinor));
  paper.rule();
  const service = random.chance(0.6) ? Math.round(sale.sumMinor * 0.125) : 0;
  const totalMinor = sale.sumMinor + service;
  paper.pair("Sub Total", pounds(sale.sumMinor));
  if (service > 0) paper.pair("Optional Service Charge 12.5%", pounds(service));
  paper.pair("TOTAL DUE", pounds(totalMinor), { scale: 1.3, isBold: true });
  paper.pair("VAT included @ 20%", money(Math.round(sale.sumMinor / 6)));
  paper.gap();
  paper.pair("Split by 2", pounds(Math.ceil(totalMinor / 2)));
  paper.pair("Split by 3", pounds(Math.ceil(totalMinor / 3)));
  paper.centre("Sunday roast from £16.95!");
  return { paper, truth: truthOf(sale, { merchant: name, country: "GB", currency: "GBP", totalMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** An Irish supermarket: deposits for bottles, cash rounded to five cents, a coupon of money off in the footer. */
const dunnes: Layout = (random) => {
  const merchant = random.pick(["Dunnes Stores", "SuperValu", "Centra"]);
  const sale = saleBy(random, { language: "en", lines: [2, 14], nameLength: 20, discountLabels: ["MULTIBUY", "REAL REWARDS", "BUY 2 SAVE"] });
  const deposits = random.chance(0.5) ? [{ name: "DRS DEPOSIT", amountMinor: 15, measure: { kind: "one" as const }, taxMark: "", discount: null, isVoided: false }] : [];
  sale.lines.push(...deposits);
  sale.sumMinor += deposits.length * 15;
  const paper = newPaper(34);
  paper.centre(merchant.toUpperCase(), { scale: 1.5, isBold: true });
  paper.centre("Patrick Street, Cork");
  paper.centre(`VAT NO IE${random.digits(7)}T`);
  paper.pair("", "EUR");
  for (const line of sale.lines) {
    if (line.measure.kind === "weight") paper.text(`${kilograms(line.measure.grams)} kg NET @ €${money(line.measure.perKgMinor)}/kg`);
    if (line.measure.kind === "count") paper.text(`${line.measure.count} x ${money(line.measure.unitMinor)}`);
    paper.pair(line.name, money(line.amountMinor));
    if (line.discount) paper.pair(`  ${line.discount.label}`, money(line.discount.amountMinor));
  }
  paper.rule();
  const isCash = random.chance(0.5);
  const rounding = isCash ? Math.round(sale.sumMinor / 5) * 5 - sale.sumMinor : 0;
  const totalMinor = sale.sumMinor + rounding;
  if (rounding !== 0) {
    paper.pair("SUBTOTAL", money(sale.sumMinor));
    paper.pair("ROUNDING", money(rounding));
  }
  paper.pair("TOTAL DUE", `€${money(totalMinor)}`, { isBold: true });
  if (isCash) {
    const cash = given(random, totalMinor);
    paper.pair("CASH", money(cash));
    paper.pair("CHANGE DUE", money(cash - totalMinor));
  } else {
    paper.pair("DEBIT MASTERCARD", money(totalMinor));
    paper.text(`XXXX XXXX XXXX ${sale.cardLast4}`);
  }
  paper.text(`NUMBER OF ITEMS: ${pieces(sale)}`);
  paper.gap();
  paper.centre("******************************");
  paper.centre("€10 OFF WHEN YOU SPEND €50.00");
  paper.centre(`VALID FROM 01/01/2027 TO 31/01/2027`.slice(0, 34));
  paper.centre("******************************");
  paper.pair(`${dayOf(sale, "DD/MM/YY")}  ${clockOf(sale)}`, `${random.digits(4)} ${random.digits(3)} ${random.digits(4)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "IE", currency: "EUR", totalMinor, hasTime: true, hasCard: !isCash }) };
}; // prettier-ignore

/** By name. */
export const LATER_ENGLISH_LAYOUTS: Readonly<Record<string, Layout>> = { convenience, barcodes, pub, dunnes };
