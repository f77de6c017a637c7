import type { ConsolePhrases } from "../../language.ts";

export const shell: ConsolePhrases["shell"] = {
  product: "Rewards",
  skip: "Zum Inhalt springen",
  menu: "Menü",
  applications: "Anwendung",
  sandbox: "Sandbox",
  sandboxHint: "Eine Sandbox: Hier geht es nicht um echtes Geld.",
  suspended: "Gesperrt",
  closed: "Geschlossen",
  account: "Ihr Konto",
  signOut: "Abmelden",
  signedInAs: (name) => `Angemeldet als ${name}`,
  language: "Sprache",
  sections: {
    overview: "Übersicht",
    receipts: "Kassenzettel",
    review: "Prüfung",
    names: "Unbekannte Namen",
    people: "Nutzer",
    programme: "Programm",
    rewards: "Prämien",
    developers: "Entwickler",
    team: "Team",
    audit: "Audit-Log",
  },
  actions: {
    apply: "Anwenden",
    cancel: "Abbrechen",
    save: "Speichern",
    search: "Suchen",
    newer: "Neuere",
    older: "Ältere",
    next: "Weiter",
    previous: "Zurück",
    back: "Zurück",
  },
  problems: {
    home: "Zur Startseite",
    notFound: { title: "Hier ist nichts", text: "Die Seite gibt es nicht, oder Sie dürfen sie nicht sehen." },
    forbidden: {
      title: "Das dürfen Sie nicht",
      text: "Ihre Rolle erlaubt es nicht. Wenden Sie sich an den Betreiber des Dienstes.",
    },
    form: {
      title: "Das Formular ist veraltet",
      text: "Es wurde nichts geändert. Öffnen Sie die Seite neu und wiederholen Sie die Eingabe.",
    },
    closed: {
      title: "Die Anwendung ist geschlossen",
      text: "Sie zieht an eine andere Adresse um oder wird entfernt. Es wurde nichts geändert.",
    },
    moved: {
      title: "Die Anwendung ist umgezogen",
      text: "Es wurde nichts geändert. Sie ist jetzt unter dieser Adresse:",
    },
    busy: {
      title: "Zu viel auf einmal",
      text: "Es wurde nichts geändert. Versuchen Sie es in einigen Sekunden noch einmal.",
    },
    other: {
      title: "Das hat nicht geklappt",
      text: "Bei uns ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.",
    },
  },
};
