import type { ConsolePhrases } from "../../language.ts";

/** The words of a person's own account. */
export const account: ConsolePhrases["account"] = {
  title: "Twoje konto",
  passkeys: {
    title: "Klucze dostępu",
    hint: "Loguj się telefonem, komputerem lub kluczem bezpieczeństwa, bez hasła.",
    none: "Nie masz jeszcze klucza dostępu.",
    added: (at) => `Dodano ${at}`,
    used: (at) => `ostatnio użyto ${at}`,
    neverUsed: "jeszcze nie użyto",
    add: "Dodaj klucz dostępu",
    remove: "Usuń",
    removeOf: (at) => `Usuń klucz dostępu dodany ${at}`,
    unavailable:
      "Ta przeglądarka lub adres tej konsoli nie obsługuje kluczy dostępu: potrzebne są nazwa hosta i https.",
    failed: "Klucz dostępu nie został dodany. Spróbuj ponownie.",
  },
  password: {
    title: "Hasło",
    current: "Obecne hasło",
    newPassword: "Nowe hasło",
    repeat: "Powtórz nowe hasło",
    submit: "Zmień hasło",
    wrong: "Obecne hasło jest nieprawidłowe lub czasowo zablokowane.",
    noneYet: "Nie masz hasła. Poproś operatora o link, aby je ustawić.",
  },
  sessions: {
    title: "Sesje",
    hint: "Wylogowuje na wszystkich urządzeniach, także na tym.",
    submit: "Wyloguj wszędzie",
  },
  done: {
    passkeyAdded: "Dodano klucz dostępu.",
    passkeyRemoved: "Usunięto klucz dostępu.",
    passwordChanged: "Zmieniono hasło. Inne urządzenia zostały wylogowane.",
  },
};
