import type { ConsolePhrases } from "../../language.ts";

/** The words of the audit log. */
export const audit: ConsolePhrases["audit"] = {
  title: "Dziennik zdarzeń",
  lead: "Co zmieniono w konsoli, w wierszu poleceń i za pomocą sekretów, od najnowszych. Niczego nie można tu zmienić.",
  columns: {
    at: "Kiedy",
    who: "Kto",
    application: "Aplikacja",
    action: "Czynność",
    subject: "Czego dotyczy",
    status: "Wynik",
  },
  commandLine: "wiersz poleceń",
  removed: "usunięto",
  noApplication: "brak",
  outcomes: { done: "wykonano", refused: "odrzucono", failed: "błąd", interrupted: "przerwano" },
  none: "Nic jeszcze nie zrobiono.",
  filter: { application: "Aplikacja", any: "Wszystkie" },
};
