import type { ConsolePhrases } from "../../language.ts";

export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Bienvenue, ${name}`,
  about:
    "Le service lit les tickets, les repas et les aliments, note chaque article selon la santé et le climat, et " +
    "attribue des points. Ici, vous voyez ce qui a été enregistré et décidez de ce qui demande un regard humain.",
  title: "Vos applications",
  none: "Vous n’avez encore accès à aucune application. Demandez un rôle à l’exploitant du service.",
  noneAtAll: "Il n’y a pas encore d’application. Créez-en une sur la machine du service\u00a0:",
  figures: {
    held: "À vérifier",
    disputed: "Contestés",
    receipts: "Tickets depuis hier",
    failed: "Échecs depuis hier",
    endpoints: "Endpoints en panne",
    unknown: "Les chiffres ne sont pas connus pour le moment.",
    many: "Les chiffres ne sont affichés que pour les premières applications\u202f; voir ceux des autres dans leur vue d’ensemble.",
  },
  state: {
    title: "Le service",
    ready: { label: "Base de données et traitement", yes: "prêt", no: "pas prêt" },
    receipts: "Tickets en attente",
    intakes: "Repas et aliments en attente",
    pending: "Webhooks en attente",
    failed: "Webhooks en échec",
    endpoints: "Endpoints en panne",
    ledger: "Écritures",
    oldest: (minutes) => `le plus ancien depuis ${minutes} min`,
    late: (minutes) => `retard de ${minutes} min`,
    verified: (at) => `les soldes correspondent, ${at}`,
    differences: (count, at) => `écarts\u00a0: ${count}, ${at}`,
    never: "pas encore vérifié\u202f; c’est fait chaque jour",
  },
  next: {
    title: "Pour continuer",
    review: (application) => `Vérifier les tickets en attente de ${application}`,
    team: "Qui peut utiliser la console",
    audit: "Ce qui y a été fait",
    reference: "Comment appeler l’API",
    problems: "Ce que signifient les erreurs de l’API",
  },
};
