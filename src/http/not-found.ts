import { Problem } from "../problems.ts";
import { sendProblem } from "./send-problem.ts";
import type { Server } from "./server.ts";

const NO_SUCH_PATH = "There is no operation at this path. /docs lists all operations.";

/**
 * Handles requests that match no route: 404 for an unknown path; 405 with `Allow`, or 204 for OPTIONS, where the path
 * has other methods. Collects the routes as they are added, so call it before adding any.
 *
 * A slash at the end of a path is not ignored: `/users/{id}/transactions/` is also what an empty transaction id looks
 * like, and would return a list instead of one transaction.
 */
export function handleNotFound(server: Server, publicUrl: string): void {
  const routes: { method: string; path: RegExp }[] = [];
  server.addHook("onRoute", (route) => {
    const path = pathPattern(route.url);
    for (const method of [route.method].flat()) routes.push({ method, path });
  });
  server.setNotFoundHandler((request, reply) => {
    const requestPath = request.url.split("?", 1)[0]!;
    const allowed = routes.filter(({ path }) => path.test(requestPath)).map(({ method }) => method);
    if (allowed.length === 0) {
      return sendProblem(request, reply, new Problem("notFound", { detail: NO_SUCH_PATH }), publicUrl);
    }
    reply.header("allow", [...allowed, "OPTIONS"].join(", "));
    if (request.method === "OPTIONS") return reply.code(204).send();
    return sendProblem(request, reply, new Problem("methodNotAllowed"), publicUrl);
  });
}

/** The paths of a route: a parameter is any segment, or what its own pattern `:id(^…$)` matches. */
function pathPattern(url: string): RegExp {
  const parts = url.split(/(:\w+(?:\(\^.*?\$\))?)/);
  const patterns = parts.map((part) => {
    if (!part.startsWith(":")) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return /\(\^(.*)\$\)$/.exec(part)?.[1] ?? "[^/]+";
  });
  return new RegExp(`^${patterns.join("")}$`);
}
