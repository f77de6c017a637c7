import type { ConsolePhrases } from "../../language.ts";

/** The words of signing in. */
export const signIn: ConsolePhrases["signIn"] = {
  title: "Aanmelden",
  email: "E-mailadres",
  password: "Wachtwoord",
  submit: "Aanmelden",
  wrong: "Het e-mailadres of wachtwoord is onjuist, of het wachtwoord is tijdelijk geblokkeerd.",
  passkey: "Aanmelden met een passkey",
  passkeyFailed: "De passkey werkte niet. Probeer het opnieuw of gebruik het wachtwoord.",
  provider: (name) => `Aanmelden met ${name}`,
  providerFailed: {
    title: "U bent niet aangemeld",
    text: "De provider heeft u niet bevestigd, of er is niemand met uw e-mailadres aan de console toegevoegd.",
  },
  none: "Nog geen account? De beheerder van de dienst maakt er een aan op de server.",
  link: {
    title: (name) => `Welkom, ${name}`,
    text: "Maak een passkey of kies een wachtwoord. Deze link werkt één keer.",
    passkey: "Passkey maken",
    password: "Of een wachtwoord",
    newPassword: "Nieuw wachtwoord",
    repeat: "Nieuw wachtwoord herhalen",
    hint: (min) => `Minstens ${min} tekens. Een paar woorden achter elkaar werkt goed.`,
    submit: "Wachtwoord instellen en aanmelden",
    errors: {
      short: (min) => `Gebruik minstens ${min} tekens.`,
      long: (max) => `Gebruik maximaal ${max} tekens.`,
      different: "De twee wachtwoorden zijn niet gelijk.",
    },
    gone: {
      title: "Deze link werkt niet meer",
      text: "Hij is al gebruikt of ouder dan een dag. Vraag een nieuwe aan.",
    },
  },
};
