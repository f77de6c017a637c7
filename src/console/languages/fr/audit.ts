import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Journal d’audit",
  lead: "Ce qui a été modifié dans la console, en ligne de commande et avec les secrets client, du plus récent au plus ancien. Rien ne peut être modifié ici.",
  columns: {
    at: "Date",
    who: "Qui",
    application: "Application",
    action: "Action",
    subject: "Objet",
    status: "Résultat",
  },
  commandLine: "ligne de commande",
  removed: "supprimé",
  noApplication: "aucune",
  outcomes: { done: "effectué", refused: "refusé", failed: "échoué", interrupted: "interrompu" },
  none: "Rien n’a encore été fait.",
  filter: { application: "Application", any: "Toutes" },
};
