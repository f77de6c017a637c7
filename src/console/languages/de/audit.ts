import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Audit-Log",
  lead: "Was in der Konsole, auf der Kommandozeile und mit Client-Secrets geändert wurde, das Neueste zuerst. Hier lässt sich nichts ändern.",
  columns: {
    at: "Zeitpunkt",
    who: "Wer",
    application: "Anwendung",
    action: "Aktion",
    subject: "Objekt",
    status: "Ergebnis",
  },
  commandLine: "Kommandozeile",
  removed: "entfernt",
  noApplication: "keine",
  outcomes: { done: "ausgeführt", refused: "abgelehnt", failed: "fehlgeschlagen", interrupted: "abgebrochen" },
  none: "Bisher wurde nichts protokolliert.",
  filter: { application: "Anwendung", any: "Alle" },
};
