import type { ConsolePhrases } from "../../language.ts";

/** The words of signing in. */
export const signIn: ConsolePhrases["signIn"] = {
  title: "Logowanie",
  email: "Adres e-mail",
  password: "Hasło",
  submit: "Zaloguj się",
  wrong: "Adres e-mail lub hasło są nieprawidłowe albo hasło jest czasowo zablokowane.",
  passkey: "Zaloguj się kluczem dostępu",
  passkeyFailed: "Klucz dostępu nie zadziałał. Spróbuj ponownie lub użyj hasła.",
  provider: (name) => `Zaloguj się przez ${name}`,
  providerFailed: {
    title: "Logowanie nie powiodło się",
    text: "Dostawca nie potwierdził tożsamości albo nikogo z tym adresem e-mail nie dodano do konsoli.",
  },
  none: "Nie masz jeszcze konta? Tworzy je operator usługi na jej serwerze.",
  link: {
    title: (name) => `Witamy, ${name}`,
    text: "Utwórz klucz dostępu lub ustaw hasło. Ten link działa tylko raz.",
    passkey: "Utwórz klucz dostępu",
    password: "Albo hasło",
    newPassword: "Nowe hasło",
    repeat: "Powtórz nowe hasło",
    hint: (min) => `Co najmniej ${min} znaków. Dobrze sprawdza się kilka słów z rzędu.`,
    submit: "Ustaw hasło i zaloguj się",
    errors: {
      short: (min) => `Użyj co najmniej ${min} znaków.`,
      long: (max) => `Użyj najwyżej ${max} znaków.`,
      different: "Podane hasła różnią się od siebie.",
    },
    gone: {
      title: "Ten link już nie działa",
      text: "Został użyty lub ma więcej niż jeden dzień. Poproś o nowy.",
    },
  },
};
