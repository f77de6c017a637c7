import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Registro de auditoría",
  lead: "Lo que se ha modificado en la consola, en la línea de comandos y con secretos de cliente, lo más reciente primero. Aquí no se puede modificar nada.",
  columns: {
    at: "Fecha",
    who: "Quién",
    application: "Aplicación",
    action: "Acción",
    subject: "Elemento",
    status: "Resultado",
  },
  commandLine: "línea de comandos",
  removed: "ya no existe",
  noApplication: "ninguna",
  outcomes: { done: "realizada", refused: "rechazada", failed: "fallida", interrupted: "interrumpida" },
  none: "Aún no se ha hecho nada.",
  filter: { application: "Aplicación", any: "Todas" },
};
