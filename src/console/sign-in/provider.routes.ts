import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { pathAfterSignIn } from "../token.ts";
import { findConsoleUser } from "../users.store.ts";
import type { Entrance } from "./entrance.routes.ts";
import { providerFailedPage } from "./page.ts";
import type { Provider } from "./provider.task.ts";
import { VISIT_MS, openVisit, sealVisit } from "./provider-visit.ts";

export interface ProviderDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Log;
  readonly installationKey: Uint8Array;
  readonly provider: Provider;
  readonly entrance: Entrance;
  /** The public address, without a slash at its end. */
  readonly publicUrl: string;
}

const OPEN = { config: { console: "open" } } as const;
const COOKIE = "console-provider";

/**
 * Adds signing in at another provider. Whom it confirms must have been added to the console before, by the same e-mail
 * address: a provider may know many people who have nothing to do with a programme.
 */
export function providerRoutes(scope: Server, deps: ProviderDeps): void {
  const { database, now, log, installationKey, provider, entrance, publicUrl } = deps;
  const attributes = `Path=${entrance.basePath}/console/sign-in; HttpOnly; SameSite=Lax${publicUrl.startsWith("https:") ? "; Secure" : ""}`;

  scope.get("/console/sign-in/provider", OPEN, async (request, reply) => {
    entrance.requirePatience(request);
    const { next } = request.query as Record<string, unknown>;
    const { address, ...visit } = await provider.start();
    const kept = { ...visit, next: pathAfterSignIn(next), until: now().getTime() + VISIT_MS };
    reply.header(
      "set-cookie",
      `${COOKIE}=${sealVisit(kept, installationKey)}; Max-Age=${VISIT_MS / 1_000}; ${attributes}`,
    );
    return redirectFromPage(reply, address);
  });

  scope.get("/console/sign-in/provider/callback", OPEN, async (request, reply) => {
    entrance.requirePatience(request);
    const value = new RegExp(`(?:^|; )${COOKIE}=([\\w.-]+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
    const visit = openVisit(value, installationKey, now().getTime());
    reply.header("set-cookie", `${COOKIE}=; Max-Age=0; ${attributes}`);
    const returned = new URL(publicUrl + request.url.slice(request.url.indexOf("/console/")));
    const email = visit
      ? await provider.finish(returned, visit).catch((error: unknown) => {
          log.warn({ err: error }, "the provider of the console did not confirm somebody");
          return null;
        })
      : null;
    const user = email === null ? null : await findConsoleUser(database, email);
    if (!visit || !user) {
      entrance.countFailure(request);
      return sendPage(reply, 401, providerFailedPage(entrance.frameOf(request, null)));
    }
    await entrance.enter(reply, user.id);
    return redirectFromPage(reply, `${entrance.basePath}${visit.next}`);
  });
}
