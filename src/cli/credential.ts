import { createHash, randomBytes } from "node:crypto";
import { clientSecretFrom } from "../applications/application.ts";
import { CREDENTIALS_MAX, EXPIRY_DAYS_MAX, credentialNameError, credentialState } from "../applications/credential.ts";
import type { ListedCredential } from "../applications/credential.ts";
import { addCredential, listCredentials, revokeCredential } from "../applications/credentials.store.ts";
import { SCOPES, scopesIn } from "../applications/scope.ts";
import type { Scope } from "../applications/scope.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import { DAY_MS } from "../time.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional, required } from "./command.ts";
import type { Command } from "./command.ts";

/** The commands for the credentials of an application. */
export const CREDENTIAL_COMMANDS: readonly Command[] = [
  command({
    name: "credential add",
    summary: "add a client secret to an application; it is shown only now",
    details: `All secrets of an application have its client id. Give each machine or supplier one of its own, that may do what it needs: each shows when it was used last, and can be revoked alone. An application has at most ${CREDENTIALS_MAX}, beside its first one.`,
    options: {
      clientId: CLIENT_ID,
      name: required("NAME", "what it is for, shown in lists; no names of people"),
      scopes: optional("LIST", `what it may do, comma-separated: ${SCOPES.join(", ")}; without it everything`),
      expiresInDays: optional("DAYS", `1 to ${EXPIRY_DAYS_MAX}; without it it does not expire`),
    },
    examples: [
      'credential add --client-id app_… --name "Till software"',
      'credential add --client-id app_… --name "Agency, autumn" --scopes users.read,reports.read --expires-in-days 90',
    ],
    run: async ({ database, now, options: { clientId, name, scopes: list, expiresInDays }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const nameError = credentialNameError(name);
      if (nameError) throw new Refusal(`--name ${nameError}`);
      const expiresAt = expiresInDays === undefined ? null : expiryIn(expiresInDays, now);
      const scopes = list === undefined ? null : scopesOf(list);
      const clientSecret = clientSecretFrom(randomBytes(32));
      const id = uuidv7(now.getTime(), randomBytes(10));
      const credential = { id, applicationId, name, expiresAt, scopes, createdAt: now };
      const secretHash = createHash("sha256").update(clientSecret).digest();
      if (!(await database.tx((tx) => addCredential(tx, { ...credential, secretHash })))) {
        throw new Refusal(`the application has ${CREDENTIALS_MAX} credentials already: revoke one`);
      }
      print({ credentialId: id, clientId, name, clientSecret, scopes, expiresAt }, [
        `credentialId ${id}`,
        `clientId     ${clientId}`,
        `clientSecret ${clientSecret}`,
        "Keep the secret now: it is not shown again.",
        ...(expiresAt ? [`It expires at ${expiresAt.toISOString()}.`] : []),
      ]);
    },
  }),
  command({
    name: "credential list",
    summary: "list the credentials of an application, with when each was used last",
    options: { clientId: CLIENT_ID },
    examples: ["credential list --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { id } = await applicationOf(database, clientId);
      const credentials = (await listCredentials(database, id)).map(({ id: credentialId, ...credential }) => ({
        credentialId,
        state: credentialState({ id: credentialId, ...credential }, now),
        ...credential,
      }));
      print(
        { credentials },
        credentials.map(({ credentialId, state, ...credential }) =>
          [
            credentialId,
            state.padEnd(7),
            credential.lastUsedAt ? `used ${credential.lastUsedAt.toISOString()}` : "never used",
            ...(credential.expiresAt ? [`expires ${credential.expiresAt.toISOString()}`] : []),
            nameOf(credential),
            credential.scopes ? `may ${credential.scopes.join(", ")}` : "may everything",
          ].join("  "),
        ),
      );
    },
  }),
  command({
    name: "credential revoke",
    summary: "revoke a credential: its calls are refused within two seconds",
    details:
      "The first secret of an application has the application's id. When it is revoked, only the credentials that were added still work; `app rotate-secret` makes a first secret again.",
    options: {
      clientId: CLIENT_ID,
      credentialId: required("ID", "the credential, as listed"),
    },
    examples: ["credential revoke --client-id app_… --credential-id 01a1…"],
    run: async ({ database, now, options: { clientId, credentialId }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const isRevoked = isUuid(credentialId) && (await revokeCredential(database, applicationId, credentialId, now));
      if (!isRevoked) throw new Refusal("the application has no active credential with this id");
      print({ credentialId, revokedAt: now }, ["revoked: its calls are refused within two seconds"]);
    },
  }),
];

function nameOf({ name }: Pick<ListedCredential, "name">): string {
  return name ?? "(the first secret)";
}

function scopesOf(list: string): readonly Scope[] {
  const read = scopesIn(list);
  if ("wrong" in read) {
    const wrong = read.wrong.map((name) => `"${name}"`).join(", ");
    throw new Refusal(`--scopes has ${wrong}; there are ${SCOPES.join(", ")}`);
  }
  return read.scopes;
}

function expiryIn(days: string, now: Date): Date {
  const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > EXPIRY_DAYS_MAX) {
    throw new Refusal(`--expires-in-days must be a whole number from 1 to ${EXPIRY_DAYS_MAX}`);
  }
  return new Date(now.getTime() + count * DAY_MS);
}
