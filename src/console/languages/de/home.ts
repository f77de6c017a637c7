import type { ConsolePhrases } from "../../language.ts";

export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Willkommen, ${name}`,
  about:
    "Der Dienst liest Kassenzettel, Mahlzeiten und Lebensmittel, bewertet jeden Artikel nach Gesundheit und Klima und " +
    "bucht dafür Punkte. Hier sehen Sie, was gebucht wurde, und entscheiden, was ein Mensch entscheiden muss.",
  title: "Ihre Anwendungen",
  none: "Sie haben noch Zugriff auf keine Anwendung. Bitten Sie den Betreiber des Dienstes um eine Rolle.",
  noneAtAll: "Noch gibt es keine Anwendung. Legen Sie eine auf dem Rechner des Dienstes an:",
  figures: {
    held: "Zu prüfen",
    disputed: "Beanstandet",
    receipts: "Kassenzettel seit gestern",
    failed: "Fehlgeschlagen seit gestern",
    endpoints: "Gestörte Endpunkte",
    unknown: "Die Zahlen sind im Moment nicht bekannt.",
    many: "Zahlen stehen hier nur für die ersten Anwendungen; für die übrigen in deren Übersicht.",
  },
  state: {
    title: "Der Dienst",
    ready: { label: "Datenbank und Verarbeitung", yes: "bereit", no: "nicht bereit" },
    receipts: "Wartende Kassenzettel",
    intakes: "Wartende Mahlzeiten und Lebensmittel",
    pending: "Wartende Webhooks",
    failed: "Fehlgeschlagene Webhooks",
    endpoints: "Gestörte Endpunkte",
    ledger: "Buchungen",
    oldest: (minutes) => `der älteste Eintrag seit ${minutes} Min.`,
    late: (minutes) => `${minutes} Min. Verzug`,
    verified: (at) => `Salden stimmen mit den Buchungen überein, ${at}`,
    differences: (count, at) => `Abweichungen: ${count}, ${at}`,
    never: "noch nicht geprüft; das geschieht täglich",
  },
  next: {
    title: "Wie es weitergeht",
    review: (application) => `Wartende Kassenzettel von ${application} prüfen`,
    team: "Wer die Konsole nutzen darf",
    audit: "Was in der Konsole getan wurde",
    reference: "Wie man die API aufruft",
    problems: "Was die Fehlermeldungen der API bedeuten",
  },
};
