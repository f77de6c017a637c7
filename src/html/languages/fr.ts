import type { Phrases } from "../phrases.ts";

export const fr: Phrases = {
  tag: "fr",
  name: "Français",
  direction: "ltr",
  locale: "fr-FR",
  languages: "Langue",
  points: { one: "{n} point", many: "{n} de points", other: "{n} points" },

  enrolment: {
    title: (app) => `Profiter des récompenses de ${app} ?`,
    yourData: "Vos informations",
    fields: {
      name: "Nom",
      email: "E-mail",
      country: "Pays",
      city: "Ville",
      postalCode: "Code postal",
      imageUrl: "Photo",
    },
    correct: (app) => `Une erreur ? Corrigez-la dans ${app} avant d’accepter.`,
    accept: "Accepter et participer",
    decline: "Refuser",
    undecided: "Veuillez choisir l’un des deux.",
    accepted: { title: "Vous participez", text: "Vous pouvez fermer cette page." },
    declined: {
      title: "Vous ne participez pas",
      text: "Rien n’a été conservé à votre sujet. Vous pouvez fermer cette page.",
    },
  },

  consent: {
    version: "consent/2",
    intro: (app) => `${app} vous donne des points pour des aliments meilleurs pour vous et pour le climat.`,
    sharedTitle: "Ce qui est partagé",
    shared: [
      "Les informations à votre sujet affichées ci-dessous.",
      "Les tickets que vous envoyez et les repas que vous notez : magasin, date, articles et montants.",
    ],
    purposeTitle: "Pourquoi",
    purposes: (app) => [
      "Pour noter chaque article selon la santé et le climat, et vous donner des points.",
      `Pour communiquer à ${app} vos articles, leurs notes et vos points.`,
      "Pour repérer un ticket envoyé deux fois.",
    ],
    choiceTitle: "Votre choix",
    choice: (app) =>
      `Vous êtes libre de participer ou non. Vous pouvez à tout moment demander à ${app} d’y mettre fin, de vous montrer vos données ou de les effacer.`,
  },

  receipt: {
    title: "Envoyer un ticket de caisse",
    hint: "Posez-le à plat, sous une bonne lumière, et cadrez-le en entier : du nom du magasin jusqu’au total.",
    photo: "Photo du ticket",
    formats: "JPEG ou PNG, {size} au maximum",
    takePhoto: "Prendre une photo",
    choosePicture: "Choisir une image",
    preparing: "Un instant…",
    preview: "Votre photo du ticket",
    rotate: "Tourner",
    another: "Autre photo",
    send: "Envoyer le ticket",
    sending: "Envoi de votre photo",
    checking: "Envoyée. Un instant…",
    lost: "Pas de connexion. Votre photo est conservée et sera envoyée dès que vous serez de nouveau en ligne.",
    tryNow: "Réessayer",
    details: {
      title: "Magasin ou total difficile à lire ?",
      hint: "Seulement si la photo ne le montre pas bien. Les deux champs peuvent rester vides.",
      merchantName: "Nom du magasin",
      amount: "Total payé",
    },
    advice: {
      dark: "La photo est assez sombre. Un peu plus de lumière aiderait.",
      blurred: "Le texte semble flou. Tenez le téléphone immobile et touchez le ticket pour faire la mise au point.",
      small: "La photo est petite. Une plus grande se lit mieux.",
      cut: "Le texte dépasse du bord. Le ticket est-il entier sur l’image ?",
    },
    errors: {
      missing: "Veuillez d’abord prendre ou choisir une photo.",
      not_an_image: "Ce fichier n’est pas une photo lisible. Veuillez utiliser une image JPEG ou PNG.",
      too_large: "Cette photo est trop grande. Limites : {size} et {megapixels} mégapixels.",
      unreadable: "La photo n’est pas arrivée en entier. Veuillez l’envoyer à nouveau.",
      refused:
        "Ce ticket ne peut pas être accepté avec les informations de l’application. Veuillez y retourner et recommencer.",
      merchantName: "255 caractères au maximum.",
      amount: "Veuillez saisir un montant comme 12,50.",
    },
  },

  progress: {
    title: {
      running: "Lecture de votre ticket",
      held: "Votre ticket est en cours de vérification",
      Completed: "Merci !",
      Failed: "Pas de points cette fois",
    },
    wait: "Votre photo est arrivée. Cela prend quelques secondes ; vous n’êtes pas obligé d’attendre ici.",
    held: (app) =>
      `Une personne de ${app} va l’examiner avant de donner des points. Vous n’êtes pas obligé d’attendre ici.`,
    stages: {
      Uploaded: "Photo reçue",
      Extracted: "Lecture du ticket",
      Enriched: "Reconnaissance des aliments",
      Validated: "Vérification du ticket",
      Scored: "Calcul des points",
    },
    done: "terminé",
    lookAgain: "Afficher le résultat",
    merchant: "Magasin",
    date: "Date",
    total: "Total",
    items: "Ce que nous avons trouvé",
    health: "Santé",
    climate: "Climat",
    gradesMean: "Les notes vont de A (la meilleure) à E.",
    withoutPoints: "Sans points",
    noPoints: "Rien sur ce ticket ne rapporte de points.",
    changed: "Ce ticket a été vérifié à nouveau. Voici ses points actuels.",
    failures: {
      MERCHANT_NAME_NOT_FOUND: {
        title: "Nous n’avons pas pu voir de quel magasin il vient",
        text: "Veuillez recommencer avec une photo qui montre bien le haut du ticket.",
      },
      NO_VALID_FOOD_ITEMS: {
        title: "Nous n’avons trouvé aucun aliment sur ce ticket",
        text: "Seuls les aliments et les boissons rapportent des points. Il y en a ? Essayez avec une photo plus nette.",
      },
      NOT_AUTHENTIC: {
        title: "Nous n’avons pas pu confirmer ce ticket",
        text: "Veuillez envoyer une photo de votre propre ticket papier, entier et non modifié.",
      },
      ALREADY_EXISTS: {
        title: "Ce ticket a déjà été envoyé",
        text: "Chaque ticket compte une fois ; il n’y a rien d’autre à faire.",
      },
      INTERNAL_ERROR: {
        title: "Un problème est survenu de notre côté",
        text: "Votre photo n’y est pour rien. Veuillez recommencer un peu plus tard.",
      },
    },
    back: (app) => `Retour à ${app}`,
    leaving: (app) => `Vous allez être redirigé vers ${app}.`,
    stay: "Rester sur cette page",
    close: "Vous pouvez fermer cette page.",
  },

  dispute: {
    open: "Quelque chose ne va pas ?",
    title: "Qu’est-ce qui ne va pas ?",
    hint: (app) =>
      `Choisissez ce qui ne correspond pas à votre ticket. ${app} le vérifie ; d’ici là, vos points ne changent pas.`,
    items: "Articles",
    notRead: "non lu",
    missing: "Il manque un article",
    reported: "Signalé",
    full: (app) => `Plus rien ne peut être signalé pour ce ticket. Veuillez contacter ${app}.`,
    reports: "Vous avez signalé",
    thanks: (app) => `Merci. ${app} va le vérifier.`,
    states: { open: "Pas encore vérifié", accepted: "Corrigé", rejected: "Vérifié, non modifié" },
    ask: {
      line: "Qu’est-ce qui ne va pas avec cet article ?",
      missing_line: "Quel article manque ?",
      wrong_merchant: "De quel magasin vient-il ?",
      wrong_date: "Quand avez-vous fait cet achat ?",
      wrong_total: "Combien avez-vous payé ?",
    },
    kinds: {
      wrong_name: "Le nom est faux",
      wrong_quantity: "La quantité est fausse",
      wrong_price: "Le prix est faux",
      not_food: "Ce n’est ni un aliment ni une boisson",
      not_mine: "Je n’ai pas acheté cela",
      missing_line: "Article manquant",
      wrong_merchant: "Mauvais magasin",
      wrong_date: "Mauvaise date",
      wrong_total: "Mauvais total",
    },
    expected: "Qu’est-ce qui est juste ? (facultatif)",
    missingName: "Nom de l’article",
    price: "Son prix (facultatif)",
    note: "Autre chose ? (facultatif)",
    send: "Signaler",
    cancel: "Choisir autre chose",
    back: "Retour au ticket",
    errors: {
      kind: "Veuillez choisir ce qui ne va pas.",
      name: "Veuillez saisir le nom de l’article.",
      number: "Veuillez saisir un nombre, par exemple 2 ou 0,5.",
      date: "Veuillez saisir un jour qui n’est pas dans le futur.",
    },
  },

  problem: {
    sessionNotFound: {
      title: "Ce lien n’est plus valable",
      text: "Il a déjà servi, son délai est écoulé, il y a eu trop d’essais, ou il est incomplet. Veuillez retourner dans l’application et recommencer.",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      text: "Le service est occupé ou démarre. Rien n’a été perdu.",
    },
    other: {
      title: "Cela n’a pas fonctionné",
      text: "Un problème est survenu. Veuillez retourner dans l’application et recommencer.",
    },
  },
};
