import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Note } from "./attack.ts";
import { aborted, repeat } from "./attack.ts";
import type { Target } from "./target.ts";
import { versioned } from "./target.ts";

const DRIPS = 64;
const SLOW = 200;
const AT_ONCE = 5_000;

/** Attacks by connections: many, slow, or without right. */
export const CONNECTION_ATTACKS: readonly Attack[] = [
  {
    name: "drip",
    about: `${DRIPS} uploads on one hosted link that send a byte a second`,
    prepare: async (target) => {
      const link = new URL(await target.receiptLink(await target.attacker.enrol()));
      const head =
        '--b\r\ncontent-disposition: form-data; name="receiptImage"; filename="r.jpg"\r\n' +
        "content-type: image/jpeg\r\n\r\n\xff\xd8";
      const request =
        `POST ${link.pathname}${link.search} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000\r\n\r\n${head}`;
      return (signal, note) => dripping(target, DRIPS, request, signal, note);
    },
  },
  {
    name: "slow-json",
    about: `${SLOW} JSON bodies that arrive byte by byte`,
    prepare: async (target) => {
      const { clientId, clientSecret } = target.attacker;
      const request =
        `POST ${versioned("/track/meals")} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-client-id: ${clientId}\r\n` +
        `x-client-secret: ${clientSecret}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`;
      return (signal, note) => dripping(target, SLOW, request, signal, note);
    },
  },
  {
    name: "wrong-credentials",
    about: "calls with wrong credentials, each with another client id, 100 at a time",
    prepare: async ({ url }) => {
      let number = 0;
      return (signal, note) =>
        repeat(100, signal, note, () =>
          fetch(`${url}${versioned("/webhooks/endpoints")}`, {
            headers: { "x-client-id": `app_${number++}`, "x-client-secret": "wrong" },
            signal,
          }),
        );
    },
  },
  {
    name: "pipelining",
    about: "1,400 requests at once on each of eight connections, without credentials",
    prepare: async (target) => {
      const paths = ["/health/ready", `/enroll?sessionId=${"a".repeat(43)}`, "/openapi.json", "/nothing"];
      return async (signal, note) => {
        const lanes = Array.from({ length: 8 }, async (_, lane) => {
          const request = `GET ${paths[lane % paths.length]!} HTTP/1.1\r\nhost: a\r\n\r\n`;
          while (!signal.aborted) {
            const exchanged = exchange(target, request.repeat(1_400), signal, note);
            await Promise.race([exchanged, sleep(2_000), aborted(signal)]);
            await sleep(50);
          }
        });
        await Promise.all(lanes);
      };
    },
  },
  {
    name: "many-at-once",
    about: `${AT_ONCE} lists requested at once, each on a connection of its own`,
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      const { clientId, clientSecret } = target.attacker;
      const request =
        `GET ${versioned(`/users/${userId}/transactions`)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n` +
        `x-client-id: ${clientId}\r\nx-client-secret: ${clientSecret}\r\n\r\n`;
      return async (signal, note) => {
        while (!signal.aborted) {
          const all = Array.from({ length: AT_ONCE }, () => exchange(target, request, signal, note));
          await Promise.race([Promise.all(all), aborted(signal)]);
          await sleep(500);
        }
      };
    },
  },
];

/** Keeps `count` requests open that send a byte a second behind their first bytes. */
async function dripping(
  target: Target,
  count: number,
  request: string,
  signal: AbortSignal,
  note: Note,
): Promise<void> {
  const lanes = Array.from({ length: count }, async () => {
    while (!signal.aborted) {
      await exchange(target, request, signal, note, "x");
      await sleep(100);
    }
  });
  await Promise.all(lanes);
}

/** Sends a request on a connection of its own, then `drip` each second, until a response or the end. */
function exchange(
  { port }: Target,
  request: string,
  signal: AbortSignal,
  note: Note,
  drip: string | null = null,
): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
    const timer = drip === null ? undefined : setInterval(() => socket.write(drip), 1_000);
    let status: number | null = null;
    const end = () => socket.destroy();
    signal.addEventListener("abort", end, { once: true });
    socket
      .on("data", (data: Buffer) => {
        status ??= Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1] ?? 0);
        if (drip !== null) socket.destroy();
      })
      .on("error", () => {})
      .on("close", () => {
        clearInterval(timer);
        signal.removeEventListener("abort", end);
        if (!signal.aborted) note(status ?? 0);
        resolve();
      });
  });
}
