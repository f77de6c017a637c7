import type { ConsolePhrases } from "../../language.ts";

export const home: ConsolePhrases["home"] = {
  welcome: (name) => `Olá, ${name}`,
  about:
    "O serviço lê recibos, refeições e alimentos, avalia cada produto quanto à saúde e ao clima e dá pontos por ele. " +
    "Aqui pode ver o que foi creditado e decidir o que o serviço deixou para uma pessoa decidir.",
  title: "As suas aplicações",
  none: "Ainda não pode ver nenhuma aplicação. Peça uma função ao operador do serviço.",
  noneAtAll: "Ainda não há nenhuma aplicação. Crie uma na máquina do serviço:",
  figures: {
    held: "Retidos para revisão",
    disputed: "Contestados",
    receipts: "Recibos desde ontem",
    failed: "Com falha desde ontem",
    endpoints: "Endpoints com falhas",
    unknown: "Os números não estão disponíveis neste momento.",
    many: "Só são mostrados os números das primeiras aplicações; os das outras estão na respetiva visão geral.",
  },
  state: {
    title: "O serviço",
    ready: { label: "Base de dados e processos", yes: "em funcionamento", no: "indisponíveis" },
    receipts: "Recibos em espera",
    intakes: "Refeições e alimentos em espera",
    pending: "Webhooks em espera",
    failed: "Webhooks que falharam",
    endpoints: "Endpoints com falhas",
    ledger: "Livro-razão",
    oldest: (minutes) => `até ${minutes} min de espera`,
    late: (minutes) => `com ${minutes} min de atraso`,
    verified: (at) => `confere com as transações, ${at}`,
    differences: (count, at) => `diferenças: ${count}, ${at}`,
    never: "ainda não verificado; é verificado todos os dias",
  },
  next: {
    title: "Próximos passos",
    review: (application) => `Decidir sobre os recibos retidos de ${application}`,
    team: "Quem pode usar o painel",
    audit: "O que foi feito nele",
    reference: "Como chamar a API",
    problems: "O que significam os erros da API",
  },
};
