import type { ConsolePhrases } from "../../language.ts";

export const account: ConsolePhrases["account"] = {
  title: "Votre compte",
  passkeys: {
    title: "Clés d’accès",
    hint: "Connectez-vous sans mot de passe, avec votre téléphone, votre ordinateur ou une clé de sécurité.",
    none: "Vous n’avez pas encore de clé d’accès.",
    added: (at) => `Ajoutée\u00a0: ${at}`,
    used: (at) => `dernière utilisation\u00a0: ${at}`,
    neverUsed: "jamais utilisée",
    add: "Ajouter une clé d’accès",
    remove: "Supprimer",
    removeOf: (at) => `Supprimer la clé d’accès ajoutée\u00a0: ${at}`,
    unavailable:
      "Ce navigateur ou l’adresse de cette console ne permet pas les clés d’accès\u00a0: il leur faut un nom d’hôte et https.",
    failed: "La clé d’accès n’a pas été ajoutée. Réessayez.",
  },
  password: {
    title: "Mot de passe",
    current: "Mot de passe actuel",
    newPassword: "Nouveau mot de passe",
    repeat: "Confirmer le nouveau mot de passe",
    submit: "Changer le mot de passe",
    wrong: "Le mot de passe actuel est incorrect, ou bloqué pour un moment.",
    noneYet: "Vous n’avez pas de mot de passe\u00a0: demandez à l’exploitant un lien pour en définir un.",
  },
  sessions: {
    title: "Sessions",
    hint: "Vous déconnecte de tous les appareils, y compris celui-ci.",
    submit: "Se déconnecter partout",
  },
  done: {
    passkeyAdded: "La clé d’accès a été ajoutée.",
    passkeyRemoved: "La clé d’accès a été supprimée.",
    passwordChanged: "Le mot de passe a été changé. Les autres appareils sont déconnectés.",
  },
};
