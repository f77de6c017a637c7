import type { ConsolePhrases } from "../../language.ts";

export const account: ConsolePhrases["account"] = {
  title: "A sua conta",
  passkeys: {
    title: "Chaves de acesso",
    hint: "Inicie sessão com o telefone, o computador ou uma chave de segurança, sem palavra-passe.",
    none: "Ainda não tem nenhuma chave de acesso.",
    added: (at) => `Adicionada em ${at}`,
    used: (at) => `última utilização em ${at}`,
    neverUsed: "nunca utilizada",
    add: "Adicionar uma chave de acesso",
    remove: "Remover",
    removeOf: (at) => `Remover a chave de acesso adicionada em ${at}`,
    unavailable:
      "Não é possível usar chaves de acesso neste navegador ou no endereço deste painel: é preciso um nome de host e https.",
    failed: "A chave de acesso não foi adicionada. Tente de novo.",
  },
  password: {
    title: "Palavra-passe",
    current: "Palavra-passe atual",
    newPassword: "Nova palavra-passe",
    repeat: "Repita a nova palavra-passe",
    submit: "Alterar a palavra-passe",
    wrong: "A palavra-passe atual está errada ou temporariamente bloqueada.",
    noneYet: "Não tem palavra-passe: peça ao operador um link para definir uma.",
  },
  sessions: {
    title: "Sessões",
    hint: "Termina a sessão em todos os dispositivos, também neste.",
    submit: "Terminar todas as sessões",
  },
  done: {
    passkeyAdded: "A chave de acesso foi adicionada.",
    passkeyRemoved: "A chave de acesso foi removida.",
    passwordChanged: "A palavra-passe foi alterada. A sessão terminou nos outros dispositivos.",
  },
};
