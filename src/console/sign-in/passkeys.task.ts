import { createHmac, randomBytes } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { rollback } from "../../postgres/rollback.ts";
import { CHALLENGE_MS, CHALLENGE_RANDOM_BYTES, challengeEnd, newChallenge } from "./challenge.ts";
import { addPasskey, findPasskey, listPasskeys, passkeyUsed, useChallenge } from "./passkeys.store.ts";

/** Adds passkeys, and signs people in by them. */
export interface Passkeys {
  /** What the browser needs to make a passkey of a person. */
  creationOptions(user: { id: string; email: string; name: string }): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /**
   * Stores the passkey that a browser made, in one tx with `use`, which may refuse it. False: refused, or the response
   * is not in order, or it is stored already.
   */
  add(userId: string, response: unknown, use?: (tx: Tx) => Promise<boolean>): Promise<boolean>;
  /** What the browser needs to sign somebody in. */
  requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Returns the id of who signed; null: the response is not in order, was used before, or the passkey is unknown. */
  verify(response: unknown): Promise<string | null>;
}

export interface PasskeyDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly installationKey: Uint8Array;
  /** The public address: passkeys belong to its host, and work at its origin only. */
  readonly address: URL;
}

const SIGN_IN = "sign-in";

/** What adding and signing in share. */
interface Context {
  readonly database: Database;
  readonly now: () => Date;
  readonly rpID: string;
  readonly expected: { expectedOrigin: string; expectedRPID: string; requireUserVerification: boolean };
  /** Returns a new challenge for a purpose. */
  challenge(purpose: string): Uint8Array<ArrayBuffer>;
  /** Returns when a challenge ends; null: it is not ours, is for another purpose, or has ended. */
  endOf(text: string, purpose: string): number | null;
}

/** The library is loaded with the first use. */
const load = () => import("@simplewebauthn/server");

/** Creates the passkeys of the console. */
export function createPasskeys({ database, now, installationKey, address }: PasskeyDeps): Passkeys {
  const key = createHmac("sha256", installationKey).update("console-passkeys").digest();
  const rpID = address.hostname;
  const context: Context = {
    database,
    now,
    rpID,
    expected: { expectedOrigin: address.origin, expectedRPID: rpID, requireUserVerification: true },
    challenge: (purpose) =>
      new Uint8Array(newChallenge(randomBytes(CHALLENGE_RANDOM_BYTES), purpose, key, now().getTime())),
    endOf: (text, purpose) => challengeEnd(Buffer.from(text, "base64url"), purpose, key, now().getTime()),
  };
  return { ...adding(context), ...signingIn(context) };
}

function adding(context: Context): Pick<Passkeys, "creationOptions" | "add"> {
  const { database, now, rpID, expected, challenge, endOf } = context;
  return {
    creationOptions: async ({ id, email, name }) => {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: "Rewards",
        rpID,
        userID: new Uint8Array(Buffer.from(id)),
        userName: email,
        userDisplayName: name,
        challenge: challenge(`add ${id}`),
        timeout: CHALLENGE_MS,
        attestationType: "none",
        excludeCredentials: (await listPasskeys(database, id)).map(({ credentialId }) => ({
          id: credentialId.toString("base64url"),
        })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
    },
    add: async (userId, response, use = () => Promise.resolve(true)) => {
      const { verifyRegistrationResponse } = await load();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (text) => endOf(text, `add ${userId}`) !== null,
        ...expected,
      }).catch(() => ({ verified: false, registrationInfo: undefined }));
      if (!verified || !registrationInfo) return false;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      const passkey = {
        credentialId: Buffer.from(id, "base64url"),
        userId,
        publicKey: Buffer.from(publicKey),
        counter,
        transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 8),
        createdAt: now(),
      };
      return database.tx(async (tx) => ((await use(tx)) && (await addPasskey(tx, passkey))) || rollback(false));
    },
  };
}

function signingIn(context: Context): Pick<Passkeys, "requestOptions" | "verify"> {
  const { database, now, rpID, expected, challenge, endOf } = context;
  return {
    requestOptions: async () => {
      const { generateAuthenticationOptions } = await load();
      const options = { rpID, challenge: challenge(SIGN_IN), timeout: CHALLENGE_MS };
      return generateAuthenticationOptions({ ...options, userVerification: "required" });
    },
    verify: async (response) => {
      const { id } = (response ?? {}) as { id?: unknown };
      const passkey = typeof id === "string" ? await findPasskey(database, Buffer.from(id, "base64url")) : null;
      if (!passkey) return null;
      const { verifyAuthenticationResponse } = await load();
      let signed: { bytes: Buffer; end: Date } | null = null;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: (text) => {
          const end = endOf(text, SIGN_IN);
          if (end !== null) signed = { bytes: Buffer.from(text, "base64url"), end: new Date(end) };
          return end !== null;
        },
        credential: {
          id: passkey.credentialId.toString("base64url"),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
          transports: [...passkey.transports] as AuthenticatorTransport[],
        },
        ...expected,
      }).catch(() => ({ verified: false, authenticationInfo: null }));
      const used = signed as { bytes: Buffer; end: Date } | null;
      if (!verified || !authenticationInfo || !used) return null;
      return database.tx(async (tx) => {
        if (!(await useChallenge(tx, used.bytes, used.end, now()))) return null;
        await passkeyUsed(tx, passkey.credentialId, authenticationInfo.newCounter, now());
        return passkey.userId;
      });
    },
  };
}
