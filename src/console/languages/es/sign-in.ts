import type { ConsolePhrases } from "../../language.ts";

export const signIn: ConsolePhrases["signIn"] = {
  title: "Iniciar sesión",
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  wrong: "El correo electrónico o la contraseña no son correctos, o la contraseña está bloqueada temporalmente.",
  passkey: "Iniciar sesión con una llave de acceso",
  passkeyFailed: "La llave de acceso no ha funcionado. Inténtelo de nuevo o use la contraseña.",
  provider: (name) => `Iniciar sesión con ${name}`,
  providerFailed: {
    title: "No se ha iniciado la sesión",
    text: "El proveedor no ha confirmado su identidad, o no se ha añadido a la consola a nadie con su correo electrónico.",
  },
  none: "¿Aún no tiene cuenta? El operador del servicio la crea en su máquina.",
  link: {
    title: (name) => `Hola, ${name}`,
    text: "Cree una llave de acceso o elija una contraseña. Este enlace solo funciona una vez.",
    passkey: "Crear una llave de acceso",
    password: "O una contraseña",
    newPassword: "Contraseña nueva",
    repeat: "Repita la contraseña nueva",
    hint: (min) => `${min} caracteres como mínimo. Varias palabras seguidas son una buena opción.`,
    submit: "Guardar la contraseña e iniciar sesión",
    errors: {
      short: (min) => `Use ${min} caracteres como mínimo.`,
      long: (max) => `Use ${max} caracteres como máximo.`,
      different: "Las dos contraseñas no coinciden.",
    },
    gone: {
      title: "Este enlace ya no funciona",
      text: "Ya se ha usado o tiene más de un día. Pida uno nuevo.",
    },
  },
};
