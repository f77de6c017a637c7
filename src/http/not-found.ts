import type { FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import { pathsMeant } from "./meant.ts";
import { sendProblem } from "./problems.ts";
import type { Server } from "./server.ts";

/**
 * Answers what no route does: a path that has other methods with these, any other with what may have been meant. Learns of
 * the routes as they are added, so it comes before them.
 */
export function handleNotFound(server: Server, publicUrl: string): void {
  const routes: { method: string; path: RegExp }[] = [];
  const declared = new Set<string>();
  server.addHook("onRoute", (route) => {
    const path = new RegExp(`^${route.url.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`);
    for (const method of [route.method].flat()) routes.push({ method, path });
    if (route.config?.operation) declared.add(route.config.operation.path);
  });
  server.setNotFoundHandler((request, reply) => {
    const called = pathOf(request);
    const allowed = routes.filter(({ path }) => path.test(called)).map(({ method }) => method);
    if (allowed.length === 0) {
      return sendProblem(request, reply, nowhere(pathsMeant(called, [...declared])), publicUrl);
    }
    reply.header("allow", [...allowed, "OPTIONS"].join(", "));
    if (request.method === "OPTIONS") return reply.code(204).send();
    return sendProblem(request, reply, new Problem("methodNotAllowed"), publicUrl);
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0]!;
}

/**
 * A slash at the end is told and not forgiven: `/users/{id}/transactions/` comes from an id that is empty as well, and
 * would be answered with a list where a record was asked for.
 */
function nowhere(meant: readonly string[]): Problem {
  const paths = meant.map((path) => path.replaceAll(/:(\w+)/g, "{$1}")).join(" or ");
  const hint = paths === "" ? "/docs has all that there are." : `Perhaps ${paths} is meant.`;
  return new Problem("notFound", { detail: `Nothing answers at this path. ${hint}` });
}
