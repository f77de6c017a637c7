import type { ConsolePhrases } from "../../language.ts";

export const account: ConsolePhrases["account"] = {
  title: "Su cuenta",
  passkeys: {
    title: "Llaves de acceso",
    hint: "Inicie sesión con el móvil, el ordenador o una llave de seguridad, sin contraseña.",
    none: "Aún no tiene ninguna llave de acceso.",
    added: (at) => `Añadida el ${at}`,
    used: (at) => `usada por última vez el ${at}`,
    neverUsed: "sin usar",
    add: "Añadir una llave de acceso",
    remove: "Quitar",
    removeOf: (at) => `Quitar la llave de acceso añadida el ${at}`,
    unavailable:
      "No se pueden usar llaves de acceso en este navegador o en la dirección de esta consola: se necesita un nombre de host y https.",
    failed: "No se ha añadido la llave de acceso. Inténtelo de nuevo.",
  },
  password: {
    title: "Contraseña",
    current: "Contraseña actual",
    newPassword: "Contraseña nueva",
    repeat: "Repita la contraseña nueva",
    submit: "Cambiar la contraseña",
    wrong: "La contraseña actual no es correcta o está bloqueada temporalmente.",
    noneYet: "No tiene contraseña: pida al operador un enlace para crear una.",
  },
  sessions: {
    title: "Sesiones",
    hint: "Cierra la sesión en todos los dispositivos, también en este.",
    submit: "Cerrar todas las sesiones",
  },
  done: {
    passkeyAdded: "Se ha añadido la llave de acceso.",
    passkeyRemoved: "Se ha quitado la llave de acceso.",
    passwordChanged: "Se ha cambiado la contraseña. Se ha cerrado la sesión en los demás dispositivos.",
  },
};
