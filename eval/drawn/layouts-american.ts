import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import type { Paper } from "./paper.ts";
import type { Random } from "./random.ts";
import { money, saleBy, truthOf, two } from "./sale.ts";
import type { Sale } from "./sale.ts";
import { addressOf, shopOf } from "./shops.ts";

// Supermarkets and kitchens of the United States.

function clock({ time: { hour, minute, second } }: Sale, hasSeconds: boolean): string {
  return `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ""}`;
}

function monthFirst({ date: { year, month, day } }: Sale, digits: 2 | 4): string {
  return `${two(month)}/${two(day)}/${digits === 2 ? two(year % 100) : year}`;
}

const taxable = (sale: Sale, mark: string): number =>
  sale.lines.reduce((sum, l) => sum + (l.taxMark === mark ? l.amountMinor + (l.discount?.amountMinor ?? 0) : 0), 0);

function paidInDollars(paper: Paper, random: Random, sale: Sale, totalMinor: number): boolean {
  if (random.chance(0.3)) {
    const tendered = Math.ceil(totalMinor / 500) * 500 + (random.chance(0.4) ? 500 : 0);
    paper.pair("  CASH TEND", money(tendered));
    paper.pair("  CHANGE DUE", money(tendered - totalMinor));
    return false;
  }
  paper.pair(random.pick(["  VISA TEND", "  DEBIT TEND", "  MCARD TEND", "  US DEBIT"]), money(totalMinor));
  paper.pair("  CHANGE DUE", "0.00");
  paper.gap();
  paper.text(`${random.pick(["VISA", "US DEBIT", "MASTERCARD"])}  **** **** **** ${sale.cardLast4}`);
  paper.text(`APPROVAL # ${random.digits(6)}`);
  paper.text(`REF # ${random.digits(12)}`);
  if (random.chance(0.5)) paper.pair("TOTAL PURCHASE", `$${money(totalMinor)}`);
  return true;
}

