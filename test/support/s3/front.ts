import { createServer as createHttpServer, request as requestHttp } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { S3Mood, S3Server } from "./server.ts";

/** Where clients reach an S3 server: bytes pass unchanged, unless it is in another mood. */
export interface Front extends Pick<S3Server, "endpoint" | "behave" | "requests"> {
  /** Nothing listens there any more, and connections are cut. */
  close(): Promise<void>;
  /** Listens at its address, again. */
  listen(): Promise<void>;
}

const HOST = "127.0.0.1";
/** A body that waits in vain arrives in pieces of this size: less than any picture. */
const FIRST_BYTES = 100;

/** Starts to listen in front of the server that listens at a port of loopback. */
export async function startFront(serverPort: number): Promise<Front> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const idle = new Map<Socket, () => void>();
  let mood: S3Mood = "serves";
  // It never listens: it is given connections.
  const moody = createHttpServer((request, response) => {
    // A client may keep a connection of a former mood until the server serves again.
    if (mood === "serves") return passRequest(request, response, serverPort);
    requests.push(`${request.method} ${request.url!.split("?")[0]}`);
    if (mood === "stalls") stall(response);
    else if (mood === "denies") refuse(response, 403, "AccessDenied");
    else if (mood !== "hangs") refuse(response, 503, "SlowDown");
  });

  const pass = (client: Socket): void => {
    const server = connect(serverPort, HOST);
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", cut).on("close", cut);
    const leaveServer = () => {
      client.removeListener("error", cut).removeListener("close", cut).removeAllListeners("data").unpipe();
      server.removeListener("close", cut).destroy();
      moody.emit("connection", client);
    };
    client.on("data", () => idle.delete(client)).pipe(server);
    server.on("data", () => idle.set(client, leaveServer)).pipe(client);
    client.on("close", () => idle.delete(client));
  };

  const front = createServer((client) => {
    open.add(client.on("error", () => {}));
    client.on("close", () => open.delete(client));
    if (mood === "serves") pass(client);
    else moody.emit("connection", client);
  });
  const listen = async (port: number): Promise<void> => {
    front.listen(port, HOST);
    await once(front, "listening");
  };
  await listen(0);
  const { port } = front.address() as AddressInfo;

  return {
    endpoint: `http://${HOST}:${port}`,
    requests,
    behave: (next) => {
      mood = next;
      if (next === "serves") return;
      // Connections that clients hold for their next request: a closed one would cost a request that is not counted.
      for (const leaveServer of idle.values()) leaveServer();
      idle.clear();
    },
    listen: () => listen(port),
    close: async () => {
      const closed = once(front, "close");
      front.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function passRequest(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request;
  const passed = requestHttp({ host: HOST, port, method, path: url, headers }, (served) => {
    response.writeHead(served.statusCode!, served.headers);
    served.pipe(response);
  });
  passed.on("error", () => response.destroy());
  request.pipe(passed);
}

/** Responds with an error of S3. */
export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml", connection: "close" });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function stall(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "image/jpeg", "content-length": 1_000_000 });
  response.write(Buffer.alloc(FIRST_BYTES));
}
