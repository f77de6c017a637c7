import type { ConsolePhrases } from "../../language.ts";

/** The words of the audit log. */
export const audit: ConsolePhrases["audit"] = {
  title: "Auditlogboek",
  lead: "Wat er in de console, op de opdrachtregel en met client secrets is gewijzigd, het nieuwste eerst. Hier kan niets worden gewijzigd.",
  columns: {
    at: "Wanneer",
    who: "Wie",
    application: "Applicatie",
    action: "Handeling",
    subject: "Betreft",
    status: "Resultaat",
  },
  commandLine: "opdrachtregel",
  removed: "verwijderd",
  noApplication: "geen",
  outcomes: { done: "uitgevoerd", refused: "geweigerd", failed: "mislukt", interrupted: "afgebroken" },
  none: "Er is nog niets gedaan.",
  filter: { application: "Applicatie", any: "Alle" },
};
