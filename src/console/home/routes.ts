import { sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { homePage } from "./page.ts";

/** Adds the first page after signing in: the applications. */
export function homeRoutes(scope: Server): void {
  scope.get("/console", { config: { console: "signed-in" } }, async (request, reply) =>
    sendPage(reply, 200, homePage(request.console.view)),
  );
}
