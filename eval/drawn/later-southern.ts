import type { Layout } from "./layout.ts";
import { newPaper } from "./paper.ts";
import { kilograms, money, saleBy, truthOf } from "./sale.ts";
import { cells, clockOf, dayOf, given, pieces } from "./tills.ts";

// Spain, Italy and Portugal, as tills print there that the first layouts were not drawn from.

const comma = (minor: number): string => money(minor, ",");

/** A Spanish supermarket: `UDS DESCRIPCION PVP IMPORTE`, numbers before names, discounts of the club, the total with its currency behind. */
const alcampo: Layout = (random) => {
  const merchant = random.pick(["Alcampo", "Consum", "Eroski"]);
  const sale = saleBy(random, { language: "es", lines: [2, 15], nameLength: 18, weightShare: 0.08, endDiscountLabels: ["DTO. CLUB", "CHEQUE AHORRO"] });
  const paper = newPaper(44);
  paper.centre(merchant.toUpperCase(), { scale: 1.7, isBold: true });
  paper.centre("Centro Comercial La Vaguada, 28029 Madrid");
  paper.centre(`NIF: A${random.digits(8)}`);
  paper.text("FACTURA SIMPLIFICADA");
  paper.text(`Fecha: ${dayOf(sale, "DD/MM/YYYY")} ${clockOf(sale)}  Op: ${random.digits(6)}`);
  paper.rule();
  paper.text(cells(paper, [78, 98], ["UDS DESCRIPCION", "PVP", "IMPORTE"]));
  for (const line of sale.lines) {
    const { measure } = line;
    if (measure.kind === "weight") {
      paper.text(`1   ${line.name}`);
      paper.text(cells(paper, [98], [`    ${kilograms(measure.grams, ",")} kg x ${comma(measure.perKgMinor)} €/kg`, comma(line.amountMinor)]));
    } else paper.text(cells(paper, [78, 98], [`${String(measure.kind === "count" ? measure.count : 1).padEnd(4)}${line.name}`, measure.kind === "count" ? comma(measure.unitMinor) : "", comma(line.amountMinor)]));
  }
  paper.rule();
  for (const discount of sale.endDiscounts) paper.pair(discount.label, comma(discount.amountMinor));
  paper.pair("TOTAL COMPRA", `${comma(sale.sumMinor)} €`, { scale: 1.3, isBold: true });
  const hasCard = random.chance(0.6);
  if (hasCard) {
    paper.pair("TARJETA CREDITO", `${comma(sale.sumMinor)} €`);
    paper.text(`TARJETA: **** **** **** ${sale.cardLast4}  AUT: ${random.digits(6)}`);
    paper.text(`COM: ${random.digits(9)}  IMPORTE: ${comma(sale.sumMinor)} EUR`);
  } else {
    const cash = given(random, sale.sumMinor);
    paper.pair("EFECTIVO", `${comma(cash)} €`);
    paper.pair("CAMBIO", `${comma(cash - sale.sumMinor)} €`);
  }
  paper.text(`ARTICULOS: ${pieces(sale)}`);
  paper.text(cells(paper, [40, 60, 80], ["IVA %", "BASE", "CUOTA", "TOTAL"]));
  const tax = Math.round(sale.sumMinor / 11);
  paper.text(cells(paper, [40, 60, 80], ["10,00", comma(sale.sumMinor - tax), comma(tax), comma(sale.sumMinor)]));
  paper.gap();
  paper.centre("ACUMULADO EN TU CUENTA: 4,35 EUR");
  paper.centre("DEVOLUCIONES HASTA EL 31/12/2030");
  return { paper, truth: truthOf(sale, { merchant, country: "ES", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** An Italian supermarket: `2 X 1,19` above the name, rates of tax between name and price, discounts of the card, document commerciale. */
const esselunga: Layout = (random) => {
  const merchant = random.pick(["Esselunga", "Conad", "Eurospin"]);
  const sale = saleBy(random, { language: "it", lines: [2, 14], nameLength: 20, taxMarks: ["4,00%", "10,00%", "22,00%"], discountLabels: ["SCONTO FIDATY", "Sconto 30%"] });
  const paper = newPaper(42);
  paper.centre(merchant.toUpperCase(), { scale: 1.7, isBold: true });
  paper.centre("Viale Papiniano 27 - 20123 Milano");
  paper.centre(`P.IVA 0${random.digits(10)}`);
  paper.gap();
  paper.centre("DOCUMENTO COMMERCIALE");
  paper.centre("di vendita o prestazione");
  paper.text(cells(paper, [76, 98], ["DESCRIZIONE", "IVA", "Prezzo(€)"]));
  for (const line of sale.lines) {
    if (line.measure.kind === "count") paper.text(`  ${line.measure.count} X ${comma(line.measure.unitMinor)}`);
    if (line.measure.kind === "weight") paper.text(`  kg ${kilograms(line.measure.grams, ",")} x ${comma(line.measure.perKgMinor)}`);
    paper.text(cells(paper, [78, 98], [line.name, line.taxMark, comma(line.amountMinor)]));
    if (line.discount) paper.text(cells(paper, [78, 98], [`  ${line.discount.label}`, line.taxMark, comma(line.discount.amountMinor)]));
  }
  paper.gap();
  if (random.chance(0.4)) paper.pair("Subtotale", comma(sale.sumMinor));
  paper.pair("TOTALE COMPLESSIVO", comma(sale.sumMinor), { isBold: true });
  paper.pair("di cui IVA", comma(Math.round((sale.sumMinor * 9) / 109)));
  paper.gap();
  const isCash = random.chance(0.4);
  const cash = given(random, sale.sumMinor);
  paper.pair(isCash ? "Pagamento contante" : "Pagamento elettronico", comma(isCash ? cash : sale.sumMinor));
  paper.pair("Non riscosso", "0,00");
  if (isCash) paper.pair("Resto", comma(cash - sale.sumMinor));
  paper.pair("Importo pagato", comma(sale.sumMinor));
  paper.gap();
  paper.centre(`${dayOf(sale, "DD-MM-YYYY")} ${clockOf(sale)}`);
  paper.centre(`DOCUMENTO N. ${random.digits(4)}-${random.digits(4)}`);
  paper.centre(`RT 88S25${random.digits(6)}`);
  paper.text(`PUNTI FRAGOLA: saldo ${random.int(100, 4000)}`);
  if (!isCash) paper.text(`PAN ************${sale.cardLast4}  BANCOMAT`);
  return { paper, truth: truthOf(sale, { merchant, country: "IT", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard: !isCash }) };
}; // prettier-ignore

/** A Portuguese supermarket: departments, tax letters in brackets before names, `2 X 0,89` below, `Poupança` in brackets. */
const portuguese: Layout = (random) => {
  const merchant = random.pick(["Pingo Doce", "Continente", "Minipreço"]);
  const sale = saleBy(random, { language: "pt", lines: [2, 15], nameLength: 22, taxMarks: ["(A)", "(A)", "(C)", "(B)"], discountLabels: ["POUPANCA", "DESC. CARTAO", "Poupanca Imediata"] });
  const paper = newPaper(40);
  paper.centre(merchant.normalize("NFD").replace(/\p{M}/gu, ""), { scale: 1.7, isBold: true });
  paper.centre("Rua do Ouro 120, 1100-065 Lisboa");
  paper.centre(`NIF: 500${random.digits(6)}`);
  paper.text(`Fatura Simplificada FS ${random.digits(5)}/${random.digits(6)}`);
  paper.text(`${dayOf(sale, random.pick(["DD/MM/YYYY", "YYYY-MM-DD"]))} ${clockOf(sale, true)}`);
  paper.text("NIF Cliente: Consumidor final");
  const heads = ["MERCEARIA:", "LATICINIOS:", "FRUTAS E LEGUMES:", "TALHO:"];
  for (const [i, line] of sale.lines.entries()) {
    if (i % 4 === 0) paper.text(heads[(i / 4) % 4]!);
    if (line.measure.kind === "one") paper.pair(`${line.taxMark} ${line.name}`, comma(line.amountMinor));
    else {
      paper.text(`${line.taxMark} ${line.name}`);
      paper.pair(line.measure.kind === "count" ? `     ${line.measure.count} X ${comma(line.measure.unitMinor)}` : `     ${kilograms(line.measure.grams, ",")} X ${comma(line.measure.perKgMinor)}`, comma(line.amountMinor));
    }
    if (line.discount) paper.pair(`     ${line.discount.label}`, `(${comma(-line.discount.amountMinor)})`);
  }
  paper.rule();
  const saved = sale.lines.reduce((sum, { discount }) => sum - (discount?.amountMinor ?? 0), 0);
  if (saved > 0) {
    paper.pair("SUBTOTAL", comma(sale.sumMinor + saved));
    paper.pair("POUPANCA TOTAL", `(${comma(saved)})`);
  }
  paper.pair("TOTAL A PAGAR", comma(sale.sumMinor), { scale: 1.3, isBold: true });
  const hasCard = random.chance(0.6);
  if (hasCard) {
    paper.pair("CARTAO DE DEBITO", comma(sale.sumMinor));
    paper.text(`MULTIBANCO  ************${sale.cardLast4}`);
  } else {
    const cash = given(random, sale.sumMinor);
    paper.pair("DINHEIRO", comma(cash));
    paper.pair("TROCO", comma(cash - sale.sumMinor));
  }
  paper.text(cells(paper, [45, 70, 92], ["%IVA", "Total Liq.", "IVA", "Total"]));
  const tax = Math.round((sale.sumMinor * 6) / 106);
  paper.text(cells(paper, [45, 70, 92], ["(A) 6,00%", comma(sale.sumMinor - tax), comma(tax), comma(sale.sumMinor)]));
  paper.gap();
  paper.centre("Obrigado pela sua visita");
  paper.text(`ATCUD: JFK${random.digits(5)}-${random.digits(6)}`);
  return { paper, truth: truthOf(sale, { merchant, country: "PT", currency: "EUR", totalMinor: sale.sumMinor, hasTime: true, hasCard }) };
}; // prettier-ignore

/** By name. */
export const LATER_SOUTHERN_LAYOUTS: Readonly<Record<string, Layout>> = { alcampo, esselunga, portuguese };
