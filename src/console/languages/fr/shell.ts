import type { ConsolePhrases } from "../../language.ts";

export const shell: ConsolePhrases["shell"] = {
  product: "Rewards",
  skip: "Aller au contenu",
  menu: "Menu",
  applications: "Application",
  sandbox: "Sandbox",
  sandboxHint: "Une sandbox\u00a0: rien ici n’est de l’argent réel.",
  suspended: "Suspendue",
  closed: "Fermée",
  account: "Votre compte",
  signOut: "Se déconnecter",
  signedInAs: (name) => `Connecté en tant que ${name}`,
  language: "Langue",
  sections: {
    overview: "Vue d’ensemble",
    receipts: "Tickets",
    review: "Vérification",
    names: "Noms inconnus",
    people: "Utilisateurs",
    programme: "Programme",
    rewards: "Récompenses",
    developers: "Développeurs",
    team: "Équipe",
    audit: "Journal d’audit",
  },
  actions: {
    apply: "Appliquer",
    cancel: "Annuler",
    save: "Enregistrer",
    search: "Rechercher",
    newer: "Plus récents",
    older: "Plus anciens",
    next: "Suivant",
    previous: "Précédent",
    back: "Retour",
  },
  problems: {
    home: "Vers la page d’accueil",
    notFound: { title: "Il n’y a rien ici", text: "La page n’existe pas, ou vous n’avez pas le droit de la voir." },
    forbidden: {
      title: "Vous ne pouvez pas faire cela",
      text: "Votre rôle ne le permet pas. Adressez-vous à l’exploitant du service.",
    },
    form: {
      title: "Le formulaire n’est plus à jour",
      text: "Rien n’a été modifié. Ouvrez à nouveau la page et recommencez.",
    },
    closed: {
      title: "L’application est fermée",
      text: "Elle est en cours de déplacement vers une autre adresse ou de suppression. Rien n’a été modifié.",
    },
    moved: {
      title: "L’application a été déplacée",
      text: "Rien n’a été modifié. Elle se trouve désormais à cette adresse :",
    },
    busy: { title: "Trop de demandes à la fois", text: "Rien n’a été modifié. Réessayez dans quelques secondes." },
    other: {
      title: "Cela n’a pas fonctionné",
      text: "Une erreur s’est produite de notre côté. Réessayez.",
    },
  },
};
