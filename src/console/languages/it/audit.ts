import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Registro delle attività",
  lead: "Che cosa è stato modificato nella console, dalla riga di comando e con i segreti client, a partire dal più recente. Qui non si può modificare nulla.",
  columns: {
    at: "Data",
    who: "Chi",
    application: "Applicazione",
    action: "Azione",
    subject: "Oggetto",
    status: "Esito",
  },
  commandLine: "riga di comando",
  removed: "non più presente",
  noApplication: "nessuna",
  outcomes: { done: "eseguita", refused: "rifiutata", failed: "non riuscita", interrupted: "interrotta" },
  none: "Non è ancora stato fatto nulla.",
  filter: { application: "Applicazione", any: "Tutte" },
};
