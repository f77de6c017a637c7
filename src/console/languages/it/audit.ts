import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Registro delle attività",
  lead: "Che cosa è stato fatto nella console e dalla riga di comando, a partire dal più recente. Qui non si può modificare nulla.",
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
