import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import type { Paper } from "./paper.ts";
import type { Random } from "./random.ts";
import { kilograms, money, saleBy, truthOf, two } from "./sale.ts";
import type { Sale, SaleLine } from "./sale.ts";
import { addressOf, shopOf } from "./shops.ts";

// Supermarkets and kitchens of Britain and Ireland.

const pounds = (minor: number): string => (minor < 0 ? `-£${money(-minor)}` : `£${money(minor)}`);
const euros = (minor: number): string => (minor < 0 ? `-€${money(-minor)}` : `€${money(minor)}`);

function slashed({ date: { year, month, day } }: Sale, digits: 2 | 4): string {
  return `${two(day)}/${two(month)}/${digits === 2 ? two(year % 100) : year}`;
}

function clock({ time: { hour, minute, second } }: Sale, hasSeconds: boolean): string {
  return `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ""}`;
}

/** A card's slip; how much it says differs. */
function cardSlip(paper: Paper, random: Random, sale: Sale, amount: string): void {
  const scheme = random.pick(["VISA DEBIT", "MASTERCARD", "VISA CONTACTLESS", "DEBIT MASTERCARD"]);
  paper.gap();
  paper.text(scheme);
  paper.text(`AID: A00000000${random.digits(5)}`);
  paper.pair(random.pick(["Card No.", "PAN", "Number:"]), `************${sale.cardLast4}`);
  if (random.chance(0.6)) paper.text(`PAN SEQ NO: 0${random.int(0, 3)}    AUTH CODE: ${random.digits(6)}`);
  if (random.chance(0.5)) paper.text(`MERCHANT: ${random.digits(8)}  TID ****${random.digits(4)}`);
  if (random.chance(0.6)) paper.pair(random.pick(["AMOUNT", "SALE", "Total charged"]), amount);
  paper.text(random.pick(["CONTACTLESS", "PIN VERIFIED", "No cardholder verification"]));
}

/** Cash or card under the total; says whether a card's digits are shown. */
function paidBy(paper: Paper, random: Random, sale: Sale, totalMinor: number, as: (minor: number) => string): boolean {
  if (random.chance(0.35)) {
    const tendered = Math.ceil(totalMinor / 500) * 500 + (random.chance(0.4) ? 500 : 0);
    paper.pair(random.pick(["CASH", "Cash"]), as(tendered));
    paper.pair(random.pick(["CHANGE", "CHANGE DUE", "Change"]), as(tendered - totalMinor));
    return false;
  }
  paper.pair(random.pick(["CARD", "VISA DEBIT", "MasterCard", "CONTACTLESS"]), as(totalMinor));
  if (random.chance(0.5)) paper.pair(random.pick(["CHANGE", "CHANGE DUE"]), as(0));
  cardSlip(paper, random, sale, as(totalMinor));
  return true;
}

function measureText({ measure }: SaleLine, as: (minor: number) => string, pattern: "at" | "x"): string | null {
  if (measure.kind === "count")
    return pattern === "at" ? `${measure.count} @ ${as(measure.unitMinor)}` : `${measure.count} x ${as(measure.unitMinor)}`;
  if (measure.kind === "weight") return `${kilograms(measure.grams)} kg @ ${as(measure.perKgMinor)}/kg`;
  return null;
} // prettier-ignore

