import { comma, dotted, clock, tendered, taxRow } from "./continental.ts";
import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, saleBy, truthOf } from "./sale.ts";
import { addressOf, shopOf } from "./shops.ts";

// Supermarkets, bakeries and kitchens of France, Spain and Italy.

/** French hypermarkets: the euro sign behind amounts, `2 x 1,29€` below names, a table of TVA. */
const carrefour: Layout = (random) => {
  const merchant = random.pick(["Carrefour", "Auchan", "Casino", "Monoprix", "Intermarché"]);
  const sign = random.pick(["", "€", " €"]);
  const as = (minor: number): string => comma(minor) + sign;
  const sale = saleBy(random, { language: "fr", taxMarks: random.chance(0.5) ? [""] : [" A", " B"], discountLabels: ["REMISE FIDELITE", "Remise immédiate", "BON DE REDUCTION", "Promo 2+1"], nameLength: 22 });
  const paper = newPaper(random.pick([36, 40]));
  paper.centre(merchant.toUpperCase(), { scale: 1.8, isBold: true });
  for (const row of addressOf(random, "fr")) paper.centre(row);
  paper.centre(`Tél : 0${random.int(1, 5)} ${random.digits(2)} ${random.digits(2)} ${random.digits(2)} ${random.digits(2)}`);
  if (random.chance(0.5)) paper.centre(`SIRET ${random.digits(3)} ${random.digits(3)} ${random.digits(3)} ${random.digits(5)}`);
  paper.centre("Bonjour, bienvenue");
  paper.rule("=");
  for (const line of sale.lines) {
    if (line.measure.kind === "one") paper.pair(line.name, as(line.amountMinor) + line.taxMark);
    else {
      paper.text(line.name);
      const measure = line.measure.kind === "count" ? `${line.measure.count} x ${comma(line.measure.unitMinor)}${sign}` : `${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} €/kg`;
      paper.pair(`   ${measure}`, as(line.amountMinor) + line.taxMark);
    }
    if (line.discount) paper.pair(`   ${line.discount.label}`, as(line.discount.amountMinor));
  }
  paper.rule("=");
  const articles = sale.lines.length;
  if (random.chance(0.5)) paper.text(`NOMBRE D'ARTICLES : ${articles}`);
  paper.pair(random.pick(["TOTAL A PAYER", "TOTAL", `TOTAL  ${articles} ARTICLES`, "Montant dû", "NET A PAYER"]), `${comma(sale.sumMinor)}${random.pick(["€", " EUR", " €"])}`, { isBold: true });
  const hasCard = random.chance(0.6);
  if (hasCard) paper.pair(random.pick(["CB EMV", "CARTE BANCAIRE", "CB SANS CONTACT"]), as(sale.sumMinor));
  else {
    const given = tendered(random, sale.sumMinor);
    paper.pair(random.pick(["ESPECES", "Espèces"]), as(given));
    paper.pair(random.pick(["RENDU", "Rendu monnaie", "A RENDRE"]), as(given - sale.sumMinor));
  }
  paper.gap();
  paper.text("TVA     Taux      HT     TVA    TTC");
  const tax = Math.round((sale.sumMinor * 5.5) / 105.5);
  paper.text(`1      5,50%  ${comma(sale.sumMinor - tax).padStart(6)}  ${comma(tax).padStart(5)} ${comma(sale.sumMinor).padStart(6)}`);
  if (hasCard) {
    paper.gap();
    paper.centre("CARTE BANCAIRE");
    paper.text(`A00000004${random.digits(5)}  le ${dotted(sale, 2, "/")} a ${clock(sale, false)}`);
    paper.text(`************${sale.cardLast4}`);
    paper.text("MONTANT :");
    paper.text(`        ${comma(sale.sumMinor)} EUR`);
    paper.text("DEBIT");
    paper.centre("TICKET CLIENT A CONSERVER");
  }
  paper.gap();
  paper.text(random.pick([`${dotted(sale, 4, "/")} ${clock(sale, false)}  Caisse ${random.int(1, 30)}  Ticket ${random.digits(4)}`, `Le ${dotted(sale, 2, "/")} à ${clock(sale, true)}`]));
  paper.centre("Merci de votre visite");
  return { paper, truth: truthOf(sale, { merchant, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** E.Leclerc and Système U: departments as headings, rates by number, counts before prices. */
const leclerc: Layout = (random) => {
  const merchant = random.pick(["E.Leclerc", "Super U", "Franprix"]);
  const sale = saleBy(random, { language: "fr", taxMarks: ["1", "2"], nameLength: 22, discountLabels: ["Ticket E.Leclerc", "Remise"], discountShare: 0.05 });
  const paper = newPaper(40);
  paper.centre(merchant.toUpperCase(), { scale: 1.6, isBold: true });
  for (const row of addressOf(random, "fr")) paper.centre(row);
  paper.text(`${dotted(sale, 4, "/")}   ${clock(sale, false)}   Caisse ${random.digits(3)}-${random.digits(4)}`);
  paper.gap();
  paper.pair("", "EUR");
  let at = 0;
  for (const line of sale.lines) {
    if (at++ % 5 === 0) paper.text(`>> ${random.pick(["EPICERIE", "CREMERIE LS", "FRUITS ET LEGUMES", "BOUCHERIE", "LIQUIDES"])}`);
    if (line.measure.kind === "count") {
      paper.text(line.name);
      paper.pair(`     ${line.measure.count} X ${comma(line.measure.unitMinor)}`, `${comma(line.amountMinor)} ${line.taxMark}`);
    } else {
      paper.pair(line.name, `${comma(line.amountMinor)} ${line.taxMark}`);
      if (line.measure.kind === "weight") paper.text(`     ${kilograms(line.measure.grams, ",")} kg X ${comma(line.measure.perKgMinor)}/kg`);
    }
    if (line.discount) paper.pair(`     ${line.discount.label}`, comma(line.discount.amountMinor));
  }
  paper.gap();
  paper.pair("SOUS-TOTAL", comma(sale.sumMinor));
  paper.pair(`Total ${sale.lines.length} articles`, comma(sale.sumMinor), { isBold: true });
  const hasCard = false;
  paper.pair(random.pick(["Carte Bancaire", "CB", "Titres Restaurant"]), comma(sale.sumMinor));
  paper.gap();
  paper.text("Code  Taux    HT      TVA     TTC");
  for (const [mark, percent] of [["1", 5.5], ["2", 20]] as const) {
    const { net, tax, gross } = taxRow(sale, mark, percent);
    if (gross > 0) paper.text(`(${mark})  ${percent.toFixed(2).replace(".", ",")}%  ${comma(net)}   ${comma(tax)}   ${comma(gross)}`);
  }
  paper.centre("Merci et à bientôt");
  return { paper, truth: truthOf(sale, { merchant, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A French bakery, grocer or brasserie. */
const frenchSmall: Layout = (random) => {
  const goods = random.pick(["shelf", "kitchen"] as const);
  const shop = shopOf(random, "fr", goods);
  const sale = saleBy(random, { language: "fr", goods, lines: [1, 6], weightShare: 0 });
  const paper = newPaper(32);
  paper.centre(shop.name, { isBold: true, scale: random.pick([1, 1.25]) });
  for (const row of shop.address) paper.centre(row);
  paper.centre(`TVA FR${random.digits(11)}`);
  if (goods === "kitchen") paper.text(`Table ${random.int(1, 30)}   Couverts ${random.int(1, 6)}`);
  paper.text(`${dotted(sale, 4, "/")} ${clock(sale, false)}`);
  paper.rule();
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    paper.pair(`${count} ${line.name}`, (comma(line.amountMinor)));
  }
  paper.rule();
  paper.pair(random.pick(["TOTAL TTC", "TOTAL", "A PAYER", "Total à payer"]), `${comma(sale.sumMinor)} €`, { isBold: true, scale: random.pick([1, 1.25]) });
  const tax = Math.round(sale.sumMinor / 11);
  paper.pair("dont TVA 10,00%", comma(tax));
  paper.pair("Total HT", comma(sale.sumMinor - tax));
  if (random.chance(0.5)) {
    const given = tendered(random, sale.sumMinor);
    paper.pair("Espèces", comma(given));
    paper.pair("Rendu", comma(given - sale.sumMinor));
  } else paper.pair("Carte bancaire", comma(sale.sumMinor));
  paper.centre("Merci de votre visite");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "FR", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** Mercadona: counts first, the unit price only where there are several, weights in a row of their own. */
const mercadona: Layout = (random) => {
  const sale = saleBy(random, { language: "es", nameLength: 22 });
  const paper = newPaper(40);
  paper.centre("MERCADONA, S.A.   A-46103834", { isBold: true });
  const [street, town] = addressOf(random, "es");
  paper.centre(street!.toUpperCase());
  paper.centre(town!.toUpperCase());
  paper.centre(`TELÉFONO: ${random.digits(9)}`);
  paper.centre(`${dotted(sale, 4, "/")} ${clock(sale, false)}  OP: ${random.digits(6)}`);
  paper.centre(`FACTURA SIMPLIFICADA: ${random.digits(4)}-${random.digits(3)}-${random.digits(6)}`);
  paper.text("   Descripción            P. Unit   Importe".slice(0, 40));
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`${String(line.measure.count).padStart(2)} ${line.name.padEnd(22)} ${comma(line.measure.unitMinor).padStart(6)} ${comma(line.amountMinor).padStart(7)}`);
    else if (line.measure.kind === "weight") {
      paper.text(` 1 ${line.name}`);
      paper.pair(`   ${kilograms(line.measure.grams, ",")} kg     ${comma(line.measure.perKgMinor)} €/kg`, comma(line.amountMinor));
    } else paper.pair(` 1 ${line.name}`, comma(line.amountMinor));
  }
  paper.pair(`${" ".repeat(18)}TOTAL (€)`, comma(sale.sumMinor), { isBold: true });
  const hasCard = random.chance(0.6);
  if (hasCard) paper.pair(`${" ".repeat(10)}TARJETA BANCARIA`, comma(sale.sumMinor));
  else {
    const given = tendered(random, sale.sumMinor);
    paper.pair(`${" ".repeat(18)}EFECTIVO`, comma(given));
    paper.pair(`${" ".repeat(18)}CAMBIO`, comma(given - sale.sumMinor));
  }
  paper.gap();
  paper.text("  IVA     BASE IMPONIBLE (€)   CUOTA (€)");
  const tax = Math.round((sale.sumMinor * 10) / 110);
  paper.text(`  10%           ${comma(sale.sumMinor - tax)}          ${comma(tax)}`);
  paper.text(`  TOTAL         ${comma(sale.sumMinor - tax)}          ${comma(tax)}`);
  if (hasCard) {
    paper.text(`TARJ. BANCARIA: **** **** **** ${sale.cardLast4}`);
    paper.text(`N.C: ${random.digits(9)}     AUT: ${random.digits(6)}`);
    paper.text(`Importe: ${comma(sale.sumMinor)} €   VISA DEBITO`);
  }
  paper.centre("SE ADMITEN DEVOLUCIONES CON TICKET");
  return { paper, truth: truthOf(sale, { merchant: "Mercadona", country: "ES", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** Dia, Eroski, Consum: counts with x, discounts below, `TOTAL A PAGAR`. */
const dia: Layout = (random) => {
  const merchant = random.pick(["Dia", "Eroski", "Consum", "Alcampo", "Carrefour"]);
  const sale = saleBy(random, { language: "es", taxMarks: ["", " A", " B"], discountLabels: ["DTO. CLUB", "DESCUENTO 2a UNIDAD", "AHORRO OFERTA"], nameLength: 22 });
  const paper = newPaper(38);
  paper.centre(merchant.toUpperCase(), { scale: 1.8, isBold: true });
  for (const row of addressOf(random, "es")) paper.centre(row);
  paper.centre(`NIF ${random.pick(["A", "F", "B"])}-${random.digits(8)}`);
  paper.text(`Fecha: ${dotted(sale, random.pick([2, 4]), random.pick(["/", "-"]))}  Hora: ${clock(sale, false)}  Caja: ${random.int(1, 9)}`);
  paper.rule();
  paper.pair("ARTICULO", "IMPORTE");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") {
      paper.text(line.name);
      paper.pair(`   ${line.measure.count} x ${comma(line.measure.unitMinor)}`, comma(line.amountMinor) + line.taxMark);
    } else if (line.measure.kind === "weight") {
      paper.text(line.name);
      paper.pair(`   ${kilograms(line.measure.grams, ",")} kg x ${comma(line.measure.perKgMinor)} €/kg`, comma(line.amountMinor) + line.taxMark);
    } else paper.pair(line.name, comma(line.amountMinor) + line.taxMark);
    if (line.discount) paper.pair(`   ${line.discount.label}`, comma(line.discount.amountMinor) + line.taxMark);
  }
  paper.rule();
  paper.pair(random.pick(["TOTAL A PAGAR", "TOTAL COMPRA", "TOTAL", "Importe total"]), `${comma(sale.sumMinor)}${random.pick([" €", "", " EUR"])}`, { isBold: true });
  const hasCard = random.chance(0.4);
  if (hasCard) {
    paper.pair("Tarjeta crédito", comma(sale.sumMinor));
    paper.text(`Num. tarjeta ************${sale.cardLast4}`);
  } else {
    const given = tendered(random, sale.sumMinor);
    paper.pair(random.pick(["Entregado", "Efectivo"]), comma(given));
    paper.pair(random.pick(["A devolver", "Cambio"]), comma(given - sale.sumMinor));
  }
  paper.text("TIPO   BASE    CUOTA   TOTAL");
  const tax = Math.round((sale.sumMinor * 10) / 110);
  paper.text(`10,00% ${comma(sale.sumMinor - tax)}  ${comma(tax)}  ${comma(sale.sumMinor)}`);
  paper.centre("IVA INCLUIDO");
  paper.centre("GRACIAS POR SU VISITA");
  return { paper, truth: truthOf(sale, { merchant, country: "ES", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** A Spanish bar or grocer: columns of count, name, price and amount. */
const spanishSmall: Layout = (random) => {
  const goods = random.pick(["shelf", "kitchen"] as const);
  const shop = shopOf(random, "es", goods);
  const sale = saleBy(random, { language: "es", goods, lines: [1, 6], weightShare: 0, nameLength: 16 });
  const paper = newPaper(36);
  paper.centre(shop.name, { isBold: true, scale: random.pick([1, 1.25]) });
  for (const row of shop.address) paper.centre(row);
  paper.centre(`CIF B${random.digits(8)}`);
  paper.text(`Factura simplificada ${random.digits(5)}`);
  paper.text(`Fecha ${dotted(sale, 4, "/")}  ${clock(sale, false)}`);
  if (goods === "kitchen") paper.text(`Mesa ${random.int(1, 20)}  Comensales ${random.int(1, 6)}`);
  paper.rule();
  paper.text("Cant Descripción      Precio Importe");
  for (const line of sale.lines) {
    const count = line.measure.kind === "count" ? line.measure.count : 1;
    const unit = line.measure.kind === "count" ? line.measure.unitMinor : line.amountMinor;
    paper.text(`${String(count).padStart(3)}  ${line.name.padEnd(16)} ${comma(unit).padStart(6)} ${comma(line.amountMinor).padStart(7)}`);
  }
  paper.rule();
  paper.pair(random.pick(["TOTAL", "Total €", "TOTAL A PAGAR"]), `${comma(sale.sumMinor)} €`, { isBold: true, scale: random.pick([1, 1.25]) });
  const tax = Math.round((sale.sumMinor * 10) / 110);
  paper.text(`Base imp. ${comma(sale.sumMinor - tax)}   IVA 10% ${comma(tax)}`);
  paper.centre("Gracias por su visita");
  return { paper, truth: truthOf(sale, { merchant: shop.name, country: "ES", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** The Italian commercial document: `DESCRIZIONE IVA Prezzo(€)`, rates in a column of their own, `TOTALE COMPLESSIVO`. */
const italian: Layout = (random) => {
  const kind = random.pick(["chain", "chain", "shelf", "kitchen"] as const);
  const tongue = kind === "chain" ? null : shopOf(random, "it", kind);
  const merchant = tongue?.name ?? random.pick(["Esselunga", "Conad", "Coop", "Eurospin", "Despar"]);
  const sale = saleBy(random, { language: "it", goods: kind === "kitchen" ? "kitchen" : "shelf", taxMarks: ["4%", "10%", "22%"], discountLabels: ["SCONTO FIDATY", "SCONTO", "OFFERTA"], discountShare: kind === "chain" ? 0.12 : 0, nameLength: 20, ...(kind === "chain" ? {} : { lines: [1, 6] as const, weightShare: 0 }) });
  const paper = newPaper(40);
  paper.centre(merchant.toUpperCase(), { scale: kind === "chain" ? 1.6 : 1.2, isBold: true });
  if (merchant === "Esselunga") paper.centre("ESSELUNGA S.P.A.");
  for (const row of tongue?.address ?? addressOf(random, "it")) paper.centre(row);
  paper.centre(`P.IVA ${random.digits(11)}`);
  paper.gap();
  paper.centre("DOCUMENTO COMMERCIALE");
  paper.centre("di vendita o prestazione");
  paper.text("DESCRIZIONE             IVA    Prezzo(€)");
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`  ${line.measure.count} x ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`  kg ${kilograms(line.measure.grams, ",")} x ${comma(line.measure.perKgMinor)} €/kg`);
    paper.pair(line.name.padEnd(24) + line.taxMark.padStart(4), comma(line.amountMinor));
    if (line.discount) paper.pair(line.discount.label.padEnd(24) + line.taxMark.padStart(4), comma(line.discount.amountMinor));
  }
  paper.gap();
  if (random.chance(0.4)) paper.pair("Subtotale", comma(sale.sumMinor));
  paper.pair("TOTALE COMPLESSIVO", comma(sale.sumMinor), { isBold: true });
  paper.pair("DI CUI IVA", comma(Math.round((sale.sumMinor * 9) / 109)));
  paper.gap();
  if (random.chance(0.5)) {
    const given = tendered(random, sale.sumMinor);
    paper.pair("Pagamento contante", comma(given));
    paper.pair("Resto", comma(given - sale.sumMinor));
  } else paper.pair("Pagamento elettronico", comma(sale.sumMinor));
  if (random.chance(0.7)) paper.pair("Importo pagato", comma(sale.sumMinor));
  paper.gap();
  paper.centre(`${dotted(sale, 4, random.pick(["-", "/"]))} ${clock(sale, false)}`);
  paper.centre(`DOCUMENTO N. ${random.digits(4)}-${random.digits(4)}`);
  paper.centre(`RT 99MEX${random.digits(6)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "IT", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: false }) };
}; // prettier-ignore

/** By name, `country-habit`. */
export const ROMANCE_LAYOUTS: Readonly<Record<string, Layout>> = {
  "fr-carrefour": carrefour,
  "fr-leclerc": leclerc,
  "fr-small": frenchSmall,
  "es-mercadona": mercadona,
  "es-dia": dia,
  "es-small": spanishSmall,
  "it-documento": italian,
};
