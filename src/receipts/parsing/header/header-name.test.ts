import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

const GOODS = `
     SOUP OF THE DAY               6.50
     LEMONADE                      3.00
     TOTAL                         9.50
     VISA                          9.50`;

describe("the header names the shop", () => {
  const heads: [string, string, string][] = [
    ["a slogan above it", "Eat well. Live well.\n   Fresh Bites\n21 King St, Reading RG1 2HG", "Fresh Bites"],
    ["a slogan below it", "fable\nThe kindest food people\n31 Timber Hill Norwich NR1 3JZ", "fable"],
    ["a text of the till above it", "GUEST CHECK\nOrder #118\n   LA PALOMA\n44 River Rd", "LA PALOMA"],
    ["the number of its store and a state without a comma", "KWIK STOP 662\n1800 HWY 16\nLA CROSSE WI 54601", "KWIK STOP 662"],
    ["a greeting", "Welcome to BULK BARN\nStore 552\nLondon, ON", "BULK BARN"],
    ["premises with a word for a shop", "LITTLE ESPRESSO\nShop 3, 280 Collins St\nMelbourne VIC 3000", "LITTLE ESPRESSO"],
    ["a note of the shop above it", "GOODS SOLD ARE NOT RETURNABLE. THANK YOU\nHILL CASH & CARRY\n12 Jalan Bunga", "HILL CASH & CARRY"],
    ["a slogan with a dash above it and its company below it", "Good mood - good day\nFresh Bites", "Fresh Bites"],
    ["the mall where it is", "Westfield Hornsby\nTHE LITTLE ESPRESSO\nTAX INVOICE", "THE LITTLE ESPRESSO"],
    ["a mall in another language", "C.C. EL PARQUE 2\nLA BUENA MESA\nTel. 912345678", "LA BUENA MESA"],
    ["its tax number behind it", "MESA DE OURO LTDA - CNPJ 11.223.344/0001-55\nRua das Flores 12", "MESA DE OURO LTDA"],
    ["the market where it is", "HUGHES FRUIT & VEG\nQUEENS MARKET E13", "HUGHES FRUIT & VEG"],
    ["the cashier", "kettle\nServed by: Assisted Checkout", "kettle"],
    ["a street it is named after", "GREEN STREET KITCHEN\n12 Green St\nBath BA1 2JZ", "GREEN STREET KITCHEN"],
    ["its trade above it", "BOULANGERIE PATISSERIE\nMOREAU\n27 rue des Martyrs", "BOULANGERIE PATISSERIE MOREAU"],
    ["what it sells, below it", "MOREAU\nBOULANGERIE PATISSERIE\n27 rue des Martyrs", "MOREAU"],
    ["the university that houses it", "UNIVERSITATEA DIN SIBIU\nCANTINA M. VASILE\nC.I.F.: RO4505375", "CANTINA M. VASILE"],
    ["its legal status", "PERSOANA FIZICA AUTORIZATA\nCOFETARIA MARA\nSTR. MICA 12 SIBIU", "COFETARIA MARA"],
    ["its owner, whose surname it has", "MEHMET ARSLAN\nARSLAN ET KASAP ŞARKÜTERİ\nNo:4 Kadıköy", "ARSLAN ET KASAP ŞARKÜTERİ"],
    ["a cry above it", "SEDAP SANGAT!\nRESTORAN NASI BUNGA\n12 Jalan Raya", "RESTORAN NASI BUNGA"],
    ["a short sentence above it", "Fresh every day\nMOREAU\n27 rue des Martyrs", "MOREAU"],
    ["the label of its name", "MY RECEIPTS\nMerchant: Fresh Bites\n21 King St, Reading RG1 2HG", "Fresh Bites"],
    ["a person whom its website is not named after", "R. GARCIA MORENO\nEL CARACOL\nwww.elcaracol.es", "EL CARACOL"],
    ["its trade and legal form below it", "TAŞ FIRIN\nGIDA SAN. LTD. ŞTİ.\nÇANKAYA", "TAŞ FIRIN GIDA SAN. LTD. ŞTİ."],
    ["a prayer above it", "|| OM SAI RAM ||\nFRESH BITES\nMG ROAD", "FRESH BITES"],
    ["what it sells above it", "FOTOCOPY - ATK - PRINT\nMAJU JAYA\nJl. Mawar 12", "MAJU JAYA"],
    ["a list of what it sells below it", "Fallon & Moore\n11 Exchequer Street\nFOOD HALL - WINE BAR - DINING", "Fallon & Moore"],
    ["its owner, certainly a person", "R. GARCIA MORENO\n28456123T\nBAR LOS CARACOLES", "BAR LOS CARACOLES"],
    ["its owner with a first name", "DE GOMEZ MARIA LAURA\nPANADERIA LA ESPIGA\nCUIT 27-22118822-3", "PANADERIA LA ESPIGA"],
    ["its keeper below it", "LA ESPIGA\nKAUPPIAS MIKA VIRTANEN\nY-TUNNUS 1188223-4", "LA ESPIGA"],
    ["the label of its name or town", "Store: Lucky Mart\nCashier: May\nTIN 118-222-333-000", "Lucky Mart"],
    ["the label of its town", "FRESH BITES\nStore: Sandton\nVAT 4880118822", "FRESH BITES"],
    ["the company that runs it, with words for it, below it", "Mario's Trattoria\nowned by Rossi Ltd\n12 Main St", "Mario's Trattoria"],
    ["its owner, below its trade", "OTO MARKET\nMEHMET YILMAZ\nKADIKÖY VD 1234567890", "OTO MARKET"],
    ["the label of its town above it", "Store: Dublin\nLUCKY MART\n12 Main St", "LUCKY MART"],
    ["its name after a person above its trade", "Oscar Wilde\nIrish Pub Berlin\nFriedrichstr. 112\n10117 Berlin", "Oscar Wilde"],
    ["a word that is a document's only in another language", "BONG KITCHEN\nStorgata 5\n0155 Oslo", "BONG KITCHEN"],
    ["words of the document before a dash", "TAX INVOICE - BONDI BREW PTY LTD\nABN 51 824 753 556", "BONDI BREW PTY LTD"],
    ["words of a letter", "Your receipt from Noodle Barn\nDublin 7", "Noodle Barn"],
    ["the year of its foundation behind it", "POLVORON DESDE 1946\nPANADERIA ARTESANA\nwww.pan.es", "POLVORON"],
    ["its praise below it, with a word of an address in another language", "KOTA KING\nSOWETO'S FINEST\nVILAKAZI ST", "KOTA KING"],
    ["a state that looks like a company", "ROMEO'S\n117 Fairford Rd Unley SA\nABN 63 007 873 118", "ROMEO'S"],
  ]; // prettier-ignore
  for (const [what, head, name] of heads)
    test(`beside ${what}`, () => assert.equal(readTyped(`${head}${GOODS}`).merchantName, name));

  test("and its company, which is printed too", () => {
    const { merchantName, businessName } = readTyped(`HIDEOUT KITCHEN\nSL Hospitality Group LLC${GOODS}`);
    assert.deepEqual([merchantName, businessName], ["SL Hospitality Group LLC", "HIDEOUT KITCHEN"]);
  });

  test("by a chain and its licensee", () => {
    const { merchantName, businessName } = readTyped(`JOLLIBEE\nGOLDEN BEE FOODS CORP${GOODS}`);
    assert.deepEqual([merchantName, businessName], ["GOLDEN BEE FOODS CORP", "Jollibee"]);
  });

  test("by a logo above a company that has another chain's name in its own", () => {
    const reading = readTyped(`CHECKERS\nShoprite Checkers (Pty) Ltd\nVAT Reg. No. 4420105542${GOODS}`);
    assert.equal(reading.businessName, "Checkers");
  });

  test("not by two letters that begin a company's name", () => {
    const reading = readTyped(`BP ALIMENTOS LTDA\nCHURRASCARIA DO VALE\nCNPJ 11.223.344/0001-55${GOODS}`);
    assert.equal(reading.businessName, "CHURRASCARIA DO VALE");
  });

  test("by two letters only letter for letter", () => {
    assert.equal(readTyped(`BP CONNECT\nA38 Bristol Road South${GOODS}`).businessName, "BP");
    assert.equal(readTyped(`BRIDGE PANTRY\nB. P. Road 7${GOODS}`).businessName, "BRIDGE PANTRY");
  });
});

