import type { ConsolePhrases } from "../../language.ts";

/** The words of the frame around all pages, and of the pages before it. */
export const shell: ConsolePhrases["shell"] = {
  product: "Beloningen",
  skip: "Naar de inhoud",
  menu: "Menu",
  applications: "Applicatie",
  sandbox: "Sandbox",
  sandboxHint: "Dit is een sandbox: er gaat geen echt geld in om.",
  suspended: "Geblokkeerd",
  account: "Uw account",
  signOut: "Afmelden",
  signedInAs: (name) => `Aangemeld als ${name}`,
  language: "Taal",
  sections: {
    overview: "Overzicht",
    receipts: "Kassabonnen",
    review: "Beoordelen",
    names: "Onbekende namen",
    people: "Deelnemers",
    programme: "Programma",
    rewards: "Beloningen",
    developers: "Ontwikkelaars",
    team: "Team",
    audit: "Auditlogboek",
  },
  actions: {
    apply: "Toepassen",
    cancel: "Annuleren",
    save: "Opslaan",
    search: "Zoeken",
    newer: "Nieuwere",
    older: "Oudere",
    next: "Volgende",
    previous: "Vorige",
    back: "Terug",
  },
  problems: {
    notFound: { title: "Hier is niets", text: "Deze pagina bestaat niet, of u hebt er geen toegang toe." },
    forbidden: {
      title: "U hebt hiervoor geen toestemming",
      text: "Uw rol staat dit niet toe. Vraag het de beheerder van de dienst.",
    },
    form: { title: "Het formulier is verlopen", text: "Er is niets gewijzigd. Open de pagina opnieuw en herhaal het." },
    busy: { title: "Te veel tegelijk", text: "Er is niets gewijzigd. Probeer het over enkele seconden opnieuw." },
    other: { title: "Dat is niet gelukt", text: "Er ging bij ons iets mis. Probeer het opnieuw." },
  },
};
