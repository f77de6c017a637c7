import type { ConsolePhrases } from "../../language.ts";

export const audit: ConsolePhrases["audit"] = {
  title: "Auditoria",
  lead: "O que foi alterado no painel, na linha de comandos e com segredos de cliente, do mais recente para o mais antigo. Nada pode ser alterado aqui.",
  columns: {
    at: "Data",
    who: "Quem",
    application: "Aplicação",
    action: "Ação",
    subject: "Objeto",
    status: "Resultado",
  },
  commandLine: "linha de comandos",
  removed: "já não existe",
  noApplication: "nenhuma",
  outcomes: { done: "concluída", refused: "recusada", failed: "falhou", interrupted: "interrompida" },
  none: "Ainda nada foi feito.",
  filter: { application: "Aplicação", any: "Todas" },
};