describe("the name of a shop beside other names", () => {
  test("above its trade", () => {
    const head = "LA STRADA\nRestaurant & Pizzerie\nStr. Lunga 12";
    assert.equal(readTyped(`${head}${GOODS}`).merchantName, "LA STRADA");
  });

  test("below its brewery", () => {
    const head = "GREENE KING\nTHE RED LION\nMarket Square, Thame OX9 3FX";
    assert.equal(readTyped(`${head}${GOODS}`).merchantName, "THE RED LION");
  });

  test("below its company's address", () => {
    const head = "SC MOARA DELTA SRL\nJUD. TULCEA, STR. PACII 14\nCOD FISCAL: RO 24410032\nALIMENTARA LA MOARA";
    assert.equal(readTyped(`${head}${GOODS}`).businessName, "ALIMENTARA LA MOARA");
  });

  test("above a group that has another chain's name", () => {
    const head = "Netto\nSalling Group A/S\nNørrebrogade 44 København";
    assert.equal(readTyped(`${head}${GOODS}`).businessName, "Netto");
  });

  test("of a chain, above a company that runs another one", () => {
    const head = "LOTTE GROSIR PASAR REBO\nPT LOTTE SHOPPING INDONESIA\nJl. Raya Bogor 12";
    assert.equal(readTyped(`${head}${GOODS}`).businessName, "Lotte Grosir");
  });

  test("below a slogan in capitals", () => {
    for (const slogan of ["FRESH BAKED DAILY", "FRISCH UND LECKER", "SMACZNIE I TANIO"])
      assert.equal(readTyped(`${slogan}\nMARLOW & DAUGHTER\n14 HIGH STREET${GOODS}`).merchantName, "MARLOW & DAUGHTER");
  });

  test("below a name that is written by hand", () => {
    const head = "tan chay yee\nRESTORAN WAN SHENG\n002043319-W\nNO.2, JALAN TEMENGGUNG 19/9";
    assert.equal(readTyped(`${head}${GOODS}`).merchantName, "RESTORAN WAN SHENG");
  });

  test("beside a mark of the document", () => {
    const head = "NFC-e          ALLES BEM\nCNPJ: 04760620000107\nCURITIBA - PR - (41) 3267-3026";
    assert.equal(readTyped(`${head}${GOODS}`).merchantName, "ALLES BEM");
  });
});

