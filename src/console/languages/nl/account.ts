import type { ConsolePhrases } from "../../language.ts";

/** The words of a person's own account. */
export const account: ConsolePhrases["account"] = {
  title: "Uw account",
  passkeys: {
    title: "Passkeys",
    hint: "Meld u aan met uw telefoon, computer of beveiligingssleutel, zonder wachtwoord.",
    none: "U hebt nog geen passkey.",
    added: (at) => `Toegevoegd op ${at}`,
    used: (at) => `laatst gebruikt op ${at}`,
    neverUsed: "nooit gebruikt",
    add: "Passkey toevoegen",
    remove: "Verwijderen",
    removeOf: (at) => `Passkey verwijderen die op ${at} is toegevoegd`,
    unavailable:
      "Deze browser of het adres van deze console ondersteunt geen passkeys: daarvoor zijn een hostnaam en https nodig.",
    failed: "De passkey is niet toegevoegd. Probeer het opnieuw.",
  },
  password: {
    title: "Wachtwoord",
    current: "Huidig wachtwoord",
    newPassword: "Nieuw wachtwoord",
    repeat: "Nieuw wachtwoord herhalen",
    submit: "Wachtwoord wijzigen",
    wrong: "Het huidige wachtwoord is onjuist of tijdelijk geblokkeerd.",
    noneYet: "U hebt geen wachtwoord. Vraag de beheerder om een link om er een in te stellen.",
  },
  sessions: {
    title: "Sessies",
    hint: "Hiermee wordt u op alle apparaten afgemeld, ook op dit apparaat.",
    submit: "Overal afmelden",
  },
  done: {
    passkeyAdded: "De passkey is toegevoegd.",
    passkeyRemoved: "De passkey is verwijderd.",
    passwordChanged: "Het wachtwoord is gewijzigd. Andere apparaten zijn afgemeld.",
  },
};
