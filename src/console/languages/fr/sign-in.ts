import type { ConsolePhrases } from "../../language.ts";

export const signIn: ConsolePhrases["signIn"] = {
  title: "Se connecter",
  email: "Adresse e-mail",
  password: "Mot de passe",
  submit: "Se connecter",
  wrong: "L’adresse e-mail ou le mot de passe est incorrect, ou le mot de passe est bloqué pour un moment.",
  passkey: "Se connecter avec une clé d’accès",
  passkeyFailed: "La clé d’accès n’a pas fonctionné. Réessayez, ou utilisez le mot de passe.",
  provider: (name) => `Se connecter avec ${name}`,
  providerFailed: {
    title: "Vous n’êtes pas connecté",
    text: "Le fournisseur ne vous a pas confirmé, ou personne avec votre adresse e-mail n’a été ajouté à la console.",
  },
  none: "Pas encore de compte\u202f? L’exploitant du service le crée sur la machine du service.",
  link: {
    title: (name) => `Bienvenue, ${name}`,
    text: "Créez une clé d’accès ou choisissez un mot de passe. Ce lien ne fonctionne qu’une fois.",
    passkey: "Créer une clé d’accès",
    password: "Ou un mot de passe",
    newPassword: "Nouveau mot de passe",
    repeat: "Confirmer le nouveau mot de passe",
    hint: (min) => `Au moins ${min} caractères. Quelques mots à la suite conviennent bien.`,
    submit: "Définir le mot de passe et se connecter",
    errors: {
      short: (min) => `Utilisez au moins ${min} caractères.`,
      long: (max) => `Utilisez au plus ${max} caractères.`,
      different: "Les deux mots de passe sont différents.",
    },
    gone: {
      title: "Ce lien ne fonctionne plus",
      text: "Il a déjà servi, ou date de plus d’un jour. Demandez-en un nouveau.",
    },
  },
};
