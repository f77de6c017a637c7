import type { Phrases } from "../phrases.ts";

export const de: Phrases = {
  tag: "de",
  name: "Deutsch",
  direction: "ltr",
  locale: "de-DE",
  languages: "Sprache",
  points: { one: "{n} Punkt", other: "{n} Punkte" },

  enrolment: {
    title: (app) => `Mit ${app} Punkte sammeln?`,
    yourData: "Über Sie",
    fields: {
      name: "Name",
      email: "E-Mail",
      country: "Land",
      city: "Ort",
      postalCode: "Postleitzahl",
      imageUrl: "Bild",
    },
    correct: (app) => `Stimmt etwas nicht? Ändern Sie es in ${app}, bevor Sie mitmachen.`,
    accept: "Zustimmen und mitmachen",
    decline: "Ablehnen",
    undecided: "Bitte wählen Sie eine der beiden Möglichkeiten.",
    accepted: { title: "Sie sind dabei", text: "Sie können diese Seite schließen." },
    declined: {
      title: "Sie machen nicht mit",
      text: "Über Sie wurde nichts gespeichert. Sie können diese Seite schließen.",
    },
  },

  consent: {
    version: "consent/2",
    intro: (app) => `${app} gibt Ihnen Punkte für Lebensmittel, die besser für Sie und für das Klima sind.`,
    sharedTitle: "Was geteilt wird",
    shared: [
      "Was unten über Sie angezeigt wird.",
      "Die Kassenzettel, die Sie einreichen, und die Mahlzeiten, die Sie eintragen: Geschäft, Datum, Artikel und Beträge.",
    ],
    purposeTitle: "Wofür",
    purposes: (app) => [
      "Um jeden Artikel nach Gesundheit und Klima zu bewerten und Ihnen Punkte zu geben.",
      `Um ${app} Ihre Artikel, deren Bewertung und Ihre Punkte mitzuteilen.`,
      "Um zu bemerken, wenn ein Kassenzettel zweimal eingereicht wird.",
    ],
    choiceTitle: "Ihre Entscheidung",
    choice: (app) =>
      `Sie entscheiden, ob Sie mitmachen. Sie können ${app} jederzeit bitten, es zu beenden, Ihnen Ihre Daten zu zeigen oder sie zu löschen.`,
  },

  receipt: {
    title: "Kassenzettel einreichen",
    hint: "Legen Sie ihn flach hin, bei gutem Licht, und nehmen Sie ihn ganz auf: vom Namen des Geschäfts bis zur Summe.",
    photo: "Foto des Kassenzettels",
    formats: "JPEG oder PNG, höchstens {size}",
    takePhoto: "Foto aufnehmen",
    choosePicture: "Bild auswählen",
    preparing: "Einen Moment …",
    preview: "Ihr Foto des Kassenzettels",
    rotate: "Drehen",
    another: "Anderes Foto",
    send: "Kassenzettel senden",
    sending: "Ihr Foto wird gesendet",
    checking: "Gesendet. Einen Moment …",
    lost: "Keine Verbindung. Ihr Foto ist noch da und wird gesendet, sobald Sie wieder online sind.",
    tryNow: "Jetzt versuchen",
    details: {
      title: "Geschäft oder Summe schwer lesbar?",
      hint: "Nur, wenn das Foto es nicht deutlich zeigt. Beides darf leer bleiben.",
      merchantName: "Name des Geschäfts",
      amount: "Bezahlte Summe",
    },
    advice: {
      dark: "Das Foto ist recht dunkel. Mehr Licht hilft.",
      blurred:
        "Die Schrift wirkt unscharf. Halten Sie das Telefon ruhig und tippen Sie zum Scharfstellen auf den Zettel.",
      small: "Das Foto ist klein. Ein größeres wird besser gelesen.",
      cut: "Die Schrift reicht über den Rand. Ist der ganze Zettel im Bild?",
    },
    errors: {
      missing: "Bitte nehmen Sie zuerst ein Foto auf oder wählen Sie eines aus.",
      not_an_image: "Diese Datei ist kein Foto, das wir lesen können. Bitte verwenden Sie ein JPEG- oder PNG-Bild.",
      too_large: "Dieses Foto ist zu groß. Es darf {size} und {megapixels} Megapixel haben.",
      unreadable: "Das Foto kam nicht vollständig an. Bitte senden Sie es noch einmal.",
      refused:
        "Mit den Angaben der App kann dieser Kassenzettel nicht angenommen werden. Bitte gehen Sie zurück zur App und beginnen Sie neu.",
      merchantName: "Bitte verwenden Sie höchstens 255 Zeichen.",
      amount: "Bitte geben Sie einen Betrag wie 12,50 ein.",
    },
  },

  progress: {
    title: {
      running: "Ihr Kassenzettel wird gelesen",
      held: "Ihr Kassenzettel wird geprüft",
      Completed: "Vielen Dank!",
      Failed: "Diesmal keine Punkte",
    },
    wait: "Ihr Foto ist angekommen. Es dauert ein paar Sekunden; Sie müssen nicht hier warten.",
    held: (app) => `Jemand bei ${app} sieht ihn sich an, bevor es Punkte gibt. Sie müssen nicht hier warten.`,
    stages: {
      Uploaded: "Foto empfangen",
      Extracted: "Kassenzettel lesen",
      Enriched: "Lebensmittel erkennen",
      Validated: "Kassenzettel prüfen",
      Scored: "Punkte zählen",
    },
    done: "erledigt",
    lookAgain: "Ergebnis anzeigen",
    merchant: "Geschäft",
    date: "Datum",
    total: "Summe",
    items: "Was wir gefunden haben",
    health: "Gesundheit",
    climate: "Klima",
    gradesMean: "Die Noten gehen von A (am besten) bis E.",
    withoutPoints: "Ohne Punkte",
    noPoints: "Auf diesem Kassenzettel gibt nichts Punkte.",
    changed: "Dieser Kassenzettel wurde noch einmal geprüft. Das sind jetzt seine Punkte.",
    failures: {
      MERCHANT_NAME_NOT_FOUND: {
        title: "Wir konnten nicht erkennen, aus welchem Geschäft er ist",
        text: "Bitte beginnen Sie neu mit einem Foto, das den oberen Teil des Kassenzettels deutlich zeigt.",
      },
      NO_VALID_FOOD_ITEMS: {
        title: "Wir haben auf diesem Kassenzettel keine Lebensmittel gefunden",
        text: "Punkte gibt es nur für Essen und Trinken. Steht es auf dem Zettel? Dann versuchen Sie es mit einem schärferen Foto.",
      },
      NOT_AUTHENTIC: {
        title: "Wir konnten diesen Kassenzettel nicht bestätigen",
        text: "Bitte reichen Sie ein Foto Ihres eigenen Kassenzettels ein, ganz und unverändert.",
      },
      ALREADY_EXISTS: {
        title: "Dieser Kassenzettel wurde schon eingereicht",
        text: "Jeder zählt einmal; es bleibt nichts zu tun.",
      },
      INTERNAL_ERROR: {
        title: "Bei uns ist etwas schiefgegangen",
        text: "An Ihrem Foto liegt es nicht. Bitte beginnen Sie etwas später neu.",
      },
    },
    back: (app) => `Zurück zu ${app}`,
    leaving: (app) => `Gleich geht es zurück zu ${app}.`,
    stay: "Auf dieser Seite bleiben",
    close: "Sie können diese Seite schließen.",
  },

  dispute: {
    open: "Stimmt etwas nicht?",
    title: "Was stimmt nicht?",
    hint: (app) =>
      `Wählen Sie, was nicht zu Ihrem Kassenzettel passt. ${app} prüft es; bis dahin bleiben Ihre Punkte, wie sie sind.`,
    items: "Artikel",
    notRead: "nicht erkannt",
    missing: "Ein Artikel fehlt",
    reported: "Gemeldet",
    full: (app) => `Zu diesem Kassenzettel kann nichts mehr gemeldet werden. Bitte wenden Sie sich an ${app}.`,
    reports: "Das haben Sie gemeldet",
    thanks: (app) => `Danke. ${app} prüft es.`,
    states: { open: "Noch nicht geprüft", accepted: "Korrigiert", rejected: "Geprüft, nicht geändert" },
    ask: {
      line: "Was stimmt an diesem Artikel nicht?",
      missing_line: "Welcher Artikel fehlt?",
      wrong_merchant: "Aus welchem Geschäft ist er?",
      wrong_date: "Wann haben Sie eingekauft?",
      wrong_total: "Wie viel haben Sie bezahlt?",
    },
    kinds: {
      wrong_name: "Der Name ist falsch",
      wrong_quantity: "Die Menge ist falsch",
      wrong_price: "Der Preis ist falsch",
      not_food: "Es ist kein Lebensmittel oder Getränk",
      not_mine: "Das habe ich nicht gekauft",
      missing_line: "Fehlender Artikel",
      wrong_merchant: "Falsches Geschäft",
      wrong_date: "Falsches Datum",
      wrong_total: "Falsche Summe",
    },
    expected: "Was ist richtig? (freiwillig)",
    missingName: "Name des Artikels",
    price: "Sein Preis (freiwillig)",
    note: "Noch etwas? (freiwillig)",
    send: "Melden",
    cancel: "Etwas anderes wählen",
    back: "Zurück zum Kassenzettel",
    errors: {
      kind: "Bitte wählen Sie, was nicht stimmt.",
      name: "Bitte geben Sie den Namen des Artikels ein.",
      number: "Bitte geben Sie eine Zahl ein, zum Beispiel 2 oder 0,5.",
      date: "Bitte geben Sie einen Tag ein, der nicht in der Zukunft ist.",
    },
  },

  problem: {
    sessionNotFound: {
      title: "Dieser Link gilt nicht mehr",
      text: "Er wurde schon benutzt, seine Zeit ist abgelaufen, es gab zu viele Versuche, oder er ist unvollständig. Bitte gehen Sie zurück zur App und beginnen Sie neu.",
    },
    unavailable: {
      title: "Bitte versuchen Sie es gleich noch einmal",
      text: "Der Dienst ist ausgelastet oder startet gerade. Es ging nichts verloren.",
    },
    other: {
      title: "Das hat nicht geklappt",
      text: "Etwas ist schiefgegangen. Bitte gehen Sie zurück zur App und beginnen Sie neu.",
    },
  },
};
