import type { ConsolePhrases } from "../../language.ts";

/** The words of the first page after signing in. */
export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Welkom, ${name}`,
  about:
    "De dienst leest kassabonnen, maaltijden en voedingsmiddelen, beoordeelt elk artikel op gezondheid en klimaat en " +
    "boekt er punten voor. Hier ziet u wat er is geboekt en beslist u over wat aan mensen is overgelaten.",
  title: "Uw applicaties",
  none: "U hebt nog geen toegang tot een applicatie. Vraag de beheerder van de dienst om een rol.",
  noneAtAll: "Er is nog geen applicatie. Maak er een aan op de server van de dienst:",
  figures: {
    held: "Te beoordelen",
    disputed: "Betwist",
    receipts: "Kassabonnen sinds gisteren",
    failed: "Mislukt sinds gisteren",
    endpoints: "Falende endpoints",
    unknown: "De cijfers zijn op dit moment niet bekend.",
    many: "Cijfers staan alleen bij de eerste applicaties; die van de andere staan in hun overzicht.",
  },
  state: {
    title: "De dienst",
    ready: { label: "Database en verwerking", yes: "gereed", no: "niet gereed" },
    receipts: "Wachtende kassabonnen",
    intakes: "Wachtende maaltijden en voedingsmiddelen",
    pending: "Wachtende webhooks",
    failed: "Mislukte webhooks",
    endpoints: "Falende endpoints",
    ledger: "Grootboek",
    oldest: (minutes) => `de oudste al ${minutes} min`,
    late: (minutes) => `${minutes} min te laat`,
    verified: (at) => `klopt met de boekingen, ${at}`,
    differences: (count, at) => `verschillen: ${count}, ${at}`,
    never: "nog niet gecontroleerd; dat gebeurt dagelijks",
  },
  next: {
    title: "Verder naar",
    review: (application) => `Kassabonnen van ${application} beoordelen`,
    team: "Wie de console mag gebruiken",
    audit: "Wat erin is gedaan",
    reference: "Hoe u de API aanroept",
    problems: "Wat de foutmeldingen van de API betekenen",
  },
};
