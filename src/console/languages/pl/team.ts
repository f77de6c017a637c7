import type { ConsolePhrases } from "../../language.ts";

/** The words of the page about the people of the console. */
export const team: ConsolePhrases["team"] = {
  title: "Zespół",
  lead: "Kto może korzystać z tej konsoli i do czego.",
  columns: { person: "Osoba", roles: "Role", actions: "Działania" },
  noRole: "brak roli",
  ofAll: (role) => `${role}: wszystkie aplikacje`,
  ofOne: (role, application) => `${role}: ${application}`,
  you: "to Ty",
  roles: {
    viewer: "Obserwator",
    reviewer: "Weryfikator",
    manager: "Menedżer",
    developer: "Programista",
    operator: "Operator",
  },
  about: {
    viewer: "widzi wszystko",
    reviewer: "decyduje też o paragonach i nazwach",
    manager: "zmienia też punkty, nagrody i program",
    developer: "widzi wszystko, zmienia klucze i webhooki",
    operator: "może wszystko",
  },
  add: {
    title: "Dodaj osobę",
    email: "Adres e-mail",
    name: "Imię i nazwisko",
    role: "Rola",
    application: "Aplikacja",
    submit: "Dodaj",
  },
  all: "Wszystkie aplikacje",
  grant: { title: (name) => `Zmień: ${name}`, submit: "Nadaj tę rolę" },
  revoke: "Odbierz wszystkie role",
  revokeOf: (name) => `Odbierz wszystkie role: ${name}`,
  link: "Nowy link",
  linkOf: (name) => `Utwórz nowy link: ${name}`,
  remove: "Usuń",
  removeOf: (name) => `Usuń: ${name}`,
  newLink: {
    title: (name) => `Link dla: ${name}`,
    text: "Nie przekazuj go nikomu innemu. Działa tylko raz, do jutra, i nie zostanie pokazany ponownie.",
  },
  done: {
    granted: "Rola została nadana.",
    revoked: "Odebrano wszystkie role. Osoba została wylogowana.",
    removed: "Osoba została usunięta.",
  },
  errors: {
    email: "To nie jest adres e-mail.",
    taken: "Osoba z tym adresem e-mail jest już dodana.",
    name: "Wpisz imię i nazwisko, najwyżej 100 znaków.",
    role: "Wybierz rolę.",
    self: "Nie możesz odebrać dostępu samemu sobie: poproś innego operatora.",
  },
};
