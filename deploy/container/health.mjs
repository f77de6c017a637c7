// Whether the process in this container can serve: by /health/ready, or by the address that is given, which then only
// has to respond without an error of its own (404 without a token is a response).
const address = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? "8080"}/health/ready`;
try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(4_000) });
  process.exit(status < 500 ? 0 : 1);
} catch {
  process.exit(1);
}
