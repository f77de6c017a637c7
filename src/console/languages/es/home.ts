import type { ConsolePhrases } from "../../language.ts";

export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Hola, ${name}`,
  about:
    "El servicio lee tiques, comidas y alimentos, valora cada artículo según la salud y el clima, y da puntos por él. " +
    "Aquí puede ver los puntos contabilizados y decidir lo que el servicio deja en manos de una persona.",
  title: "Sus aplicaciones",
  none: "Aún no puede ver ninguna aplicación. Pida un rol al operador del servicio.",
  noneAtAll: "Aún no hay ninguna aplicación. Cree una en la máquina del servicio:",
  figures: {
    held: "Retenidos para revisión",
    disputed: "Con incidencias",
    receipts: "Tiques desde ayer",
    failed: "Fallidos desde ayer",
    endpoints: "Endpoints con fallos",
    unknown: "Las cifras no están disponibles en este momento.",
    many: "Solo se muestran las cifras de las primeras aplicaciones; las demás las tienen en su resumen.",
  },
  state: {
    title: "El servicio",
    ready: { label: "Base de datos y procesos", yes: "en marcha", no: "fuera de servicio" },
    receipts: "Tiques en espera",
    intakes: "Comidas y alimentos en espera",
    pending: "Webhooks en espera",
    failed: "Webhooks fallidos",
    endpoints: "Endpoints con fallos",
    ledger: "Libro mayor",
    oldest: (minutes) => `hasta ${minutes} min de espera`,
    late: (minutes) => `con ${minutes} min de retraso`,
    verified: (at) => `cuadra con las transacciones, ${at}`,
    differences: (count, at) => `diferencias: ${count}, ${at}`,
    never: "aún sin verificar; se verifica cada día",
  },
  next: {
    title: "Siguientes pasos",
    review: (application) => `Decidir sobre los tiques retenidos de ${application}`,
    team: "Quién puede usar la consola",
    audit: "Qué se ha hecho en ella",
    reference: "Cómo llamar a la API",
    problems: "Qué significan los errores de la API",
  },
};
