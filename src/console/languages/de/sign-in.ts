import type { ConsolePhrases } from "../../language.ts";

export const signIn: ConsolePhrases["signIn"] = {
  title: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  submit: "Anmelden",
  wrong: "Die E-Mail-Adresse oder das Passwort ist falsch, oder das Passwort ist vorübergehend gesperrt.",
  passkey: "Mit Passkey anmelden",
  passkeyFailed: "Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder verwenden Sie das Passwort.",
  provider: (name) => `Mit ${name} anmelden`,
  providerFailed: {
    title: "Sie sind nicht angemeldet",
    text: "Der Anbieter hat Sie nicht bestätigt, oder niemand mit Ihrer E-Mail-Adresse wurde zur Konsole hinzugefügt.",
  },
  none: "Noch kein Konto? Der Betreiber legt es auf dem Rechner des Dienstes an.",
  link: {
    title: (name) => `Willkommen, ${name}`,
    text: "Erstellen Sie einen Passkey oder wählen Sie ein Passwort. Dieser Link funktioniert einmal.",
    passkey: "Passkey erstellen",
    password: "Oder ein Passwort",
    newPassword: "Neues Passwort",
    repeat: "Neues Passwort wiederholen",
    hint: (min) => `Mindestens ${min} Zeichen. Gut sind einige Wörter hintereinander.`,
    submit: "Passwort festlegen und anmelden",
    errors: {
      short: (min) => `Verwenden Sie mindestens ${min} Zeichen.`,
      long: (max) => `Verwenden Sie höchstens ${max} Zeichen.`,
      different: "Die beiden Passwörter stimmen nicht überein.",
    },
    gone: {
      title: "Dieser Link funktioniert nicht mehr",
      text: "Er wurde schon verwendet oder ist älter als ein Tag. Bitten Sie um einen neuen.",
    },
  },
};
