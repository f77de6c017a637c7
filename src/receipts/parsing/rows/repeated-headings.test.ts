import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

test("a web page of an invoice repeats the name of a column over each amount", () => {
  const reading = readTyped(`
     PADARIA FLOR DO VALE LTDA
     CNPJ: 11.222.333/0001-81
     PAO FRANCES KG (Código: 101 )        Vl. Total
     Qtde.: 0,5   UN: KG   Vl. Unit.: 15,00    7,50
     LEITE INTEGRAL 1L (Código: 214 )     Vl. Total
     Qtde.: 2   UN: UN   Vl. Unit.: 4,99       9,98
     Qtd. total de itens:                         2
     Valor a pagar R$:                        17,48
     Dinheiro                                 17,48
`);
  assert.equal(reading.totalMinor, 1748);
  assert.deepEqual(brief(reading), ["PAO FRANCES KG × 0.5kg = 750", "LEITE INTEGRAL 1L × 2 = 998"]);
});
