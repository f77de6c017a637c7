import type { Static } from "typebox";
import type { Application } from "../../applications/application.ts";
import { findApplication } from "../../applications/store.ts";
import { sendPage } from "../../html/page.ts";
import { callAs } from "../../http/call-as.ts";
import type { Server } from "../../http/server.ts";
import { readGauges } from "../../metrics/store.ts";
import type { Database } from "../../postgres/postgres.ts";
import type { Report } from "../../reports/schema.ts";
import type { Row } from "../../reports/report.ts";
import { listApplicationsFor } from "../applications.store.ts";
import { pageNumberIn, queryOf, textIn } from "../form.ts";
import { rightsIn } from "../roles.ts";
import { homePage } from "./page.ts";
import { applicationState, gaugesOf } from "./state.ts";
import type { ApplicationState } from "./state.ts";

export interface HomeDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Applications whose figures are on the page: three short reports each. */
const WITH_FIGURES_MAX = 8;
const AT_ONCE = 4;

/** Adds the first page after signing in: the state of the service, the applications, and where to go next. */
export function homeRoutes(scope: Server, { database, now }: HomeDeps): void {
  const report = async (application: Application, name: string, requestId: string): Promise<readonly Row[]> => {
    const query = { timeframe: "1d" };
    const response = await callAs(scope, application, { method: "GET", path: `/reports/${name}`, query }, requestId);
    if (response.status !== 200) throw new Error(`the report ${name} responded with ${response.status}`);
    return (response.body as Static<typeof Report>).rows;
  };
  const stateOf = async (id: string, requestId: string): Promise<ApplicationState | null> => {
    const application = await findApplication(database, id);
    if (!application) return null;
    const review = await report(application, "review", requestId);
    const webhooks = await report(application, "webhooks", requestId);
    return applicationState({ review, webhooks, submissions: await report(application, "submissions", requestId) });
  };

  scope.get("/console", { config: { console: "signed-in" } }, async (request, reply) => {
    const { view } = request.console;
    const ready = await scope.inject("/health/ready");
    const mayOperate = rightsIn(view.user.grants, null).has("operate");
    const gauges = mayOperate ? gaugesOf(await readGauges(database, now())) : null;
    const query = queryOf(request);
    const place = { searched: textIn(query, "q", 255), page: pageNumberIn(query) };
    const listed = await listApplicationsFor(database, view.user.grants, place);
    const states = new Map<string, ApplicationState | null>();
    const read = listed.shown.slice(0, WITH_FIGURES_MAX);
    for (let i = 0; i < read.length; i += AT_ONCE) {
      await Promise.all(
        read.slice(i, i + AT_ONCE).map(async ({ id }) => {
          // A page without the figures of one application is better than none.
          const state = await stateOf(id, request.id).catch((error: unknown) => {
            request.log.error({ err: error }, "figures of an application cannot be read");
            return null;
          });
          states.set(id, state);
        }),
      );
    }
    const service = { isReady: ready.statusCode === 200, gauges };
    return sendPage(reply, 200, homePage(view, { service, listed, place, states }));
  });
}
