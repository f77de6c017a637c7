import type { ConsolePhrases } from "../../language.ts";

/** The words of the page about the people of the console. */
export const team: ConsolePhrases["team"] = {
  title: "Team",
  lead: "Wie deze console mag gebruiken, en waarvoor.",
  columns: { person: "Persoon", roles: "Rollen", actions: "Acties" },
  noRole: "geen rol",
  ofAll: (role) => `${role} van alle applicaties`,
  ofOne: (role, application) => `${role} van ${application}`,
  you: "u",
  roles: {
    viewer: "Lezer",
    reviewer: "Beoordelaar",
    manager: "Manager",
    developer: "Ontwikkelaar",
    operator: "Beheerder",
  },
  about: {
    viewer: "ziet alles",
    reviewer: "beslist ook over kassabonnen en namen",
    manager: "wijzigt ook punten, beloningen en het programma",
    developer: "ziet alles en wijzigt sleutels en webhooks",
    operator: "mag alles",
  },
  add: {
    title: "Iemand toevoegen",
    email: "E-mailadres",
    name: "Naam",
    role: "Rol",
    application: "Voor",
    submit: "Toevoegen",
  },
  all: "Alle applicaties",
  grant: { title: (name) => `${name} wijzigen`, submit: "Deze rol geven" },
  revoke: "Alle rollen intrekken",
  revokeOf: (name) => `Alle rollen van ${name} intrekken`,
  link: "Nieuwe link",
  linkOf: (name) => `Nieuwe link maken voor ${name}`,
  remove: "Verwijderen",
  removeOf: (name) => `${name} verwijderen`,
  newLink: {
    title: (name) => `Link voor ${name}`,
    text: "Geef hem aan niemand anders. Hij werkt één keer, tot morgen, en wordt niet opnieuw getoond.",
  },
  done: {
    granted: "De rol is gegeven.",
    revoked: "Alle rollen zijn ingetrokken. De persoon is afgemeld.",
    removed: "De persoon is verwijderd.",
  },
  errors: {
    email: "Dit is geen e-mailadres.",
    taken: "Er is al iemand met dit e-mailadres toegevoegd.",
    name: "Vul een naam van maximaal 100 tekens in.",
    role: "Kies een rol.",
    self: "U kunt uw eigen toegang niet intrekken: vraag het een andere beheerder.",
  },
};