/** Tesco's habit: amounts with the pound sign, the count before the name, savings by the loyalty card in a row of their own. */
const tesco: Layout = (random) => {
  const sale = saleBy(random, {
    language: "en",
    discountLabels: ["Cc £2.50", "Clubcard Price", "Cc 3 for 2", "Meal Deal £3.90", "Cc £1.75"],
    discountShare: 0.18,
    voidShare: 0.01,
    nameLength: 22,
  });
  const paper = newPaper(random.pick([34, 38]));
  paper.centre("TESCO", { scale: 2, isBold: true });
  if (random.chance(0.5)) paper.centre("express");
  for (const row of addressOf(random, "en")) paper.centre(row);
  paper.centre(`VAT NO: GB 220 4302 31`);
  paper.gap();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    if (line.measure.kind === "weight") {
      paper.text(line.name);
      paper.pair(`  ${measureText(line, pounds, "at")}`, pounds(line.amountMinor));
    } else paper.pair(`${count} ${line.name}`, pounds(line.amountMinor));
    if (line.discount) paper.pair(`  ${line.discount.label}`, pounds(line.discount.amountMinor));
    if (line.isVoided) paper.pair(`  VOID ${line.name}`, pounds(-line.amountMinor));
  }
  paper.rule();
  const saved = sale.lines.reduce((sum, { discount }) => sum + (discount?.amountMinor ?? 0), 0);
  if (saved < 0) {
    paper.pair("Subtotal", pounds(sale.sumMinor - saved));
    paper.pair("Savings", pounds(saved));
  }
  if (saved < 0 && random.chance(0.5)) paper.pair("Promotions", pounds(saved));
  paper.pair("TOTAL", pounds(sale.sumMinor), { isBold: true });
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, pounds);
  paper.gap();
  if (random.chance(0.6)) {
    paper.centre("CLUBCARD STATEMENT");
    paper.pair("Clubcard Number", `*************${random.digits(4)}`);
    paper.pair("Points this visit", String(random.int(1, 60)));
    paper.pair("TOTAL UP TO " + slashed(sale, 2), String(random.int(60, 900)));
  }
  paper.text(`${slashed(sale, random.pick([2, 4]))} ${clock(sale, false)}  ${random.digits(4)} ${random.digits(3)} ${random.digits(4)}`);
  return { paper, truth: truthOf(sale, { merchant: "Tesco", country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard, voidLabel: ({ name }) => `VOID ${name}` }) };
}; // prettier-ignore

