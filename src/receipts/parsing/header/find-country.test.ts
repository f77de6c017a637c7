import assert from "node:assert/strict";
import { test } from "node:test";
import { originOf } from "./find-country.ts";

const UNKNOWN = { chain: null, likely: null };

test("a receipt's country and currency follow from what is printed", () => {
  const printed: [string, string, string[]][] = [
    ["NZ", "NZD", ["GST NO. 094-412-331", "TOTAL $38.23"]],
    ["IN", "INR", ["GSTIN : 27AACCA8432H1ZQ", "Grand Total Rs.494.00"]],
    ["ZA", "ZAR", ["VAT NO: 4760121113", "DUE VAT INCL R219.36"]],
    ["PH", "PHP", ["VAT REG TIN 000-154-431-00015", "VATable Sales 460.49"]],
    ["GB", "GBP", ["VAT Reg 403 3146 04", "TOTAL 9.55"]],
    ["GB", "GBP", ["Tel 01943 607712", "TOTAL 16.40"]],
    ["SG", "SGD", ["YA HUA PTE LTD", "TOTAL $49.70"]],
    ["CA", "CAD", ["Hamilton, ON", "HST 13% $1.22", "Total $12.53"]],
    ["AU", "AUD", ["ABN 88 000 014 675", "TOTAL $32.63"]],
    ["AU", "AUD", ["Canberra ACT 2600", "TOTAL 36.35"]],
    ["GB", "GBP", ["Bath BA1 2JN", "Clubcard points 3", "Sold under the Weights and Measures Act"]],
    ["MY", "MYR", ["PETROL RON 95  20.00", "TOTAL RM 20.00", "Kuala Lumpur"]],
    ["RO", "RON", ["TOTAL  95,40", "RON"]],
    ["AU", "AUD", ["TAX INVOICE ABN 88 0O0 014 675", "TOTAL $36.35"]],
    ["GB", "GBP", ["THE STALL", "TOTAL E9.20", "CASH E20.00"]],
    ["IE", "EUR", ["Kenmare V93 X0X0", "AMOUNT DUE E85.42"]],
    ["DE", "EUR", ["Inh. M. Yildiz", "Rechnung Nr. 1882", "Total E 33,00"]],
    ["LT", "EUR", ["PVM moketojo kodas LT230335113", "Moketi 13,44"]],
    ["US", "USD", ["Oakland, CA 94612", "TOTAL: $46.82"]],
    ["MY", "MYR", ["KEDAI MAJU SDN BHD", "JOHOR BAHRU", "Nett Total: $11.50"]],
    ["US", "USD", ["118 Main St, Dayton OH", "TOTAL 8.66"]],
    ["TH", "THB", ["Sukhumvit Rd, Bangkok 10110", "TOTAL 456.50"]],
    ["GB", "GBP", ["PHUKET KITCHEN", "12 High St, London SW1A 1AA", "TOTAL 18.00"]],
    ["US", "USD", ["Chiang Mai Thai Cuisine", "Austin, TX 78701", "TOTAL $13.53"]],
    ["AU", "AUD", ["FLAT WHITE $5.00", "TOTAL $11.50", "EFTPOS $11.50", "GST INCLUDED $1.05"]],
  ];
  for (const [country, currency, texts] of printed) assert.deepEqual(originOf(texts, UNKNOWN), { country, currency });
});

test("what the paper leaves open follows from the country that the receipt is likely from", () => {
  const read: [likely: string, country: string | null, currency: string | null, texts: string[]][] = [
    // A sign that several countries print.
    ["CA", "CA", "CAD", ["COFFEE 3.15", "TOTAL $41.16"]],
    ["HK", "HK", "HKD", ["TOTAL $41.16"]],
    ["NO", "NO", "NOK", ["Kaffe 49,00 kr", "Sum 49,00 kr"]],
    ["IS", "IS", "ISK", ["Kaffi 690 kr", "Samtals 690 kr"]],
    ["MD", "MD", "MDL", ["TOTAL LEI 48,50"]],
    ["PK", "PK", "PKR", ["TOTAL Rs. 480.00"]],
    // A sign that the OCR reads as a letter.
    ["IE", "IE", "EUR", ["TOTAL E9.20", "CASH E20.00"]],
    // Nothing at all.
    ["GB", "GB", "GBP", ["COFFEE 3.15", "TOTAL 3.15"]],
    // Evidence on the paper wins.
    ["CA", "US", "USD", ["Oakland, CA 94612", "TOTAL: $46.82"]],
    ["CA", "US", "USD", ["SALES TAX $0.82", "TOTAL: $46.82"]],
    ["GB", "US", "USD", ["TOTAL $41.16"]],
    ["NO", "SE", "SEK", ["Kvitto", "Moms 12%", "Totalt 49,00 kr"]],
    ["GB", null, "BAM", ["COFFEE 3.15", "TOTAL BAM"]],
    ["GB", null, null, ["Kaffe 49,00 kr", "Sum 49,00 kr"]],
    // Of countries that it speaks for alike.
    ["NZ", "NZ", "NZD", ["EFTPOS $41.16"]],
    ["AU", "AU", "AUD", ["EFTPOS $41.16"]],
  ];
  for (const [likely, country, currency, texts] of read)
    assert.deepEqual(
      originOf(texts, { chain: null, likely }),
      { country, currency },
      `${likely}: ${texts.join(" | ")}`,
    );
});

test("a chain's own country counts less than its neighbour's tax number", () => {
  assert.equal(originOf(["VAT No IE 6331224K", "TOTAL €15.20"], { ...UNKNOWN, chain: "GB" }).country, "IE");
  assert.equal(originOf(["Oshawa, ON L1H 7K5", "HST 13%", "TOTAL $41.16"], { ...UNKNOWN, chain: "US" }).country, "CA");
  assert.equal(originOf(["TOTAL $41.16"], { ...UNKNOWN, chain: "AU" }).country, "AU");
});
