import type { ConsolePhrases } from "../../language.ts";

export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Salve, ${name}`,
  about:
    "Il servizio legge scontrini, pasti e alimenti, valuta ogni articolo per salute e clima e assegna i punti. " +
    "Qui si vede che cosa ha registrato e si decide ciò che ha lasciato a una persona.",
  title: "Le mie applicazioni",
  none: "Nessuna applicazione visibile al momento. Chiedere un ruolo all’operatore del servizio.",
  noneAtAll: "Non c’è ancora nessuna applicazione. Per crearne una, sulla macchina del servizio:",
  figures: {
    held: "In attesa di revisione",
    disputed: "Contestati",
    receipts: "Scontrini da ieri",
    failed: "Non riusciti da ieri",
    endpoints: "Endpoint in errore",
    unknown: "I dati non sono disponibili al momento.",
    many: "I dati sono mostrati solo per le prime applicazioni; quelli delle altre sono nella rispettiva panoramica.",
  },
  state: {
    title: "Il servizio",
    ready: { label: "Database ed elaborazione", yes: "in funzione", no: "non disponibili" },
    receipts: "Scontrini in attesa",
    intakes: "Pasti e alimenti in attesa",
    pending: "Webhook in attesa",
    failed: "Webhook non riusciti",
    endpoints: "Endpoint in errore",
    ledger: "Libro mastro",
    oldest: (minutes) => `attesa fino a ${minutes} min`,
    late: (minutes) => `ritardo di ${minutes} min`,
    verified: (at) => `corrisponde alle transazioni, ${at}`,
    differences: (count, at) => `differenze: ${count}, ${at}`,
    never: "non ancora verificato; la verifica è quotidiana",
  },
  next: {
    title: "Come proseguire",
    review: (application) => `Decidere sugli scontrini in sospeso di ${application}`,
    team: "Chi può usare la console",
    audit: "Che cosa è stato fatto nella console",
    reference: "Come chiamare l’API",
    problems: "Che cosa significano gli errori dell’API",
  },
};
