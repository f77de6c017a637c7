import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deprecation } from "./operation.ts";
import { versionDeprecation } from "./version.ts";
import type { ApiVersion } from "./version.ts";

/** Has routes of which the operation, or a version, is deprecated say so in each of their answers; others cost nothing. */
export function announceDeprecations(
  server: Pick<FastifyInstance, "addHook">,
  versions: readonly ApiVersion[],
  explainedAt: string,
): void {
  const isAnyDeprecated = versions.some(({ deprecation }) => deprecation !== null);
  server.addHook("onRoute", (route) => {
    const operation = route.config?.operation;
    if (!operation || operation.isOpen || !(isAnyDeprecated || operation.deprecation)) return;
    const announce = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const deprecations = [operation.deprecation, versionDeprecation(request.url, versions)];
      const links = reply.getHeader("link");
      const headers = deprecationHeaders(
        deprecations.filter((each) => each !== undefined && each !== null),
        explainedAt,
        typeof links === "string" ? links : null,
      );
      if (headers) void reply.headers(headers);
    };
    route.onSend = [route.onSend ?? [], announce].flat();
  });
}

/**
 * The headers that tell a client that what it uses is on its way out: Deprecation (RFC 9745: since when), Sunset (RFC
 * 8594: from when it may be gone) and a Link to where it is explained. `others` is the Link that the answer has already.
 * Of several deprecations the one that ends first is told.
 */
export function deprecationHeaders(
  deprecations: readonly Deprecation[],
  explainedAt: string,
  others: string | null,
): { deprecation: string; sunset: string; link: string } | null {
  const [first] = deprecations.toSorted((a, b) => Date.parse(a.sunset) - Date.parse(b.sunset));
  if (!first) return null;
  const link = `<${explainedAt}>; rel="deprecation"; type="text/html"`;
  return {
    deprecation: `@${Math.floor(Date.parse(first.since) / 1000)}`,
    sunset: new Date(first.sunset).toUTCString(),
    link: others === null ? link : `${others}, ${link}`,
  };
}
