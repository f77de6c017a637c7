import type { Phrases } from "../phrases.ts";

export const es: Phrases = {
  tag: "es",
  name: "Español",
  direction: "ltr",
  locale: "es-ES",
  languages: "Idioma",
  points: { one: "{n} punto", many: "{n} de puntos", other: "{n} puntos" },

  enrolment: {
    title: (app) => `¿Quieres participar en las recompensas de ${app}?`,
    yourData: "Sobre ti",
    fields: {
      name: "Nombre",
      email: "Correo electrónico",
      country: "País",
      city: "Ciudad",
      postalCode: "Código postal",
      imageUrl: "Imagen",
    },
    correct: (app) => `¿Hay algo que no es correcto? Cámbialo en ${app} antes de aceptar.`,
    accept: "Aceptar y participar",
    decline: "Rechazar",
    undecided: "Elige una de las dos opciones.",
    accepted: { title: "Ya participas", text: "Puedes cerrar esta página." },
    declined: { title: "No participas", text: "No se ha guardado nada sobre ti. Puedes cerrar esta página." },
  },

  consent: {
    version: "consent/2",
    intro: (app) => `${app} te da puntos por alimentos mejores para ti y para el clima.`,
    sharedTitle: "Qué se comparte",
    shared: [
      "Lo que se muestra sobre ti más abajo.",
      "Los tiques que envías y las comidas que anotas: tienda, fecha, artículos e importes.",
    ],
    purposeTitle: "Para qué",
    purposes: (app) => [
      "Para valorar cada artículo según la salud y el clima, y darte puntos.",
      `Para comunicar a ${app} tus artículos, sus notas y tus puntos.`,
      "Para detectar si un tique se envía dos veces.",
    ],
    choiceTitle: "Tú decides",
    choice: (app) =>
      `Participar es voluntario. Puedes pedir a ${app} en cualquier momento que lo termine, que te muestre tus datos o que los borre.`,
  },

  receipt: {
    title: "Enviar un tique de compra",
    hint: "Ponlo plano, con buena luz, y encuádralo entero: desde el nombre de la tienda hasta el total.",
    photo: "Foto del tique",
    formats: "JPEG o PNG, {size} como máximo",
    takePhoto: "Hacer una foto",
    choosePicture: "Elegir una imagen",
    preparing: "Un momento…",
    preview: "Tu foto del tique",
    rotate: "Girar",
    another: "Otra foto",
    send: "Enviar el tique",
    sending: "Enviando tu foto",
    checking: "Enviada. Un momento…",
    lost: "Sin conexión. Tu foto se conserva y se enviará en cuanto vuelvas a tener conexión.",
    tryNow: "Probar ahora",
    details: {
      title: "¿No se lee bien la tienda o el total?",
      hint: "Solo si la foto no lo muestra con claridad. Puedes dejar ambos vacíos.",
      merchantName: "Nombre de la tienda",
      amount: "Total pagado",
    },
    advice: {
      dark: "La foto está bastante oscura. Con más luz se lee mejor.",
      blurred: "El texto parece borroso. Mantén el móvil quieto y toca el tique para enfocar.",
      small: "La foto es pequeña. Una más grande se lee mejor.",
      cut: "El texto llega hasta el borde. ¿Se ve el tique entero?",
    },
    errors: {
      missing: "Primero haz o elige una foto.",
      not_an_image: "Este archivo no es una foto que podamos leer. Usa una imagen JPEG o PNG.",
      too_large: "Esta foto es demasiado grande. Puede tener {size} y {megapixels} megapíxeles.",
      unreadable: "La foto no ha llegado entera. Vuelve a enviarla.",
      refused:
        "Este tique no se puede aceptar con los datos de la aplicación. Vuelve a la aplicación y empieza de nuevo.",
      merchantName: "Usa 255 caracteres como máximo.",
      amount: "Escribe un importe como 12,50.",
    },
  },

  progress: {
    title: { running: "Leyendo tu tique", Completed: "¡Gracias!", Failed: "Esta vez no hay puntos" },
    wait: "Tu foto ha llegado. Tarda unos segundos; no hace falta que esperes aquí.",
    stages: {
      Uploaded: "Foto recibida",
      Extracted: "Lectura del tique",
      Enriched: "Reconocimiento de los alimentos",
      Validated: "Comprobación del tique",
      Scored: "Recuento de los puntos",
    },
    done: "hecho",
    lookAgain: "Mostrar el resultado",
    merchant: "Tienda",
    date: "Fecha",
    total: "Total",
    items: "Lo que hemos encontrado",
    health: "Salud",
    climate: "Clima",
    gradesMean: "Las notas van de la A (la mejor) a la E.",
    withoutPoints: "Sin puntos",
    noPoints: "Nada de este tique da puntos.",
    failures: {
      MERCHANT_NAME_NOT_FOUND: {
        title: "No hemos podido ver de qué tienda es",
        text: "Empieza de nuevo con una foto que muestre bien la parte de arriba del tique.",
      },
      NO_VALID_FOOD_ITEMS: {
        title: "No hemos encontrado alimentos en este tique",
        text: "Solo dan puntos la comida y la bebida. ¿Aparecen en el tique? Prueba con una foto más nítida.",
      },
      NOT_AUTHENTIC: {
        title: "No hemos podido confirmar este tique",
        text: "Envía una foto de tu propio tique en papel, entero y sin cambios.",
      },
      ALREADY_EXISTS: {
        title: "Este tique ya se había enviado",
        text: "Cada tique cuenta una vez; no tienes que hacer nada más.",
      },
      INTERNAL_ERROR: {
        title: "Algo ha fallado por nuestra parte",
        text: "No es por tu foto. Empieza de nuevo un poco más tarde.",
      },
    },
    back: (app) => `Volver a ${app}`,
    leaving: (app) => `En un momento volverás a ${app}.`,
    stay: "Quedarme en esta página",
    close: "Puedes cerrar esta página.",
  },

  problem: {
    sessionNotFound: {
      title: "Este enlace ya no funciona",
      text: "Ya se ha usado, se ha acabado su tiempo, hubo demasiados intentos o no está completo. Vuelve a la aplicación y empieza de nuevo.",
    },
    unavailable: {
      title: "Inténtalo de nuevo en un momento",
      text: "El servicio está ocupado o arrancando. No se ha perdido nada.",
    },
    other: { title: "No ha funcionado", text: "Algo ha fallado. Vuelve a la aplicación y empieza de nuevo." },
  },
};
