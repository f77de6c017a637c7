import type { ConsolePhrases } from "../../language.ts";

export const signIn: ConsolePhrases["signIn"] = {
  title: "Iniciar sessão",
  email: "E-mail",
  password: "Palavra-passe",
  submit: "Iniciar sessão",
  wrong: "O e-mail ou a palavra-passe não estão corretos, ou a palavra-passe está temporariamente bloqueada.",
  passkey: "Iniciar sessão com uma chave de acesso",
  passkeyFailed: "A chave de acesso não funcionou. Tente de novo ou use a palavra-passe.",
  provider: (name) => `Iniciar sessão com ${name}`,
  providerFailed: {
    title: "A sessão não foi iniciada",
    text: "O fornecedor não confirmou a sua identidade, ou ninguém com o seu e-mail foi adicionado ao painel.",
  },
  none: "Ainda não tem conta? O operador do serviço cria-a na sua máquina.",
  link: {
    title: (name) => `Olá, ${name}`,
    text: "Crie uma chave de acesso ou escolha uma palavra-passe. Este link funciona uma só vez.",
    passkey: "Criar uma chave de acesso",
    password: "Ou uma palavra-passe",
    newPassword: "Nova palavra-passe",
    repeat: "Repita a nova palavra-passe",
    hint: (min) => `Pelo menos ${min} caracteres. Várias palavras seguidas são uma boa escolha.`,
    submit: "Guardar a palavra-passe e iniciar sessão",
    errors: {
      short: (min) => `Use pelo menos ${min} caracteres.`,
      long: (max) => `Use no máximo ${max} caracteres.`,
      different: "As duas palavras-passe não coincidem.",
    },
    gone: {
      title: "Este link já não funciona",
      text: "Já foi usado ou tem mais de um dia. Peça um novo.",
    },
  },
};
