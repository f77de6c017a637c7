import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { PROBLEMS } from "../problem-types.ts";
import type { ProblemName } from "../problem-types.ts";

/** Time in which a client can read the refusal before its connection is cut, also if it keeps its own side open. */
const LINGER_MS = 1_000;

/**
 * Sends a problem document to a client whose bytes Node's HTTP parser refused, and closes the connection. Returns the
 * status, or null if nobody is left to respond to.
 */
export function handleClientError(
  error: Error & { code?: string },
  socket: Socket,
  publicUrl: string,
  requestId: string,
  supportedVersions: string,
): number | null {
  if (error.code === "ECONNRESET" || !socket.writable) return null;
  const { status, slug, title, meaning, code } = PROBLEMS[PARSER_PROBLEMS[error.code ?? ""] ?? "malformedRequest"];
  const type = `${publicUrl}/problems/${slug}`;
  const body = JSON.stringify({ type, title, status, detail: meaning, instance: "", code, requestId });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\ncache-control: no-store\r\n` +
      `x-content-type-options: nosniff\r\napi-supported-versions: ${supportedVersions}\r\nconnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return status;
}

/** Problems by the error code of Node's parser. */
const PARSER_PROBLEMS: Record<string, ProblemName> = {
  HPE_HEADER_OVERFLOW: "headersTooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "requestTimeout",
};