/** Sainsbury's: stars before promoted goods, Nectar savings, `BALANCE DUE` with the count of items. */
const sainsburys: Layout = (random) => {
  const sale = saleBy(random, { language: "en", discountLabels: ["Nectar Price Saving", "*£1 OFF", "3 FOR £10 SAVING"], nameLength: 20 });
  const paper = newPaper(36);
  paper.centre("Sainsbury's", { scale: 1.6, isBold: true });
  paper.centre("Sainsbury's Supermarkets Ltd");
  paper.centre("33 Holborn London EC1N 2HT");
  paper.centre("www.sainsburys.co.uk");
  paper.centre("Vat Number : 660 4548 36");
  paper.gap();
  for (const line of sale.lines) {
    if (line.measure.kind === "weight") {
      paper.text((line.name));
      paper.pair(`   ${measureText(line, pounds, "at")}`, pounds(line.amountMinor));
    } else {
      paper.pair(`${random.chance(0.25) ? "*" : ""}${line.name}`, pounds(line.amountMinor));
      if (line.measure.kind === "count") paper.text(`   ${measureText(line, pounds, "at")} each`);
    }
    if (line.discount) paper.pair(line.discount.label, pounds(line.discount.amountMinor));
  }
  paper.gap();
  const items = sale.lines.length;
  paper.pair(`${items} BALANCE DUE`, pounds(sale.sumMinor), { isBold: true });
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, pounds);
  paper.gap();
  paper.text("*********** NECTAR POINTS ***********".slice(0, 36));
  paper.pair("Points earned", String(random.int(1, 90)));
  paper.pair("New points balance", String(random.int(100, 4000)));
  paper.gap();
  paper.centre("Thank you for your visit");
  paper.text(`C${random.digits(3)} #${random.digits(4)} ${clock(sale, true)} ${slashed(sale, 2).replaceAll("/", random.pick(["/", "-"]))}`);
  return { paper, truth: truthOf(sale, { merchant: "Sainsbury's", country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Asda: no signs, a subtotal, roll-back savings told but not taken off. */
const asda: Layout = (random) => {
  const sale = saleBy(random, { language: "en", discountLabels: ["MULTIBUY SAVING", "PRICE MATCH", "2 FOR 5.00"], nameLength: 20, taxMarks: ["", "", "*"] });
  const paper = newPaper(34);
  paper.centre("ASDA", { scale: 2, isBold: true });
  paper.centre("SAVE MONEY. LIVE BETTER.");
  for (const row of addressOf(random, "en")) paper.centre(row.toUpperCase());
  paper.centre(`TEL ${random.digits(5)} ${random.digits(6)}`);
  paper.centre("ASDA STORES LTD VAT 362 0127 92");
  paper.text(`ST# ${random.digits(4)} OP# ${random.digits(8)} TE# ${random.digits(2)} TR# ${random.digits(5)}`);
  for (const line of sale.lines) {
    if (line.measure.kind === "weight") {
      paper.text((line.name));
      paper.pair(`  ${kilograms(line.measure.grams)} kg @ ${pounds(line.measure.perKgMinor)}/kg`, `${money(line.amountMinor)} ${line.taxMark}`.trimEnd());
    } else if (line.measure.kind === "count") {
      paper.text(line.name);
      paper.pair(`  ${line.measure.count} @ ${money(line.measure.unitMinor)}`, money(line.amountMinor));
    } else paper.pair(line.name, money(line.amountMinor));
    if (line.discount) paper.pair(line.discount.label, money(line.discount.amountMinor));
  }
  paper.pair(" ".repeat(12) + "SUBTOTAL", money(sale.sumMinor));
  paper.rule();
  paper.pair(" ".repeat(12) + "TOTAL", pounds(sale.sumMinor), { isBold: true });
  paper.rule();
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, pounds);
  if (random.chance(0.4)) paper.centre(`YOU SAVED ${pounds(random.int(20, 900))} TODAY`);
  paper.centre(`# ITEMS SOLD ${sale.lines.length}`);
  paper.bars();
  paper.centre(`${slashed(sale, 2)}   ${clock(sale, true)}`);
  return { paper, truth: truthOf(sale, { merchant: "Asda", country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Aldi in Britain and Ireland: product codes before names, tax letters behind amounts, a table of taxes. */
const aldi: Layout = (random) => {
  const isIrish = random.chance(0.4);
  const as = isIrish ? euros : pounds;
  const sale = saleBy(random, { language: "en", taxMarks: ["A", "B"], nameLength: 20 });
  const paper = newPaper(36);
  paper.centre("ALDI", { scale: 2, isBold: true });
  paper.centre(isIrish ? "ALDI STORES (IRELAND) LTD" : "ALDI STORES LTD");
  for (const row of isIrish ? ["Newbridge Road", "Naas, Co. Kildare"] : addressOf(random, "en")) paper.centre(row);
  paper.centre(isIrish ? "VAT No: IE6372832H" : "VAT No: GB 639 7283 22");
  paper.pair("", isIrish ? "EUR" : "GBP");
  for (const line of sale.lines) {
    const code = random.digits(random.pick([4, 6]));
    if (line.measure.kind === "weight") {
      paper.pair(`${code} ${line.name}`, `${money(line.amountMinor)} ${line.taxMark}`);
      paper.text(`  ${kilograms(line.measure.grams)} kg x ${as(line.measure.perKgMinor)}/kg`);
    } else {
      if (line.measure.kind === "count") paper.text(`${line.measure.count} x ${money(line.measure.unitMinor)}`);
      paper.pair(`${code} ${line.name}`, `${money(line.amountMinor)} ${line.taxMark}`);
    }
  }
  paper.rule();
  paper.pair("Total", `${isIrish ? "EUR" : "GBP"} ${money(sale.sumMinor)}`, { isBold: true });
  paper.pair(`${sale.lines.length} items`, "");
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, as);
  const net = Math.round(sale.sumMinor * random.within(0.3, 0.7));
  paper.gap();
  paper.text("   RATE      NET     VAT   GROSS");
  paper.text(`A  0.00%  ${money(net).padStart(7)} ${money(0).padStart(7)} ${money(net).padStart(7)}`);
  const rest = sale.sumMinor - net;
  const tax = Math.round(rest / 6);
  paper.text(`B 20.00%  ${money(rest - tax).padStart(7)} ${money(tax).padStart(7)} ${money(rest).padStart(7)}`);
  paper.gap();
  paper.text(`${slashed(sale, 2).replaceAll("/", random.pick(["/", "."]))}  ${clock(sale, false)}  ${random.digits(4)}/${random.digits(3)}/${random.digits(3)}`);
  paper.centre("THANK YOU FOR SHOPPING AT ALDI");
  return { paper, truth: truthOf(sale, { merchant: "Aldi", country: isIrish ? "IE" : "GB", currency: isIrish ? "EUR" : "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Lidl: `2 x 1.19` behind the name, tax letters, coupons of the app. */
const lidl: Layout = (random) => {
  const isIrish = random.chance(0.4);
  const sale = saleBy(random, { language: "en", taxMarks: ["A", "B"], discountLabels: ["Lidl Plus discount", "Price reduction", "Lidl Plus coupon"], nameLength: 20 });
  const paper = newPaper(36);
  paper.centre("LiDL", { scale: 2, isBold: true });
  for (const row of isIrish ? ["Main Street", "Malahide, Co. Dublin"] : addressOf(random, "en")) paper.centre(row);
  paper.centre(isIrish ? "VAT NO. IE8223123C" : "VAT NO. GB350396892");
  paper.pair("", isIrish ? "€" : "£");
  for (const line of sale.lines) {
    const measure = line.measure.kind === "count" ? `${line.name.slice(0, 14)}  ${line.measure.count} x ${money(line.measure.unitMinor)}` : line.name;
    line.name = line.measure.kind === "count" ? line.name.slice(0, 14).trim() : line.name;
    paper.pair(measure, `${money(line.amountMinor)} ${line.taxMark}`);
    if (line.measure.kind === "weight") paper.text(`   ${kilograms(line.measure.grams)} kg x ${money(line.measure.perKgMinor)} ${isIrish ? "EUR" : "£"}/kg`);
    if (line.discount) paper.pair(`  ${line.discount.label}`, money(line.discount.amountMinor));
  }
  paper.pair("", "--------");
  paper.pair("TOTAL", money(sale.sumMinor), { isBold: true });
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, money);
  paper.gap();
  paper.text("VAT%      VAT  Net     Gross");
  const tax = Math.round(sale.sumMinor / 6);
  paper.text(`B 20 %  ${money(tax)}   ${money(sale.sumMinor - tax)}   ${money(sale.sumMinor)}`);
  paper.gap();
  paper.text(`${random.digits(4)}  ${random.digits(6)}/${random.digits(2)}     ${slashed(sale, 2).replaceAll("/", ".")} ${clock(sale, false)}`);
  return { paper, truth: truthOf(sale, { merchant: "Lidl", country: isIrish ? "IE" : "GB", currency: isIrish ? "EUR" : "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** M&S and the Co-op: short, the total called so only once, the card's slip as long as the rest. */
const foodHall: Layout = (random) => {
  const merchant = random.pick(["Marks & Spencer", "Co-op", "Waitrose", "Iceland", "Morrisons"]);
  const sale = saleBy(random, { language: "en", lines: [1, 8], discountLabels: ["DEAL SAVING", "Member saving", "REDUCED"], nameLength: 24 });
  const paper = newPaper(random.pick([32, 40]));
  paper.centre(merchant === "Marks & Spencer" ? "M&S" : merchant.toUpperCase(), { scale: 2, isBold: true });
  if (merchant === "Marks & Spencer") paper.centre("MARKS & SPENCER PLC");
  for (const row of addressOf(random, "en")) paper.centre(row);
  paper.text(`Date: ${slashed(sale, 4)}   Time: ${clock(sale, false)}`);
  paper.text(`Till: ${random.int(1, 20)}  Operator: ${random.digits(4)}`);
  paper.rule("=");
  for (const line of sale.lines) {
    paper.pair(line.name, pounds(line.amountMinor));
    const measure = measureText(line, pounds, "x");
    if (measure) paper.text(`   ${measure}`);
    if (line.discount) paper.pair(`   ${line.discount.label}`, pounds(line.discount.amountMinor));
  }
  paper.rule("=");
  paper.pair(random.pick(["TOTAL TO PAY", "Total", "BALANCE TO PAY", "TOTAL"]), pounds(sale.sumMinor), { scale: 1.25, isBold: true });
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, pounds);
  paper.gap();
  paper.centre("Please keep your receipt");
  return { paper, truth: truthOf(sale, { merchant, country: "GB", currency: "GBP", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A small shop or café: a cash register of few words. */
const corner: Layout = (random) => {
  const goods = random.pick(["shelf", "kitchen"] as const);
  const shop = shopOf(random, "en", goods);
  const sale = saleBy(random, { language: "en", goods, lines: [1, 6], weightShare: 0 });
  const paper = newPaper(30);
  paper.centre(shop.name, { isBold: true, scale: random.pick([1, 1.25]) });
  for (const row of shop.address) paper.centre(row);
  if (random.chance(0.6)) paper.centre(`Tel: 0${random.digits(4)} ${random.digits(6)}`);
  paper.gap();
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const { day, month, year } = sale.date;
  paper.text(random.chance(0.5) ? `${two(day)} ${months[month - 1]} ${year}  ${clock(sale, false)}` : `${slashed(sale, 4)} ${clock(sale, false)}`);
  if (goods === "kitchen") paper.text(`Table ${random.int(1, 24)}   Covers ${random.int(1, 6)}`);
  paper.rule();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    paper.pair(`${count} ${line.name}`, random.chance(1) ? money(line.amountMinor) : "");
  }
  paper.rule();
  const service = goods === "kitchen" && random.chance(0.3) ? Math.round(sale.sumMinor * 0.125) : 0;
  if (service > 0 || random.chance(0.4)) paper.pair("Subtotal", money(sale.sumMinor));
  if (service > 0) paper.pair("Service Charge 12.5%", money(service));
  const totalMinor = sale.sumMinor + service;
  paper.pair("TOTAL", pounds(totalMinor), { isBold: true });
  const hasCard = paidBy(paper, random, sale, totalMinor, pounds);
  paper.centre("Thank you");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "GB", currency: "GBP", totalMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Irish grocers: euro signs before amounts, the loyalty voucher taken off at the end. */
const irish: Layout = (random) => {
  const merchant = random.pick(["Dunnes Stores", "SuperValu", "Centra", "Spar"]);
  const sale = saleBy(random, { language: "en", discountLabels: ["Promotion", "Real Rewards Saving"], endDiscountLabels: ["Shop & Save Voucher", "€5 OFF €25 VOUCHER"], nameLength: 22 });
  const paper = newPaper(36);
  paper.centre(merchant.toUpperCase(), { scale: 1.6, isBold: true });
  paper.centre("Ranelagh, Dublin 6");
  paper.centre(`VAT REG IE${random.digits(7)}T`);
  paper.centre(`Tel 01 ${random.digits(7)}`);
  paper.rule();
  for (const line of sale.lines) {
    paper.pair(line.name, euros(line.amountMinor));
    const measure = measureText(line, euros, "at");
    if (measure) paper.text(`   ${measure}`);
    if (line.discount) paper.pair(`  ${line.discount.label}`, euros(line.discount.amountMinor));
  }
  paper.rule();
  if (sale.endDiscounts.length > 0) {
    paper.pair("SUB TOTAL", euros(sale.sumMinor - sale.endDiscounts[0]!.amountMinor));
    for (const { label, amountMinor } of sale.endDiscounts) paper.pair(label, euros(amountMinor));
  }
  paper.pair(random.pick(["TOTAL", "TOTAL DUE", "Amount Due"]), euros(sale.sumMinor), { isBold: true });
  const hasCard = paidBy(paper, random, sale, sale.sumMinor, euros);
  paper.gap();
  paper.text(`${slashed(sale, random.pick([2, 4]))} ${clock(sale, random.chance(0.5))} Till ${random.int(1, 12)} Trans ${random.digits(5)}`);
  paper.centre("Thank you for shopping local");
  return { paper, truth: truthOf(sale, { merchant, country: "IE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** By name, `country-habit`. */
export const BRITISH_LAYOUTS: Readonly<Record<string, Layout>> = {
  "gb-tesco": tesco,
  "gb-sainsburys": sainsburys,
  "gb-asda": asda,
  "gb-aldi": aldi,
  "gb-lidl": lidl,
  "gb-foodhall": foodHall,
  "gb-corner": corner,
  "ie-grocer": irish,
};
