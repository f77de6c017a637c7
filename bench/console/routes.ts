// The pages of the console, as its own code adds them to a router: a new page cannot be forgotten.
import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { createConsole } from "../../src/console/module.ts";
import type { Platform } from "../../src/module.ts";

/** The GET routes of the console without its styles and scripts, in the order in which they are added. */
export async function consoleRoutes(): Promise<string[]> {
  const routes: string[] = [];
  const server = Fastify();
  server.addHook("onRoute", ({ method, url }) => {
    if (method === "GET" && !url.startsWith("/console/assets/")) routes.push(url);
  });
  // Nothing is requested: no route needs more than its name.
  const url = "http://127.0.0.1";
  const settings = { config: { hasConsole: true, consoleProvider: null }, publicUrl: url, hostedPagesUrl: url };
  const platform = { ...settings, installationKey: randomBytes(32), now: () => new Date(), log: server.log };
  createConsole(platform as unknown as Platform).routes?.(server);
  await server.ready();
  await server.close();
  return routes;
}