/** Walmart: code between name and flag, the tax added under the subtotal. */
const walmart: Layout = (random) => {
  const sale = saleBy(random, { language: "us", taxMarks: ["X", "N", "F"], nameLength: 15, endings: [97, 98, 48, 84, 47, 12, 24, 88] });
  const paper = newPaper(40);
  paper.centre("Walmart", { scale: 2, isBold: true });
  paper.centre("Save money. Live better.");
  paper.centre(`( ${random.digits(3)} ) ${random.digits(3)} - ${random.digits(4)}`);
  paper.centre(`MANAGER ${random.pick(["DANA HOLT", "JOE PEREZ"])}`);
  for (const row of addressOf(random, "us")) paper.centre(row.toUpperCase().replace(",", ""));
  paper.text(`ST# ${random.digits(5)} OP# ${random.digits(6)} TE# ${random.digits(2)} TR# ${random.digits(5)}`);
  for (const line of sale.lines) {
    const code = `00${random.digits(10)}`;
    const flag = line.taxMark === "F" ? "F" : " ";
    const mark = line.taxMark === "X" ? "X" : "O";
    if (line.measure.kind === "weight") {
      paper.text(`${line.name.padEnd(15)} ${code.slice(0, 12)}KF`);
      const pounds1000 = Math.round(line.measure.grams * 2.20462);
      const perLb = Math.max(9, Math.round(line.measure.perKgMinor / 2.2));
      line.amountMinor = Math.round((pounds1000 * perLb) / 1000);
      paper.pair(`  ${(pounds1000 / 1000).toFixed(2)} lb @ 1 lb /${money(perLb)}`, `${money(line.amountMinor)} N`);
      line.taxMark = "N";
    } else if (line.measure.kind === "count") {
      paper.text(`${line.name.padEnd(15)} ${code} ${flag}`);
      paper.pair(`   ${line.measure.count} AT 1 FOR ${money(line.measure.unitMinor)}`, `${money(line.amountMinor)} ${mark}`);
    } else paper.pair(`${line.name.padEnd(15)} ${code} ${flag}`, `${money(line.amountMinor)} ${mark}`);
  }
  const sum = sale.lines.reduce((s, l) => s + l.amountMinor, 0);
  const rate = random.pick([6.25, 7, 8.25, 4.5]);
  const tax = Math.round((taxable(sale, "X") * rate) / 100);
  paper.pair(" ".repeat(20) + "SUBTOTAL", money(sum));
  if (tax > 0) paper.pair(`${" ".repeat(14)}TAX 1   ${rate.toFixed(3)} %`, money(tax));
  paper.pair(" ".repeat(23) + "TOTAL", money(sum + tax), { isBold: true });
  const hasCard = paidInDollars(paper, random, sale, sum + tax);
  paper.centre(`# ITEMS SOLD ${sale.lines.length}`);
  paper.centre(`TC# ${random.digits(4)} ${random.digits(4)} ${random.digits(4)} ${random.digits(4)}`);
  paper.bars();
  paper.centre(`${monthFirst(sale, 2)}    ${clock(sale, true)}`);
  return { paper, truth: truthOf(sale, { merchant: "Walmart", country: "US", currency: "USD", totalMinor: sum + tax, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Kroger and its like: savings by the card under the goods, `BALANCE`. */
const kroger: Layout = (random) => {
  const merchant = random.pick(["Kroger", "Safeway", "Publix", "Giant", "Ralphs"]);
  const sale = saleBy(random, { language: "us", taxMarks: ["B", "F", "T"], discountLabels: ["SC KROGER SAVINGS", "MEMBER SAVINGS", "STORE COUPON", "CLUB CARD SAVINGS"], discountShare: 0.2, nameLength: 18 });
  const paper = newPaper(36);
  paper.centre(merchant.toUpperCase(), { scale: 2, isBold: true });
  for (const row of addressOf(random, "us")) paper.centre(row);
  paper.centre(`(${random.digits(3)}) ${random.digits(3)}-${random.digits(4)}`);
  paper.centre(`Your cashier was CHEC ${random.digits(3)}`);
  paper.gap();
  for (const line of sale.lines) {
    if (line.measure.kind === "weight") {
      const pounds1000 = Math.round(line.measure.grams * 2.20462);
      const perLb = Math.max(9, Math.round(line.measure.perKgMinor / 2.2));
      const rounded = Math.round(pounds1000 / 10) * 10;
      line.amountMinor = Math.round((rounded * perLb) / 1000);
      paper.text(`  ${(rounded / 1000).toFixed(2)} lb @ ${money(perLb)} /lb`);
    } else if (line.measure.kind === "count") paper.text(`  ${line.measure.count} @ ${money(line.measure.unitMinor)}`);
    if (line.discount) line.discount.amountMinor = -Math.min(-line.discount.amountMinor, line.amountMinor - 1);
    paper.pair(line.name, `${money(line.amountMinor)} ${line.taxMark}`);
    if (line.discount) paper.pair(line.discount.label, `${money(-line.discount.amountMinor)}-${line.taxMark}`);
  }
  const sum = sale.lines.reduce((s, l) => s + l.amountMinor + (l.discount?.amountMinor ?? 0), 0);
  const tax = Math.round(taxable(sale, "T") * 0.0725);
  if (random.chance(0.5)) paper.pair("   SUBTOTAL", money(sum));
  paper.pair("   TAX", money(tax));
  paper.pair("   **** BALANCE", money(sum + tax), { isBold: true });
  const hasCard = paidInDollars(paper, random, sale, sum + tax);
  paper.pair("TOTAL NUMBER OF ITEMS SOLD =", String(sale.lines.length));
  const saved = sale.lines.reduce((s, l) => s - (l.discount?.amountMinor ?? 0), 0);
  if (saved > 0) paper.pair("TOTAL SAVINGS", `$${money(saved)}`);
  const { hour, minute } = sale.time;
  paper.text(`${monthFirst(sale, 2)}  ${two(hour % 12 === 0 ? 12 : hour % 12)}:${two(minute)}${hour < 12 ? "am" : "pm"} ${random.digits(3)} ${random.int(1, 20)} ${random.digits(4)} ${random.digits(3)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "US", currency: "USD", totalMinor: sum + tax, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Target: dollar signs, codes before names, departments as headings. */
const target: Layout = (random) => {
  const merchant = random.pick(["Target", "Trader Joe's", "Whole Foods Market", "Wegmans"]);
  const isTarget = merchant === "Target";
  const sale = saleBy(random, { language: "us", taxMarks: isTarget ? ["T", "FN"] : [""], nameLength: 20, weightShare: 0, lines: [2, 12] });
  const paper = newPaper(38);
  paper.centre(merchant.toUpperCase(), { scale: 1.6, isBold: true });
  for (const row of addressOf(random, "us")) paper.centre(row);
  paper.centre(`${random.digits(3)}-${random.digits(3)}-${random.digits(4)}`);
  const { hour, minute } = sale.time;
  const halfDay = `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? "AM" : "PM"}`;
  paper.centre(`${monthFirst(sale, 4)} ${halfDay}`);
  paper.gap();
  if (isTarget) paper.text("GROCERY");
  for (const line of sale.lines) {
    const amount = `$${money(line.amountMinor)}`;
    if (isTarget) {
      paper.pair(`${random.digits(9)} ${line.name.slice(0, 14)}  ${line.taxMark}`, amount);
      line.name = line.name.slice(0, 14).trim();
      if (line.measure.kind === "count") paper.text(`   ${line.measure.count} @ $${money(line.measure.unitMinor)} ea`);
    } else {
      paper.pair(line.name, amount);
      if (line.measure.kind === "count") paper.text(`   ${line.measure.count}EA @ ${money(line.measure.unitMinor)}/EA`);
    }
  }
  const sum = sale.lines.reduce((s, l) => s + l.amountMinor, 0);
  const tax = isTarget ? Math.round(taxable(sale, "T") * 0.0825) : 0;
  if (isTarget || random.chance(0.6)) paper.pair("      SUBTOTAL", `$${money(sum)}`);
  if (isTarget) paper.pair(`T = TX TAX 8.25000 on $${money(taxable(sale, "T"))}`, `$${money(tax)}`);
  else if (random.chance(0.5)) paper.pair("      TAX", "$0.00");
  paper.pair("      TOTAL", `$${money(sum + tax)}`, { isBold: true });
  if (random.chance(0.5)) {
    paper.pair(`*${sale.cardLast4} VISA CHARGE`, `$${money(sum + tax)}`);
    paper.text(`AID: A00000000${random.digits(5)}`);
  } else {
    paper.pair("CASH PAYMENT", `$${money(Math.ceil((sum + tax) / 1000) * 1000)}`);
    paper.pair("CHANGE", `$${money(Math.ceil((sum + tax) / 1000) * 1000 - sum - tax)}`);
  }
  paper.text(`REC#2-${random.digits(4)}-${random.digits(4)}-${random.digits(4)}-${random.digits(4)}-${random.digits(1)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "US", currency: "USD", totalMinor: sum + tax, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** A diner's check: counts first, the tip lines left empty. */
const diner: Layout = (random) => {
  const shop = shopOf(random, "us", random.pick(["kitchen", "shelf"]));
  const sale = saleBy(random, { language: "us", goods: "kitchen", lines: [1, 7], priceLevel: 3 });
  const paper = newPaper(32);
  paper.centre(shop.name, { scale: 1.25, isBold: true });
  for (const row of shop.address) paper.centre(row);
  paper.centre(`(${random.digits(3)}) ${random.digits(3)}-${random.digits(4)}`);
  paper.gap();
  paper.text(`Server: ${random.pick(["Amy", "Luis", "Kate"])}      Check #${random.digits(4)}`);
  const { hour, minute } = sale.time;
  paper.text(`${monthFirst(sale, 4)} ${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? "AM" : "PM"}`);
  paper.rule();
  for (const line of sale.lines) paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1} ${line.name}`, money(line.amountMinor));
  paper.rule();
  const tax = Math.round(sale.sumMinor * 0.08);
  paper.pair("Subtotal", money(sale.sumMinor));
  paper.pair(random.pick(["Tax", "Sales Tax", "State Tax 8%"]), money(tax));
  paper.pair(random.pick(["Total", "TOTAL", "Amount Due", "Balance Due"]), `$${money(sale.sumMinor + tax)}`, { scale: 1.25, isBold: true });
  if (random.chance(0.5)) {
    paper.gap();
    paper.text("Tip   ____________");
    paper.text("Total ____________");
    for (const share of [15, 18, 20]) paper.text(`${share}%: $${money(Math.round((sale.sumMinor * share) / 100))}`);
  }
  paper.centre("Thank You! Come Again");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "US", currency: "USD", totalMinor: sale.sumMinor + tax, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** By name, `country-habit`. */
export const AMERICAN_LAYOUTS: Readonly<Record<string, Layout>> = {
  "us-walmart": walmart,
  "us-kroger": kroger,
  "us-target": target,
  "us-diner": diner,
};
