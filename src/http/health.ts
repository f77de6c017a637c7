import type { Server } from "./server.ts";

/** `/health/live`: the process answers. `/health/ready`: it can serve; 503 while it cannot. Neither wants credentials. */
export function healthRoutes(server: Server, isReady: () => Promise<boolean>): void {
  server.get("/health/live", async () => ({ status: "live" }));
  server.get("/health/ready", async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}
