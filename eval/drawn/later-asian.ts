import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { money, saleBy, truthOf } from "./sale.ts";
import { clockOf, dayOf, given, halfDayClockOf, pieces } from "./tills.ts";

// Malaysia and Singapore, as tills print there that the first layouts were not drawn from.

const ringgit = (minor: number): string => (minor < 0 ? `-RM${money(-minor)}` : `RM${money(minor)}`);

/** A convenience chain on 58 mm: `2 X RM1.50` below the name, service tax within, rounding, an e-wallet. */
const convenienceMy: Layout = (random) => {
  const merchant = random.pick(["FamilyMart", "myNEWS", "KK SUPER MART", "99 SPEEDMART"]);
  const sale = saleBy(random, { language: "my", lines: [1, 9], weightShare: 0, nameLength: 24 });
  const paper = newPaper(32);
  paper.centre(merchant, { scale: 1.4, isBold: true });
  paper.centre("QL MAXINCOME SDN BHD (1134541-V)".slice(0, 32));
  paper.centre("G-15, JALAN PJU 8/8A");
  paper.centre("47820 PETALING JAYA");
  paper.text(`${dayOf(sale, "DD-MM-YYYY")} ${halfDayClockOf(sale)}`);
  paper.text(`Receipt: ${random.digits(3)}-${random.digits(8)} POS0${random.int(1, 4)}`);
  paper.rule();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    const unit = line.measure.kind === "count" ? line.measure.unitMinor : line.amountMinor;
    paper.text(line.name);
    paper.pair(`  ${count} X ${ringgit(unit)}`, ringgit(line.amountMinor));
  }
  paper.rule();
  const totalMinor = Math.round(sale.sumMinor / 5) * 5;
  paper.pair("Item(s)/Qty", `${sale.lines.length} / ${pieces(sale)}`);
  paper.pair("Sub Total", ringgit(sale.sumMinor));
  paper.pair("Rounding Adj.", money(totalMinor - sale.sumMinor));
  paper.pair("TOTAL", ringgit(totalMinor), { scale: 1.4, isBold: true });
  if (random.chance(0.5)) paper.pair("TNG eWallet", ringgit(totalMinor));
  else {
    const cash = given(random, totalMinor);
    paper.pair("Cash", ringgit(cash));
    paper.pair("Change", ringgit(cash - totalMinor));
  }
  paper.gap();
  paper.centre("FREE COFFEE WITH RM12.00 SPEND");
  paper.centre("Hotline 03-7660 1188");
  return { paper, truth: truthOf(sale, { merchant, country: "MY", currency: "MYR", totalMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** A café in Singapore: options below dishes without a price, service charge and GST on top, paid by NETS. */
const cafeSg: Layout = (random) => {
  const name = random.pick(["TOAST & TONIC CAFE", "LAVENDER KOPI HOUSE", "RIVER VALLEY NOODLE BAR"]);
  const sale = saleBy(random, { language: "my", goods: "kitchen", lines: [2, 7], weightShare: 0, priceLevel: 2 });
  const paper = newPaper(36);
  paper.centre(name, { scale: 1.2, isBold: true });
  paper.centre("12 Tanjong Pagar Rd #01-05");
  paper.centre("Singapore 088443");
  paper.centre(`GST Reg No: 20${random.digits(7)}K`);
  paper.text(`Check #: ${random.digits(5)}   Table: ${random.int(1, 40)}`);
  paper.text(`${dayOf(sale, "DD/MM/YYYY")} ${clockOf(sale)}  Pax: ${random.int(1, 6)}`);
  paper.rule();
  for (const line of sale.lines) {
    paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1}  ${line.name}`, `$${money(line.amountMinor)}`);
    if (random.chance(0.3)) paper.text(`     + ${random.pick(["Less Sugar", "No Ice", "Extra Spicy"])}`);
  }
  paper.rule();
  const service = Math.round(sale.sumMinor * 0.1);
  const gst = Math.round((sale.sumMinor + service) * 0.09);
  const totalMinor = sale.sumMinor + service + gst;
  paper.pair("Subtotal", `$${money(sale.sumMinor)}`);
  paper.pair("10% Svc Chg", `$${money(service)}`);
  paper.pair("9% GST", `$${money(gst)}`);
  paper.pair("Total", `$${money(totalMinor)}`, { scale: 1.3, isBold: true });
  paper.pair("NETS", `$${money(totalMinor)}`);
  paper.gap();
  paper.centre("Follow us @kopihouse.sg");
  return { paper, truth: truthOf(sale, { merchant: name, country: "SG", currency: "SGD", totalMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** By name. */
export const LATER_ASIAN_LAYOUTS: Readonly<Record<string, Layout>> = { convenienceMy, cafeSg };
