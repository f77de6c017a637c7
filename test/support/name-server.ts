import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A name server on loopback with the names of a test. */
export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** Names that were asked for, an entry for each query. */
  readonly asked: string[];
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const NO_SUCH_NAME = 3;

/**
 * Responds to queries for IPv4 addresses with those of `addressesOf`, to any other type with none. Null: the name does
 * not exist. "never": no response.
 */
export async function startNameServer(
  addressesOf: (name: string) => readonly string[] | null | "never",
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query);
    asked.push(name);
    const known = addressesOf(name);
    if (known === "never") return;
    const addresses = known !== null && query.readUInt16BE(end) === TYPE_A ? known : [];
    socket.send(answerTo(query.subarray(0, end + 4), addresses, known === null ? NO_SUCH_NAME : 0), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The name of the only question, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** RFC 1035, 4.1: the question again, then a record for each address, valid for no time at all. */
function answerTo(question: Buffer, addresses: readonly string[], code: number): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
