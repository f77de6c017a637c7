import type { Random } from "./random.ts";

/** A small shop or kitchen that no dictionary knows. */
export interface Shop {
  name: string;
  address: readonly string[];
}

const FAMILY = {
  en: ["Hargreaves", "Pemberton", "O'Donnell", "Whitlock", "Fenwick", "Ashworth"],
  us: ["Lindgren", "Castellano", "Whitaker", "Delgado", "Brookside", "Maple Street"],
  de: ["Brandhuber", "Petersen", "Lindner", "Hagemann", "Wiesinger", "Koop"],
  fr: ["Lemoine", "Garnier", "Dubreuil", "Fontaine", "Marchand", "Besson"],
  es: ["Arrieta", "Belmonte", "La Ribera", "Ochoa", "Los Olivos", "Quintana"],
  it: ["Bellandi", "Fratelli Riva", "Moretti", "La Pergola", "Santini", "Da Gino"],
  my: ["Lim Hock", "Seri Murni", "Restu", "Tan Woon", "Damai Jaya", "Kheng Soon"],
} as const;

const SHELF = {
  en: ["% Stores", "% & Sons Greengrocers", "% Farm Shop", "% Mini Market"],
  us: ["% Market", "% Natural Foods", "% Grocery & Deli"],
  de: ["Bäckerei %", "Hofladen %", "Feinkost % GmbH", "Metzgerei %"],
  fr: ["Epicerie %", "Fromagerie %", "Primeur %", "Boulangerie %"],
  es: ["Frutería %", "Supermercado %", "Panadería %", "Alimentación %"],
  it: ["Alimentari %", "Panificio %", "Macelleria %", "Minimarket %"],
  my: ["% MINI MARKET", "PASAR MINI %", "% TRADING SDN BHD", "% SUPERMARKET SDN BHD"],
} as const;

const KITCHEN = {
  en: ["The % Arms", "% Coffee House", "Café %"],
  us: ["% Diner", "% Grill & Bar", "% Coffee Co."],
  de: ["Gasthaus %", "Café %", "Restaurant %"],
  fr: ["Brasserie %", "Café %", "Le Bistrot %"],
  es: ["Restaurante %", "Bar %", "Cafetería %"],
  it: ["Ristorante %", "Pizzeria %", "Bar %"],
  my: ["RESTORAN %", "% KOPITIAM", "% SEAFOOD RESTAURANT"],
} as const;

const ADDRESSES = {
  en: [["14 Market Place", "Ludlow SY8 1BP"], ["221 High Street", "Cheltenham GL50 3HF"], ["3 Station Road", "Harrogate HG1 1TB"]],
  us: [["1840 N Main St", "Asheville, NC 28801"], ["402 Congress Ave", "Austin, TX 78701"], ["77 Elm Street", "Portland, OR 97205"]],
  de: [["Lindenstr. 24", "50674 Köln"], ["Hauptstraße 101", "10827 Berlin"], ["Am Markt 3", "79098 Freiburg"]],
  fr: [["12 rue de la République", "69002 LYON"], ["45 avenue Jean Jaurès", "31000 TOULOUSE"], ["3 place du Marché", "35000 RENNES"]],
  es: [["C/ Mayor, 18", "28013 Madrid"], ["Avda. del Puerto 44", "46021 Valencia"], ["Calle Real 7", "41001 Sevilla"]],
  it: [["Via Garibaldi 22", "20121 Milano (MI)"], ["Corso Italia 5", "50123 Firenze (FI)"], ["Piazza Dante 9", "80135 Napoli (NA)"]],
  my: [["NO 12, JALAN SS 2/61", "47300 PETALING JAYA, SELANGOR"], ["LOT 5, TAMAN MELAWATI", "53100 KUALA LUMPUR"], ["23 JALAN TEBRAU", "80300 JOHOR BAHRU"]],
} as const; // prettier-ignore

/** A country's habit of naming. */
export type Tongue = keyof typeof FAMILY;

/** An address of the country. */
export function addressOf(random: Random, tongue: Tongue): readonly string[] {
  return random.pick<readonly string[]>(ADDRESSES[tongue]);
}

/** An invented shop. */
export function shopOf(random: Random, tongue: Tongue, kind: "shelf" | "kitchen"): Shop {
  const pattern = random.pick<string>((kind === "shelf" ? SHELF : KITCHEN)[tongue]);
  return { name: pattern.replace("%", random.pick<string>(FAMILY[tongue])), address: addressOf(random, tongue) };
}
