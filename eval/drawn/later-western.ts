import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import { cells, clockOf, dayOf, given, pieces } from "./tills.ts";

// France, Belgium and the Netherlands, as tills print there that the first layouts were not drawn from.

const comma = (minor: number): string => money(minor, ",");

/** A French supermarket: departments between stars, `2 x 1,99` below names, a coupon at the end, the purse of the loyalty card. */
const intermarche: Layout = (random) => {
  const merchant = random.pick(["Intermarché", "Super U", "Auchan"]);
  const sale = saleBy(random, { language: "fr", lines: [3, 16], nameLength: 22, endDiscountLabels: ["BON D'ACHAT FIDELITE", "COUPON -10%"] });
  const paper = newPaper(40);
  paper.centre(merchant.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase(), { scale: 1.6, isBold: true });
  paper.centre("SAS DU MOULIN");
  paper.centre("ZAC des Prés - 56000 VANNES");
  paper.centre("Tél : 02.97.54.11.20");
  paper.centre(`SIRET ${random.digits(9)} 00018`);
  paper.gap();
  const heads = ["CREMERIE", "EPICERIE", "FRUITS ET LEGUMES", "BOISSONS"];
  for (const [i, line] of sale.lines.entries()) {
    if (i % 5 === 0) paper.text(`>>>> ${heads[(i / 5) % 4]}`);
    if (line.measure.kind === "one") paper.pair(line.name, `${comma(line.amountMinor)} ${random.pick(["1", "2"])}`);
    else {
      paper.text(line.name);
      paper.pair(line.measure.kind === "count" ? `     ${line.measure.count} x     ${comma(line.measure.unitMinor)}` : `  ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} €/kg`, `${comma(line.amountMinor)} 1`);
    }
  }
  paper.rule("=");
  for (const discount of sale.endDiscounts) {
    paper.pair("SOUS TOTAL", comma(sale.sumMinor - discount.amountMinor));
    paper.pair(discount.label, comma(discount.amountMinor));
  }
  paper.pair("TOTAL A PAYER", `${comma(sale.sumMinor)} €`, { scale: 1.3, isBold: true });
  paper.text(`Nombre d'articles : ${pieces(sale)}`);
  const hasCard = random.chance(0.7);
  if (hasCard) paper.pair("CARTE BANCAIRE EMV", `${comma(sale.sumMinor)} €`);
  else {
    const cash = given(random, sale.sumMinor);
    paper.pair("ESPECES", `${comma(cash)} €`);
    paper.pair("RENDU", `${comma(cash - sale.sumMinor)} €`);
  }
  paper.text("Code   Taux     HT      TVA     TTC");
  const tax = Math.round((sale.sumMinor * 5.5) / 105.5);
  paper.text(`1      5,50%  ${comma(sale.sumMinor - tax)}  ${comma(tax)}  ${comma(sale.sumMinor)}`);
  paper.gap();
  paper.pair("Ancien solde carte", `${comma(random.int(100, 2500))} €`);
  paper.pair("Gagné aujourd'hui", `${comma(random.int(10, 200))} €`);
  if (hasCard) {
    paper.rule("*");
    paper.text("CARTE BANCAIRE  SANS CONTACT");
    paper.text(`CB  A0000000421010`);
    paper.text(`LE ${dayOf(sale, "DD/MM/YY")} A ${clockOf(sale, true)}`);
    paper.text(`************${sale.cardLast4}`);
    paper.text(`MONTANT = ${comma(sale.sumMinor)} EUR`);
    paper.text("DEBIT   A CONSERVER");
    paper.rule("*");
  }
  paper.text(`${dayOf(sale, "DD/MM/YYYY")} ${clockOf(sale)}  Caisse ${random.int(1, 20)} Ticket ${random.digits(5)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A French baker on 58 mm: `2x` before names, everything small, the tax within. */
const boulanger: Layout = (random) => {
  const name = `${random.pick(["Boulangerie", "Pâtisserie", "Au Fournil de"])} ${random.pick(["Kerjean", "Bonnard", "Maison Rollet"])}`;
  const sale = saleBy(random, { language: "fr", goods: "kitchen", lines: [1, 6], weightShare: 0 });
  const paper = newPaper(27);
  paper.centre(name, { isBold: true });
  paper.centre("18 rue Pasteur");
  paper.centre("29200 BREST");
  paper.text(`Ticket ${random.digits(5)} Vendeur ${random.int(1, 5)}`);
  paper.rule("-");
  for (const line of sale.lines) paper.pair(`${line.measure.kind === "count" ? line.measure.count : 1}x ${line.name}`, `${comma(line.amountMinor)}€`);
  paper.rule("-");
  paper.pair("TOTAL TTC", `${comma(sale.sumMinor)}€`, { scale: 1.2, isBold: true });
  paper.pair("dont TVA 5,5%", `${comma(Math.round((sale.sumMinor * 5.5) / 105.5))}€`);
  paper.pair(random.pick(["CB", "Carte bleue", "Espèces"]), `${comma(sale.sumMinor)}€`);
  paper.text(`Le ${dayOf(sale, "DD/MM/YYYY")} à ${clockOf(sale).replace(":", random.pick([":", "h"]))}`);
  paper.centre("Merci et à bientôt !");
  return { paper, truth: truthOf(sale, { merchant: name, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** A Belgian supermarket in two languages: count, price and amount in columns, deposits, `TE BETALEN/A PAYER`. */
const belgian: Layout = (random) => {
  const merchant = random.pick(["Delhaize", "Colruyt", "Carrefour Market"]);
  const sale = saleBy(random, { language: "nl", lines: [2, 13], nameLength: 18, taxMarks: ["A", "A", "C"], endDiscountLabels: ["Korting/Remise"] });
  const paper = newPaper(42);
  paper.centre(merchant.toUpperCase(), { scale: 1.6, isBold: true });
  paper.centre("Bondgenotenlaan 58, 3000 Leuven");
  paper.centre(`BTW/TVA BE 0${random.digits(3)}.${random.digits(3)}.${random.digits(3)}`);
  paper.gap();
  paper.text(cells(paper, [60, 78, 94], ["Artikel/Article", "Aantal", "EP/PU", "EUR"]));
  for (const line of sale.lines) {
    const { measure } = line;
    const [aantal, prijs] = measure.kind === "count" ? [String(measure.count), comma(measure.unitMinor)] : measure.kind === "weight" ? [kilograms(measure.grams, ","), comma(measure.perKgMinor)] : ["1", comma(line.amountMinor)];
    paper.text(cells(paper, [58, 76, 92, 98], [line.name, aantal, prijs, comma(line.amountMinor), line.taxMark]));
  }
  paper.rule();
  for (const discount of sale.endDiscounts) {
    paper.pair("Subtotaal/Sous-total", comma(sale.sumMinor - discount.amountMinor));
    paper.pair(discount.label, comma(discount.amountMinor));
  }
  paper.pair("TE BETALEN/A PAYER EUR", comma(sale.sumMinor), { isBold: true });
  paper.pair("Bancontact", comma(sale.sumMinor));
  paper.text(`Aantal artikelen/Nombre d'articles: ${pieces(sale)}`);
  paper.text("BTW%    Excl.    BTW/TVA   Incl.");
  const tax = Math.round((sale.sumMinor * 6) / 106);
  paper.text(`A  6,00  ${comma(sale.sumMinor - tax)}  ${comma(tax)}  ${comma(sale.sumMinor)}`);
  paper.gap();
  paper.text(`Kaart: XXXXXXXXXXXXX${sale.cardLast4}`);
  paper.text(`${dayOf(sale, "DD-MM-YYYY")} ${clockOf(sale)}   kassa ${random.int(1, 14)}  ticket ${random.digits(4)}`);
  paper.centre("Dank u / Merci");
  return { paper, truth: truthOf(sale, { merchant, country: "BE", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** A Dutch supermarket: counts before names, unit price and amount, a subtotal with the count before it, bonuses below it. */
const dutch: Layout = (random) => {
  const merchant = random.pick(["Albert Heijn", "Jumbo"]);
  const sale = saleBy(random, { language: "nl", lines: [3, 14], nameLength: 16, weightShare: 0.08, endDiscountLabels: ["BONUS AHKIPFILET", "BONUS 2E HALVE PRIJS", "ACTIE VOLKOREN"] });
  const paper = newPaper(38);
  paper.centre(merchant === "Jumbo" ? "JUMBO" : "ALBERT HEIJN", { scale: 1.5, isBold: true });
  paper.centre("Nachtegaalstraat 44, Utrecht");
  paper.centre(`Tel: 030-23${random.digits(5)}`);
  paper.gap();
  paper.text(cells(paper, [80, 96], ["AANT OMSCHRIJVING", "PRIJS", "BEDRAG"]));
  for (const line of sale.lines) {
    const { measure } = line;
    const aantal = measure.kind === "count" ? String(measure.count) : measure.kind === "weight" ? `${kilograms(measure.grams, ",")}KG` : "1";
    const prijs = measure.kind === "count" ? comma(measure.unitMinor) : measure.kind === "weight" ? comma(measure.perKgMinor) : "";
    paper.text(cells(paper, [78, 96], [`${aantal.padEnd(measure.kind === "weight" ? 8 : 5)}${line.name}`, prijs, comma(line.amountMinor)]));
  }
  paper.rule();
  const listMinor = sale.sumMinor - sale.endDiscounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  paper.pair(`${pieces(sale)}    SUBTOTAAL`, comma(listMinor));
  for (const discount of sale.endDiscounts) paper.pair(discount.label, comma(discount.amountMinor));
  if (sale.endDiscounts.length > 0) paper.pair("UW VOORDEEL", comma(listMinor - sale.sumMinor));
  paper.rule();
  paper.pair("TOTAAL", comma(sale.sumMinor), { scale: 1.4, isBold: true });
  paper.rule();
  paper.text("SPAARACTIE: 4 eSPAARZEGELS");
  paper.pair("PINNEN", comma(sale.sumMinor));
  paper.gap();
  paper.text(`Terminal: ${random.digits(6)}   Merchant: ${random.digits(7)}`);
  paper.text(`Kaart: ************${sale.cardLast4}`);
  paper.text("Contactloze betaling");
  paper.pair("Totaal:", `${comma(sale.sumMinor)} EUR`);
  paper.text(cells(paper, [60, 92], ["BTW      OVER", "EUR", ""]));
  const tax = Math.round((sale.sumMinor * 9) / 109);
  paper.text(cells(paper, [40, 60], ["9%", comma(sale.sumMinor - tax), comma(tax)]));
  paper.text(`${random.digits(4)}   ${clockOf(sale)}   ${dayOf(sale, "D-M-YYYY").replace("D", String(sale.date.day)).replace("M", String(sale.date.month))}`);
  paper.centre("Vragen over uw kassabon?");
  return { paper, truth: truthOf(sale, { merchant, country: "NL", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: true }) };
}; // prettier-ignore

/** By name. */
export const LATER_WESTERN_LAYOUTS: Readonly<Record<string, Layout>> = { intermarche, boulanger, belgian, dutch };
