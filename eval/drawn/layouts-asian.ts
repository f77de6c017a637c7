import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { money, saleBy, truthOf, two } from "./sale.ts";
import type { Sale } from "./sale.ts";
import { addressOf, shopOf } from "./shops.ts";

// Supermarkets and kitchens of Malaysia and Singapore.

function dated({ date: { year, month, day } }: Sale, separator: string, digits: 2 | 4): string {
  return [two(day), two(month), digits === 2 ? two(year % 100) : String(year)].join(separator);
}

function clock({ time: { hour, minute, second } }: Sale, isHalfDay: boolean): string {
  if (isHalfDay) return `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)}:${two(second)} ${hour < 12 ? "AM" : "PM"}`;
  return `${two(hour)}:${two(minute)}:${two(second)}`;
}

/** To the nearest five sen. */
function roundingOf(minor: number): number {
  return Math.round(minor / 5) * 5 - minor;
}

/** A tax invoice: codes above, count × price and amount below, rounding, GST or SST summary. */
const taxInvoice: Layout = (random) => {
  const shop = random.chance(0.4) ? { name: random.pick(["AEON CO. (M) BHD", "99 SPEEDMART S/B", "MYDIN MOHAMED HOLDINGS BHD", "ECONSAVE CASH & CARRY SDN BHD"]), address: addressOf(random, "my") } : shopOf(random, "my", "shelf");
  const mark = random.pick(["SR", "S", "ZRL", ""]);
  const sale = saleBy(random, { language: "my", nameLength: 24, weightShare: 0.06, priceLevel: 1.5 });
  const paper = newPaper(40);
  paper.centre(shop.name, { isBold: true });
  paper.centre(`(${random.digits(6)}-${random.pick(["A", "K", "V"])})`);
  for (const row of shop.address) paper.centre(row);
  paper.centre(`GST ID : 00${random.digits(10)}`);
  paper.centre(random.pick(["TAX INVOICE", "INVOICE", "CASH RECEIPT"]));
  paper.text(`Invoice No : CS${random.digits(6)}`);
  paper.text(`Date : ${dated(sale, random.pick(["/", "-"]), random.pick([2, 4]))}  ${clock(sale, random.chance(0.4))}`);
  paper.rule();
  paper.text("ITEM           QTY   U/PRICE    AMT (RM)");
  paper.rule();
  for (const line of sale.lines) {
    const [count, unit] = line.measure.kind === "count" ? [String(line.measure.count), line.measure.unitMinor] : line.measure.kind === "weight" ? [(line.measure.grams / 1000).toFixed(3), line.measure.perKgMinor] : ["1", line.amountMinor];
    paper.text(random.chance(0.5) ? `955${random.digits(10)} ${line.name}`.slice(0, 14 + line.name.length) : line.name);
    paper.pair(`               ${count} x ${money(unit)}`, `${money(line.amountMinor)} ${mark}`.trimEnd());
  }
  paper.rule();
  const rounding = roundingOf(sale.sumMinor);
  const totalMinor = sale.sumMinor + rounding;
  paper.pair(random.pick(["Sub Total", "Total Sales (Incl GST)", "TOTAL"]), money(sale.sumMinor));
  paper.pair(random.pick(["Rounding Adj", "Rounding", "Rounding Adjustment"]), money(rounding));
  paper.pair(random.pick(["TOTAL RM", "Net Total RM", "Total Rounded", "TOTAL AMOUNT"]), money(totalMinor), { isBold: true });
  const tendered = Math.ceil(totalMinor / 1000) * 1000;
  const hasCard = random.chance(0.3);
  if (hasCard) {
    paper.pair("VISA CARD", money(totalMinor));
    paper.text(`XXXXXXXXXXXX${sale.cardLast4}`);
  } else {
    paper.pair("CASH", money(tendered));
    paper.pair("CHANGE", money(tendered - totalMinor));
  }
  if (mark !== "") {
    paper.text("GST Summary        Amount(RM)   Tax(RM)");
    const net = Math.round(sale.sumMinor / 1.06);
    paper.text(`${mark} @ 6%           ${money(net)}       ${money(sale.sumMinor - net)}`);
  }
  paper.centre("THANK YOU, PLEASE COME AGAIN");
  paper.centre("GOODS SOLD ARE NOT RETURNABLE");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "MY", currency: "MYR", totalMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A kitchen: counts first, service charge and SST added. */
const kitchen: Layout = (random) => {
  const shop = shopOf(random, "my", "kitchen");
  const sale = saleBy(random, { language: "my", goods: "kitchen", lines: [1, 7], priceLevel: 2, endings: [0, 50, 80, 20, 90] });
  const paper = newPaper(34);
  paper.centre(shop.name, { isBold: true, scale: random.pick([1, 1.2]) });
  for (const row of shop.address) paper.centre(row);
  paper.centre(`TEL: 03-${random.digits(8)}`);
  paper.text(`Bill No: ${random.digits(5)}   Table: ${random.int(1, 30)}`);
  paper.text(`Date: ${dated(sale, "/", 4)}  ${clock(sale, true)}`);
  paper.rule();
  for (const line of sale.lines) paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1} ${line.name}`, money(line.amountMinor));
  paper.rule();
  const service = random.chance(0.4) ? Math.round(sale.sumMinor / 10) : 0;
  const tax = random.chance(0.6) ? Math.round((sale.sumMinor + service) * 0.06) : 0;
  paper.pair("Subtotal", money(sale.sumMinor));
  if (service > 0) paper.pair("Service Charge 10%", money(service));
  if (tax > 0) paper.pair(random.pick(["SST 6%", "Service Tax 6%", "GST 6%"]), money(tax));
  const rounding = roundingOf(sale.sumMinor + service + tax);
  if (rounding !== 0) paper.pair("Rounding", money(rounding));
  const totalMinor = sale.sumMinor + service + tax + rounding;
  paper.pair(random.pick(["TOTAL (RM)", "Grand Total", "NETT TOTAL"]), `RM${money(totalMinor)}`, { isBold: true });
  if (random.chance(0.6)) {
    const tendered = Math.ceil(totalMinor / 1000) * 1000;
    paper.pair("Cash", money(tendered));
    paper.pair("Change", money(tendered - totalMinor));
  }
  paper.centre("Thank you");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "MY", currency: "MYR", totalMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** Singapore: dollar amounts, GST inside, discounts by the card. */
const singapore: Layout = (random) => {
  const merchant = random.pick(["NTUC FairPrice", "Cold Storage", "Sheng Siong Supermarket"]);
  const sale = saleBy(random, { language: "my", discountLabels: ["PWP DISC", "MEMBER DISC", "PROMO SAVINGS"], nameLength: 22, weightShare: 0.05, priceLevel: 1 });
  const paper = newPaper(38);
  paper.centre(merchant, { isBold: true, scale: 1.3 });
  paper.centre("BLK 212 BEDOK NORTH ST 1");
  paper.centre("SINGAPORE 460212");
  paper.centre(`GST REG NO: M${random.digits(1)}-${random.digits(7)}-${random.digits(1)}`);
  paper.gap();
  for (const line of sale.lines) {
    if (line.measure.kind === "one") paper.pair(line.name, money(line.amountMinor));
    else {
      paper.text(line.name);
      paper.pair(line.measure.kind === "count" ? `  ${line.measure.count} @ ${money(line.measure.unitMinor)}` : `  ${(line.measure.grams / 1000).toFixed(3)}kg @ ${money(line.measure.perKgMinor)}/kg`, money(line.amountMinor));
    }
    if (line.discount) paper.pair(`  ${line.discount.label}`, money(line.discount.amountMinor));
  }
  paper.rule();
  paper.pair("SUBTOTAL", money(sale.sumMinor));
  paper.pair("TOTAL", `$${money(sale.sumMinor)}`, { isBold: true });
  const hasCard = random.chance(0.5);
  if (hasCard) {
    paper.pair(random.pick(["VISA", "NETS", "MASTER"]), money(sale.sumMinor));
    paper.text(`CARD NO: ************${sale.cardLast4}`);
  } else {
    const tendered = Math.ceil(sale.sumMinor / 1000) * 1000;
    paper.pair("CASH", money(tendered));
    paper.pair("CHANGE", money(tendered - sale.sumMinor));
  }
  paper.pair("GST INCLUDED 9%", money(Math.round((sale.sumMinor * 9) / 109)));
  paper.pair("NO. OF ITEMS", String(sale.lines.length));
  paper.text(`${dated(sale, "/", 4)} ${clock(sale, false)}  ${random.digits(4)} ${random.digits(3)} ${random.digits(4)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "SG", currency: "SGD", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** By name, `country-habit`. */
export const ASIAN_LAYOUTS: Readonly<Record<string, Layout>> = {
  "my-invoice": taxInvoice,
  "my-kitchen": kitchen,
  "sg-market": singapore,
};
