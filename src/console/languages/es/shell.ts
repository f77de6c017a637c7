import type { ConsolePhrases } from "../../language.ts";

export const shell: ConsolePhrases["shell"] = {
  product: "Rewards",
  skip: "Ir al contenido",
  menu: "Menú",
  applications: "Aplicación",
  sandbox: "Pruebas",
  sandboxHint: "Entorno de pruebas (sandbox): aquí nada vale dinero real.",
  suspended: "Suspendida",
  account: "Su cuenta",
  signOut: "Salir",
  signedInAs: (name) => `Sesión iniciada como ${name}`,
  language: "Idioma",
  sections: {
    overview: "Resumen",
    receipts: "Tiques",
    review: "Revisión",
    names: "Sin reconocer",
    people: "Usuarios",
    programme: "Programa",
    rewards: "Recompensas",
    developers: "Desarrolladores",
    team: "Equipo",
    audit: "Auditoría",
  },
  actions: {
    apply: "Aplicar",
    cancel: "Cancelar",
    save: "Guardar",
    search: "Buscar",
    newer: "Más recientes",
    older: "Más antiguos",
    next: "Siguiente",
    previous: "Anterior",
    back: "Volver",
  },
  problems: {
    notFound: { title: "Aquí no hay nada", text: "La página no existe o no tiene permiso para verla." },
    forbidden: {
      title: "No tiene permiso para hacer eso",
      text: "Su rol no lo permite. Consulte al operador del servicio.",
    },
    form: {
      title: "El formulario ha caducado",
      text: "No se ha modificado nada. Vuelva a abrir la página y repita la operación.",
    },
    busy: {
      title: "Demasiadas peticiones a la vez",
      text: "No se ha modificado nada. Inténtelo de nuevo dentro de unos segundos.",
    },
    other: { title: "No ha funcionado", text: "Algo ha fallado por nuestra parte. Inténtelo de nuevo." },
  },
};
