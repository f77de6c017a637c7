import type { ConsolePhrases } from "../../language.ts";

export const account: ConsolePhrases["account"] = {
  title: "Ihr Konto",
  passkeys: {
    title: "Passkeys",
    hint: "Melden Sie sich ohne Passwort an: mit dem Telefon, dem Computer oder einem Sicherheitsschlüssel.",
    none: "Sie haben noch keinen Passkey.",
    added: (at) => `Hinzugefügt: ${at}`,
    used: (at) => `zuletzt verwendet: ${at}`,
    neverUsed: "nie verwendet",
    add: "Passkey hinzufügen",
    remove: "Entfernen",
    removeOf: (at) => `Passkey entfernen, hinzugefügt: ${at}`,
    unavailable:
      "Mit diesem Browser oder unter dieser Adresse sind Passkeys nicht möglich: Sie brauchen einen Hostnamen und https.",
    failed: "Der Passkey wurde nicht hinzugefügt. Versuchen Sie es noch einmal.",
  },
  password: {
    title: "Passwort",
    current: "Aktuelles Passwort",
    newPassword: "Neues Passwort",
    repeat: "Neues Passwort wiederholen",
    submit: "Passwort ändern",
    wrong: "Das aktuelle Passwort ist falsch oder vorübergehend gesperrt.",
    noneYet: "Sie haben kein Passwort. Bitten Sie den Betreiber um einen Link, um eines festzulegen.",
  },
  sessions: {
    title: "Sitzungen",
    hint: "Meldet Sie auf allen Geräten ab, auch hier.",
    submit: "Überall abmelden",
  },
  done: {
    passkeyAdded: "Der Passkey wurde hinzugefügt.",
    passkeyRemoved: "Der Passkey wurde entfernt.",
    passwordChanged: "Das Passwort wurde geändert. Andere Geräte sind abgemeldet.",
  },
};
