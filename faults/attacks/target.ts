import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { freePort, runCli, startProcess } from "../../test/support/processes.ts";
import type { Credentials } from "../customer.ts";

/** An application of the attacked service, with its credentials. */
export interface Party extends Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Enrols a new person and returns the user's id. */
  enrol(): Promise<string>;
}

/** The running service as the attacks see it, and the attacker's own application. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** The attacker. */
  readonly attacker: Party;
  /** Runs a command of the operator. */
  cli<Output>(...args: string[]): Promise<Output>;
  /** Registers another application. */
  newParty(name: string): Promise<Party>;
  /** Calls the API with the attacker's credentials. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string): Promise<Response>;
  /** Returns a link to a hosted page that takes one photo of a user of the attacker, and knows all its details. */
  receiptLink(userId: string): Promise<string>;
  /** Opens a server that accepts connections and never responds; returns its port. */
  openSilentServer(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the service with its defaults on an empty folder. Loopback is open for webhooks, for the silent server. */
export async function startTarget(dataDir: string): Promise<Target> {
  const settings = { dataDir: join(dataDir, "data"), port: await freePort(), env: { LOG_LEVEL: "warn" } };
  const service = await startProcess(settings);
  const { url } = service;
  const cli: Target["cli"] = (...args) => runCli(settings, ...args);
  const closing: (() => void)[] = [];
  const newParty = async (name: string) => partyOf(url, await cli<Credentials>("app", "create", "--name", name));
  const attacker = await newParty("Attacker");
  const send = (path: string, init: RequestInit) => fetch(`${url}${versioned(path)}`, init);
  const post: Target["post"] = (path, body, headers = {}) =>
    send(path, {
      method: "POST",
      headers: { ...attacker.headers, ...headers, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    url,
    port: settings.port,
    dataDir: settings.dataDir,
    pid: service.child.pid!,
    attacker,
    cli,
    newParty,
    post,
    get: (path) => send(path, { headers: attacker.headers }),
    receiptLink: async (userId) => {
      const response = await post("/track/receipts/session", {
        userId,
        transactionId: randomUUID(),
        amount: 10,
        merchantName: "Corner shop",
        transactionTimestamp: new Date().toISOString(),
      });
      return ((await response.json()) as { redirectUrl: string }).redirectUrl;
    },
    openSilentServer: async () => {
      const { port, close } = await openSilentServer();
      closing.push(close);
      return port;
    },
    stop: async () => {
      for (const close of closing) close();
      await service.stop();
    },
  };
}

/** Adds the version of the API to a path. */
export function versioned(path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
}

function partyOf(url: string, { clientId, clientSecret }: Credentials): Party {
  const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
  return {
    clientId,
    clientSecret,
    headers,
    enrol: async () => {
      const response = await fetch(`${url}${versioned("/users/enroll")}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ email: `${randomUUID()}@example.org`, firstName: "Ada", lastName: "Lovelace" }),
      });
      return ((await response.json()) as { user: { userID: string } }).user.userID;
    },
  };
}

async function openSilentServer(): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
