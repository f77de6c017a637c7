import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import type { Sale } from "./sale.ts";
import { clockOf, dayOf, halfDayClockOf, pieces } from "./tills.ts";

// The United States and Canada, as tills print there that the first layouts were not drawn from.

const taxOn = ({ lines }: Sale, mark: string, share: number): number =>
  Math.round(lines.filter(({ taxMark }) => taxMark === mark).reduce((sum, line) => sum + line.amountMinor + (line.discount?.amountMinor ?? 0), 0) * share); // prettier-ignore

/** A warehouse: numbers before names, E before food, coupons by number with the minus behind, a total in stars. */
const warehouse: Layout = (random) => {
  const sale = saleBy(random, { language: "us", lines: [3, 16], weightShare: 0, nameLength: 16, taxMarks: ["", "", "A"], discountLabels: ["/1847220", "/0000341", "CPN/299118"], priceLevel: 3 });
  const paper = newPaper(36);
  paper.centre("COSTCO", { scale: 2, isBold: true });
  paper.centre("WHOLESALE");
  paper.centre(`${random.pick(["Tigard", "Aurora", "Plano"])} #${random.digits(3)}`);
  paper.centre("7850 SW Dartmouth St");
  paper.centre("Tigard, OR 97223");
  paper.text(`Member ${random.digits(12)}`);
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`  ${line.measure.count} @ ${money(line.measure.unitMinor)}`);
    paper.pair(`${line.taxMark === "" ? "E" : " "} ${random.digits(random.pick([5, 6, 7]))} ${line.name}`, `${money(line.amountMinor)}${line.taxMark === "" ? "  " : " A"}`);
    if (line.discount) paper.pair(`  ${random.digits(6)} ${line.discount.label}`, `${money(-line.discount.amountMinor)}-${line.taxMark || " "}`);
  }
  const tax = taxOn(sale, "A", 0.0825);
  const totalMinor = sale.sumMinor + tax;
  paper.pair("          SUBTOTAL", `${money(sale.sumMinor)}  `);
  paper.pair("          TAX", `${money(tax)}  `);
  paper.pair("     **** TOTAL", `${money(totalMinor)}  `, { isBold: true });
  paper.text(`XXXXXXXXXXXX${sale.cardLast4}   CHIP Read`);
  paper.text(`AID: A0000000${random.digits(6)}`);
  paper.text(`Seq# ${random.digits(5)}   App#: ${random.digits(6)}`);
  paper.text("Visa     Resp: APPROVED");
  paper.text(`AMOUNT: $${money(totalMinor)}`);
  paper.text(`${dayOf(sale, "MM/DD/YYYY")} ${clockOf(sale)}  ${random.digits(3)} ${random.digits(2)} ${random.digits(3)} ${random.digits(2)}`);
  paper.pair("     Visa", `${money(totalMinor)}  `);
  paper.pair("     CHANGE", "0.00  ");
  if (tax > 0) paper.pair("A 8.25% TAX", `${money(tax)}  `);
  paper.pair("     TOTAL TAX", `${money(tax)}  `);
  paper.centre(`TOTAL NUMBER OF ITEMS SOLD = ${pieces(sale)}`);
  const saved = sale.lines.reduce((sum, { discount }) => sum - (discount?.amountMinor ?? 0), 0);
  if (saved > 0) paper.text(`INSTANT SAVINGS     $ ${money(saved)}`);
  paper.bars();
  paper.centre("OP#: 34 Name: KELLY");
  paper.centre("Thank You! Please Come Again");
  return { paper, truth: truthOf(sale, { merchant: "Costco", country: "US", currency: "USD", totalMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A neighbourhood market: dollar signs, `3EA @ 0.19/EA` below the name, `Items in Transaction`. */
const neighbourhood: Layout = (random) => {
  const sale = saleBy(random, { language: "us", lines: [2, 12], weightShare: 0 });
  const paper = newPaper(38);
  paper.centre("TRADER JOE'S", { scale: 1.5, isBold: true });
  paper.centre("2110 S 7th Street");
  paper.centre("Phoenix AZ 85007");
  paper.centre(`Store #${random.digits(3)} - (602) 555-${random.digits(4)}`);
  paper.centre("OPEN 8:00AM TO 9:00PM DAILY");
  paper.gap();
  paper.text("SALE TRANSACTION");
  paper.gap();
  for (const line of sale.lines) {
    paper.pair(line.name, `$${money(line.amountMinor)}`);
    if (line.measure.kind === "count") paper.text(`  ${line.measure.count} @ $${money(line.measure.unitMinor)}`);
  }
  paper.gap();
  paper.pair("Items in Transaction:", String(pieces(sale)));
  paper.pair("Balance to pay", `$${money(sale.sumMinor)}`, { isBold: true });
  paper.pair("VISA", `$${money(sale.sumMinor)}`);
  paper.gap();
  paper.text("PAYMENT CARD PURCHASE TRANSACTION");
  paper.centre("CUSTOMER COPY");
  paper.text(`Type:     Contactless`);
  paper.text(`PAN:      ************${sale.cardLast4}`);
  paper.pair("TOTAL PURCHASE", `$${money(sale.sumMinor)}`);
  paper.rule("*");
  paper.text("STORE TILL TRANS.    DATE");
  paper.text(`0${random.digits(3)}   ${random.int(1, 9)}    ${random.digits(5)}  ${dayOf(sale, "MM-DD-YYYY")} ${halfDayClockOf(sale)}`);
  return { paper, truth: truthOf(sale, { merchant: "Trader Joe's", country: "US", currency: "USD", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A southern supermarket: `You Saved` below each promoted line told twice, F and T behind amounts, weights in pounds. */
const southern: Layout = (random) => {
  const sale = saleBy(random, { language: "us", lines: [3, 18], weightShare: 0, nameLength: 22, taxMarks: ["F", "F", "T"], discountLabels: ["Promotion", "Store Coupon"] });
  const paper = newPaper(40);
  paper.centre("Publix.", { scale: 1.8, isBold: true });
  paper.centre("Southgate Shopping Center");
  paper.centre("2515 Florida Ave S");
  paper.centre("Lakeland, FL 33803");
  paper.centre(`Store Manager: Pat Doe  863-555-${random.digits(4)}`);
  paper.gap();
  for (const line of sale.lines) {
    if (line.measure.kind === "count") {
      paper.text(line.name);
      paper.pair(`  ${line.measure.count} @   ${money(line.measure.unitMinor)}`, `${money(line.amountMinor)} ${line.taxMark}`);
    } else paper.pair(line.name, `${money(line.amountMinor)} ${line.taxMark}`);
    if (line.discount) paper.pair(`  ${line.discount.label}`, `${money(line.discount.amountMinor)} ${line.taxMark}`);
    else if (random.chance(0.15)) paper.text(`  You Saved      ${money(random.int(20, 300))}`);
  }
  paper.gap();
  const tax = taxOn(sale, "T", 0.07);
  const totalMinor = sale.sumMinor + tax;
  paper.pair("    Order Total", money(sale.sumMinor));
  paper.pair("    Sales Tax", money(tax));
  paper.pair("    Grand Total", money(totalMinor), { isBold: true });
  const isEbt = random.chance(0.2);
  paper.pair(isEbt ? "    EBT Food" : "    Credit     Payment", money(totalMinor));
  paper.pair("    Change", "0.00");
  paper.gap();
  paper.rule("-");
  paper.text("Savings Summary");
  paper.pair("  Special Price Savings", money(random.int(100, 900)));
  paper.rule("-");
  paper.text(`Trace #: ${random.digits(6)}`);
  paper.text(`Reference #: ${random.digits(10)}`);
  paper.text(`Acct #: XXXXXXXXXXXX${sale.cardLast4}`);
  paper.text(`Purchase VISA`);
  paper.text(`Amount: $${money(totalMinor)}`);
  paper.gap();
  paper.centre("Your cashier was Denise");
  paper.text(`${dayOf(sale, "MM/DD/YYYY")} ${halfDayClockOf(sale)} S${random.digits(4)} R${random.digits(3)} ${random.digits(4)} C${random.digits(4)}`);
  paper.centre("Explore at publix.com");
  return { paper, truth: truthOf(sale, { merchant: "Publix", country: "US", currency: "USD", totalMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A Canadian supermarket: departments as headings, numbers, tax letters between name and amount, HST by its letter. */
const canadian: Layout = (random) => {
  const merchant = random.pick(["Real Canadian Superstore", "No Frills", "Loblaws"]);
  const sale = saleBy(random, { language: "us", lines: [3, 14], nameLength: 16, taxMarks: ["MRJ", "MRJ", "HMRJ"], discountLabels: ["MEMBER PRICE", "$1.00 OFF"] });
  const paper = newPaper(40);
  paper.centre(merchant, { scale: 1.3, isBold: true });
  paper.centre("825 Don Mills Rd, Toronto ON M3C 1V4");
  paper.centre(`HST # ${random.digits(9)} RT0001`);
  paper.centre("Big on Fresh, Low on Price");
  const heads = ["21-GROCERY", "22-DAIRY", "27-PRODUCE", "31-MEATS"];
  for (const [i, line] of sale.lines.entries()) {
    if (i % 4 === 0) paper.text(heads[(i / 4) % 4]!);
    const code = random.digits(random.pick([4, 11]));
    if (line.measure.kind === "weight") {
      paper.text(`${random.digits(4)}  ${line.name}  ${line.taxMark}`);
      paper.pair(`${kilograms(line.measure.grams)} kg @ $${money(line.measure.perKgMinor)}/kg`, money(line.amountMinor));
    } else if (line.measure.kind === "count") {
      paper.text(`(${line.measure.count})${code} ${line.name.slice(0, 12)} ${line.taxMark}`);
      line.name = line.name.slice(0, 12).trim();
      paper.pair(`${line.measure.count} @ $${money(line.measure.unitMinor)}`, money(line.amountMinor));
    } else paper.pair(`${code} ${line.name} ${line.taxMark}`, money(line.amountMinor));
    if (line.discount) paper.pair(`  ${line.discount.label}`, money(line.discount.amountMinor));
  }
  const tax = taxOn(sale, "HMRJ", 0.13);
  const taxed = sale.lines.filter(({ taxMark }) => taxMark === "HMRJ").reduce((sum, line) => sum + line.amountMinor + (line.discount?.amountMinor ?? 0), 0);
  const totalMinor = sale.sumMinor + tax;
  paper.pair("SUBTOTAL", money(sale.sumMinor));
  if (tax > 0) paper.pair(`H=HST 13%   $${money(taxed)} @ 13.000%`, money(tax));
  paper.pair("TOTAL", money(totalMinor), { scale: 1.4, isBold: true });
  paper.rule();
  paper.text("Trans. Type: PURCHASE");
  paper.text("Account: Chequing    INTERAC");
  paper.text(`Card Number: ************${sale.cardLast4}`);
  paper.text(`DateTime: ${dayOf(sale, "YY/MM/DD")} ${clockOf(sale, true)}`);
  paper.text(`Ref. #: ${random.digits(8)}  Auth #: ${random.digits(6)}`);
  paper.text("Approved - Thank You");
  paper.pair("PC OPTIMUM POINTS BALANCE", String(random.int(1000, 90_000)));
  paper.text(`${dayOf(sale, "YYYY/MM/DD")} ${clockOf(sale)} ${random.digits(5)} ${random.digits(2)} ${random.digits(4)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "CA", currency: "CAD", totalMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** By name. */
export const LATER_AMERICAN_LAYOUTS: Readonly<Record<string, Layout>> = {
  warehouse,
  neighbourhood,
  southern,
  canadian,
};
