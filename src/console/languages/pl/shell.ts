import type { ConsolePhrases } from "../../language.ts";

/** The words of the frame around all pages, and of the pages before it. */
export const shell: ConsolePhrases["shell"] = {
  product: "Nagrody",
  skip: "Przejdź do treści",
  menu: "Menu",
  applications: "Aplikacja",
  sandbox: "Sandbox",
  sandboxHint: "To jest sandbox: nie ma tu prawdziwych pieniędzy.",
  suspended: "Zawieszona",
  closed: "Zamknięta",
  account: "Twoje konto",
  signOut: "Wyloguj się",
  signedInAs: (name) => `Zalogowano jako ${name}`,
  language: "Język",
  sections: {
    overview: "Przegląd",
    receipts: "Paragony",
    review: "Weryfikacja",
    names: "Nierozpoznane nazwy",
    people: "Użytkownicy",
    programme: "Program",
    rewards: "Nagrody",
    developers: "Dla programistów",
    team: "Zespół",
    audit: "Dziennik zdarzeń",
  },
  actions: {
    apply: "Zastosuj",
    cancel: "Anuluj",
    save: "Zapisz",
    search: "Szukaj",
    newer: "Nowsze",
    older: "Starsze",
    next: "Następna",
    previous: "Poprzednia",
    back: "Wróć",
  },
  problems: {
    home: "Do strony głównej",
    notFound: { title: "Niczego tu nie ma", text: "Strona nie istnieje albo nie masz do niej dostępu." },
    forbidden: {
      title: "Brak uprawnień",
      text: "Twoja rola na to nie pozwala. Zwróć się do operatora usługi.",
    },
    form: {
      title: "Formularz jest nieaktualny",
      text: "Nic nie zostało zmienione. Otwórz stronę ponownie i powtórz czynność.",
    },
    closed: {
      title: "Aplikacja jest zamknięta",
      text: "Jest przenoszona pod inny adres albo usuwana. Nic nie zostało zmienione.",
    },
    moved: { title: "Aplikacja została przeniesiona", text: "Nic nie zostało zmienione. Jest teraz pod tym adresem:" },
    busy: {
      title: "Zbyt wiele naraz",
      text: "Nic nie zostało zmienione. Spróbuj ponownie za kilka sekund.",
    },
    other: { title: "To się nie udało", text: "Wystąpił błąd po naszej stronie. Spróbuj ponownie." },
  },
};
