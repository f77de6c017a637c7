import type { ConsolePhrases } from "../../language.ts";

/** The words of the first page after signing in. */
export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Witamy, ${name}`,
  about:
    "Usługa odczytuje paragony, posiłki i produkty, ocenia każdą pozycję pod kątem zdrowia i klimatu oraz księguje " +
    "za nią punkty. Tutaj widać, co zaksięgowała, i można zdecydować o tym, co pozostawiła ludziom.",
  title: "Twoje aplikacje",
  none: "Nie masz jeszcze dostępu do żadnej aplikacji. Poproś operatora usługi o rolę.",
  noneAtAll: "Nie ma jeszcze żadnej aplikacji. Utwórz ją na serwerze usługi:",
  figures: {
    held: "Do weryfikacji",
    disputed: "Sporne",
    receipts: "Paragony od wczoraj",
    failed: "Nieudane od wczoraj",
    endpoints: "Niedziałające endpointy",
    unknown: "Dane są w tej chwili niedostępne.",
    many: "Dane pokazano tylko przy pierwszych aplikacjach; pozostałe mają je w swoim przeglądzie.",
  },
  state: {
    title: "Usługa",
    ready: { label: "Baza danych i przetwarzanie", yes: "gotowe", no: "niegotowe" },
    receipts: "Oczekujące paragony",
    intakes: "Oczekujące posiłki i produkty",
    pending: "Oczekujące webhooki",
    failed: "Nieudane webhooki",
    endpoints: "Niedziałające endpointy",
    ledger: "Księga",
    oldest: (minutes) => `najstarszy od ${minutes} min`,
    late: (minutes) => `opóźnienie ${minutes} min`,
    verified: (at) => `zgodna z zapisami, ${at}`,
    differences: (count, at) => `różnice: ${count}, ${at}`,
    never: "jeszcze nie sprawdzono; odbywa się to codziennie",
  },
  next: {
    title: "Co dalej",
    review: (application) => `Zweryfikuj paragony: ${application}`,
    team: "Kto może korzystać z konsoli",
    audit: "Co w niej zrobiono",
    reference: "Jak wywoływać API",
    problems: "Co oznaczają błędy API",
  },
};
