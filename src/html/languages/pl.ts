import type { Phrases } from "../phrases.ts";

// A name is declined in Polish: "aplikacja" before it takes the ending, so that any name stays as it is.
export const pl: Phrases = {
  tag: "pl",
  name: "Polski",
  direction: "ltr",
  locale: "pl-PL",
  languages: "Język",
  points: { one: "{n} punkt", few: "{n} punkty", many: "{n} punktów", other: "{n} punktu" },

  enrolment: {
    title: (app) => `Chcesz dołączyć do programu nagród aplikacji ${app}?`,
    yourData: "Twoje dane",
    fields: {
      name: "Imię i nazwisko",
      email: "E-mail",
      country: "Kraj",
      city: "Miejscowość",
      postalCode: "Kod pocztowy",
      imageUrl: "Zdjęcie",
    },
    correct: (app) => `Coś się nie zgadza? Zmień to w aplikacji ${app}, zanim dołączysz.`,
    accept: "Zgadzam się i dołączam",
    decline: "Nie zgadzam się",
    undecided: "Wybierz jedną z dwóch możliwości.",
    accepted: { title: "Bierzesz udział", text: "Możesz zamknąć tę stronę." },
    declined: {
      title: "Nie bierzesz udziału",
      text: "Nie zachowano żadnych danych o Tobie. Możesz zamknąć tę stronę.",
    },
  },

  consent: {
    version: "consent/2",
    intro: (app) => `Aplikacja ${app} daje Ci punkty za żywność, która jest lepsza dla Ciebie i dla klimatu.`,
    sharedTitle: "Co jest udostępniane",
    shared: [
      "Dane o Tobie pokazane poniżej.",
      "Paragony, które przesyłasz, i posiłki, które zapisujesz: sklep, data, produkty i kwoty.",
    ],
    purposeTitle: "W jakim celu",
    purposes: (app) => [
      "Aby ocenić każdy produkt pod kątem zdrowia i klimatu oraz przyznać Ci punkty.",
      `Aby przekazać aplikacji ${app} Twoje produkty, ich oceny i Twoje punkty.`,
      "Aby zauważyć, gdy paragon zostanie przesłany dwa razy.",
    ],
    choiceTitle: "Twój wybór",
    choice: (app) =>
      `Udział zależy od Ciebie. W każdej chwili możesz poprosić zespół aplikacji ${app} o zakończenie udziału, pokazanie Ci Twoich danych lub ich usunięcie.`,
  },

  receipt: {
    title: "Prześlij paragon",
    hint: "Połóż go płasko, w dobrym świetle, i zmieść na zdjęciu w całości: od nazwy sklepu po sumę.",
    photo: "Zdjęcie paragonu",
    formats: "JPEG lub PNG, najwyżej {size}",
    takePhoto: "Zrób zdjęcie",
    choosePicture: "Wybierz obraz",
    preparing: "Chwileczkę…",
    preview: "Twoje zdjęcie paragonu",
    rotate: "Obróć",
    another: "Inne zdjęcie",
    parts: {
      title: "Długi paragon? Dodaj kolejną część",
      hint: "Najwyżej pięć zdjęć. Na każdym niech będzie kilka wierszy z poprzedniego.",
      photo: (number) => `Zdjęcie ${number}`,
      remove: "Usuń",
    },
    send: "Prześlij paragon",
    sending: "Przesyłanie zdjęcia",
    checking: "Przesłano. Chwileczkę…",
    lost: "Brak połączenia. Twoje zdjęcie jest zachowane i zostanie przesłane, gdy tylko znów będziesz online.",
    tryNow: "Spróbuj teraz",
    details: {
      title: "Nie widać dobrze sklepu lub sumy?",
      hint: "Tylko jeśli na zdjęciu nie widać tego wyraźnie. Oba pola mogą zostać puste.",
      merchantName: "Nazwa sklepu",
      amount: "Zapłacona kwota",
    },
    advice: {
      dark: "Zdjęcie jest dość ciemne. Więcej światła pomoże.",
      blurred:
        "Tekst wygląda na nieostry. Trzymaj telefon nieruchomo i dotknij paragonu na ekranie, aby ustawić ostrość.",
      small: "Zdjęcie jest małe. Większe łatwiej odczytać.",
      cut: "Tekst wychodzi poza krawędź. Czy na zdjęciu jest cały paragon?",
    },
    errors: {
      missing: "Najpierw zrób lub wybierz zdjęcie.",
      not_an_image: "Ten plik nie jest zdjęciem, które możemy odczytać. Użyj obrazu JPEG lub PNG.",
      too_large: "To zdjęcie jest za duże. Może mieć najwyżej {size} i {megapixels} Mpx.",
      unreadable: "Zdjęcie nie dotarło w całości. Prześlij je jeszcze raz.",
      refused:
        "Z danymi przesłanymi przez aplikację nie można przyjąć tego paragonu. Wróć do aplikacji i zacznij od nowa.",
      merchantName: "Użyj najwyżej 255 znaków.",
      amount: "Wpisz kwotę, na przykład 12,50.",
    },
  },

  progress: {
    title: {
      running: "Odczytujemy Twój paragon",
      held: "Twój paragon jest sprawdzany",
      Completed: "Dziękujemy!",
      Failed: "Tym razem bez punktów",
    },
    wait: "Twoje zdjęcie dotarło. To potrwa kilka sekund; nie musisz tu czekać.",
    held: (app) => `Ktoś z zespołu aplikacji ${app} obejrzy go przed przyznaniem punktów. Nie musisz tu czekać.`,
    stages: {
      Uploaded: "Zdjęcie odebrane",
      Extracted: "Odczytywanie paragonu",
      Enriched: "Rozpoznawanie żywności",
      Validated: "Sprawdzanie paragonu",
      Scored: "Liczenie punktów",
    },
    done: "gotowe",
    lookAgain: "Pokaż wynik",
    merchant: "Sklep",
    date: "Data",
    total: "Suma",
    items: "Co udało się znaleźć",
    health: "Zdrowie",
    climate: "Klimat",
    gradesMean: "Oceny są od A (najlepsza) do E.",
    withoutPoints: "Bez punktów",
    noPoints: "Nic na tym paragonie nie daje punktów.",
    changed: "Ten paragon sprawdzono ponownie. Oto jego aktualne punkty.",
    failures: {
      MERCHANT_NAME_NOT_FOUND: {
        title: "Nie udało się odczytać, z którego sklepu jest paragon",
        text: "Zacznij od nowa ze zdjęciem, na którym dobrze widać górę paragonu.",
      },
      NO_VALID_FOOD_ITEMS: {
        title: "Nie udało się znaleźć żywności na tym paragonie",
        text: "Punkty są tylko za jedzenie i napoje. Są na paragonie? Spróbuj z ostrzejszym zdjęciem.",
      },
      NOT_AUTHENTIC: {
        title: "Nie udało się potwierdzić tego paragonu",
        text: "Prześlij zdjęcie własnego papierowego paragonu, w całości i bez zmian.",
      },
      ALREADY_EXISTS: {
        title: "Ten paragon został już przesłany",
        text: "Każdy paragon liczy się raz; nie musisz nic więcej robić.",
      },
      INTERNAL_ERROR: {
        title: "Coś poszło nie tak po naszej stronie",
        text: "To nie wina Twojego zdjęcia. Zacznij od nowa nieco później.",
      },
    },
    back: (app) => `Wróć do aplikacji ${app}`,
    leaving: (app) => `Za chwilę wrócisz do aplikacji ${app}.`,
    stay: "Zostań na tej stronie",
    close: "Możesz zamknąć tę stronę.",
  },

  dispute: {
    open: "Coś się nie zgadza?",
    title: "Co się nie zgadza?",
    hint: (app) =>
      `Wybierz, co nie zgadza się z Twoim paragonem. Zespół aplikacji ${app} to sprawdzi; do tego czasu Twoje punkty się nie zmienią.`,
    items: "Produkty",
    notRead: "nie odczytano",
    missing: "Brakuje produktu",
    reported: "Zgłoszono",
    full: (app) => `Do tego paragonu nie można już nic zgłosić. Skontaktuj się z zespołem aplikacji ${app}.`,
    reports: "Twoje zgłoszenia",
    thanks: (app) => `Dziękujemy. Zespół aplikacji ${app} to sprawdzi.`,
    states: { open: "Jeszcze nie sprawdzono", accepted: "Poprawiono", rejected: "Sprawdzono, bez zmian" },
    ask: {
      line: "Co się nie zgadza w tym produkcie?",
      missing_line: "Którego produktu brakuje?",
      wrong_merchant: "Z którego sklepu jest paragon?",
      wrong_date: "Jaka jest data zakupu?",
      wrong_total: "Ile kosztowały zakupy?",
    },
    kinds: {
      wrong_name: "Nazwa jest błędna",
      wrong_quantity: "Ilość jest błędna",
      wrong_price: "Cena jest błędna",
      not_food: "To nie jest jedzenie ani napój",
      not_mine: "To nie mój zakup",
      missing_line: "Brakujący produkt",
      wrong_merchant: "Błędny sklep",
      wrong_date: "Błędna data",
      wrong_total: "Błędna suma",
    },
    expected: "Jak powinno być? (opcjonalnie)",
    missingName: "Nazwa produktu",
    price: "Jego cena (opcjonalnie)",
    note: "Coś jeszcze? (opcjonalnie)",
    send: "Zgłoś",
    cancel: "Wybierz coś innego",
    back: "Wróć do paragonu",
    errors: {
      kind: "Wybierz, co się nie zgadza.",
      name: "Wpisz nazwę produktu.",
      number: "Wpisz liczbę, na przykład 2 lub 0,5.",
      date: "Wpisz datę, która nie jest w przyszłości.",
    },
  },

  problem: {
    sessionNotFound: {
      title: "Ten link już nie działa",
      text: "Został już użyty, jego czas minął, było zbyt wiele prób albo jest niekompletny. Wróć do aplikacji i zacznij od nowa.",
    },
    unavailable: {
      title: "Spróbuj ponownie za chwilę",
      text: "Usługa jest zajęta lub właśnie się uruchamia. Nic nie zginęło.",
    },
    other: { title: "To się nie udało", text: "Coś poszło nie tak. Wróć do aplikacji i zacznij od nowa." },
  },
};
