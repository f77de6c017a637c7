import type { ConsolePhrases } from "../../language.ts";
import { il } from "./dates.ts";

export const account: ConsolePhrases["account"] = {
  title: "Il mio account",
  passkeys: {
    title: "Passkey",
    hint: "Per accedere con il telefono, il computer o una chiave di sicurezza, senza password.",
    none: "Nessuna passkey al momento.",
    added: (at) => `Aggiunta ${il(at)}`,
    used: (at) => `ultimo utilizzo ${il(at)}`,
    neverUsed: "mai utilizzata",
    add: "Aggiungi una passkey",
    remove: "Rimuovi",
    removeOf: (at) => `Rimuovi la passkey aggiunta ${il(at)}`,
    unavailable:
      "Con questo browser, o all’indirizzo di questa console, non è possibile usare passkey: servono un nome host e https.",
    failed: "La passkey non è stata aggiunta. Riprovare.",
  },
  password: {
    title: "Password",
    current: "Password attuale",
    newPassword: "Nuova password",
    repeat: "Ripeti la nuova password",
    submit: "Cambia la password",
    wrong: "La password attuale è sbagliata o temporaneamente bloccata.",
    noneYet: "Nessuna password impostata: chiedere all’operatore un link per sceglierne una.",
  },
  sessions: {
    title: "Sessioni",
    hint: "Chiude la sessione su tutti i dispositivi, anche su questo.",
    submit: "Esci da tutti i dispositivi",
  },
  done: {
    passkeyAdded: "La passkey è stata aggiunta.",
    passkeyRemoved: "La passkey è stata rimossa.",
    passwordChanged: "La password è stata cambiata. La sessione è stata chiusa sugli altri dispositivi.",
  },
};