test("a word of the till in a name is part of it, unless a number follows", () => {
  const name = (row: string): string | null => readTyped(`${row}\n14 HIGH STREET${GOODS}`).merchantName;
  for (const shop of ["AU BORD DE L'EAU", "GUNILLAS BUTIK", "LOJA DO ZE", "LA MASA", "TERMINAL CAFE", "TOAST & JAM"])
    assert.equal(name(shop), shop);
  assert.equal(name("BORD 12\nMARLOW & DAUGHTER"), "MARLOW & DAUGHTER");
});

test("a name in small letters is that of the shop if there is no other", () => {
  assert.equal(readTyped(`la petite maison\n14 HIGH STREET${GOODS}`).merchantName, "la petite maison");
});

test("an owner behind the name is no part of it", () => {
  const name = (row: string): string | null => readTyped(`${row}\nTrg bana 4\n10000 Zagreb${GOODS}`).merchantName;
  assert.equal(name("SZR Lipa vl. Ana Horvat"), "SZR Lipa");
  assert.equal(name("Gasthof Krone Inh. Max Muster"), "Gasthof Krone");
  assert.equal(name("Gasthof Fam. Huber"), "Gasthof Fam. Huber");
});

describe("if the header has only an address", () => {
  const head = "2100 Clarendon Blvd\nArlington, VA 22201";
  test("the shop's farewell names it", () =>
    assert.equal(readTyped(`${head}${GOODS}\nThank you for dining at Noodle Barn`).merchantName, "Noodle Barn"));
  test("or its website", () =>
    assert.equal(readTyped(`${head}\nwww.noodlebarn.com${GOODS}`).merchantName, "noodlebarn"));
});

describe("a company and the name that it trades under", () => {
  const names = (head: string): (string | null)[] => {
    const { merchantName, businessName } = readTyped(`${head}${GOODS}`);
    return [merchantName, businessName];
  };
  test("are on one row", () =>
    assert.deepEqual(names("KEOGH FOODS LTD T/A THE BEAN HIVE\nMain St, Gorey"), ["KEOGH FOODS LTD", "THE BEAN HIVE"]));
  test("are on two rows, below words for who runs it", () =>
    assert.deepEqual(names("OWNED AND OPERATED BY:\nISLAND FOOD GROUP INC.\nKUYA PEPE\nSM City Cebu"), [
      "ISLAND FOOD GROUP INC.",
      "KUYA PEPE",
    ]));
  test("are below a greeting", () =>
    assert.deepEqual(names("JÓ REGGELT!\nPÉKSÉG A SARKON\nSARKI PÉK 2015 KFT.\n9700 SZOMBATHELY"), [
      "SARKI PÉK 2015 KFT.",
      "PÉKSÉG A SARKON",
    ]));
});

test("a row that the shop's website or mail address repeats is its name, below what looks like one", () => {
  const head = "Mum\nYesterday\nand this one\nLindenhof\nRISTORANTE PIZZERIA\nWeinweg 6\n6010 Kriens";
  assert.equal(readTyped(`${head}\nwww.pizzeria-lindenhof.ch${GOODS}`).merchantName, "Lindenhof");
  assert.equal(readTyped(`${head}${GOODS}\ninfo@1indenhof.ch`).merchantName, "Mum", "no site is read");
  assert.equal(readTyped(`${head.replace("Linden", "Lindcn")}${GOODS}\ninfo@lindenhof.ch`).merchantName, "Lindcnhof");
  assert.equal(readTyped(`${head}${GOODS}\ninfo@gmail.com`).merchantName, "Mum", "a site of mail names no shop");
});
