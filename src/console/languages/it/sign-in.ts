import type { ConsolePhrases } from "../../language.ts";

export const signIn: ConsolePhrases["signIn"] = {
  title: "Accesso",
  email: "Indirizzo e-mail",
  password: "Password",
  submit: "Accedi",
  wrong: "L’indirizzo e-mail o la password non sono corretti, oppure la password è temporaneamente bloccata.",
  passkey: "Accedi con una passkey",
  passkeyFailed: "La passkey non ha funzionato. Riprovare o usare la password.",
  provider: (name) => `Accedi con ${name}`,
  providerFailed: {
    title: "Accesso non riuscito",
    text: "Il provider non ha confermato l’identità, oppure nessuno con questo indirizzo e-mail è stato aggiunto alla console.",
  },
  none: "Nessun account? Lo crea l’operatore del servizio, sulla sua macchina.",
  link: {
    title: (name) => `Salve, ${name}`,
    text: "Creare una passkey o scegliere una password. Questo link funziona una sola volta.",
    passkey: "Crea una passkey",
    password: "Oppure una password",
    newPassword: "Nuova password",
    repeat: "Ripeti la nuova password",
    hint: (min) => `Almeno ${min} caratteri. Alcune parole di seguito vanno bene.`,
    submit: "Imposta la password e accedi",
    errors: {
      short: (min) => `Usare almeno ${min} caratteri.`,
      long: (max) => `Usare al massimo ${max} caratteri.`,
      different: "Le due password non coincidono.",
    },
    gone: {
      title: "Questo link non è più valido",
      text: "È già stato usato oppure ha più di un giorno. Chiederne uno nuovo.",
    },
  },
};
