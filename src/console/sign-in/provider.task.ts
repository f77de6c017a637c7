import type { Configuration } from "openid-client";
import type { ProviderVisit } from "./provider-visit.ts";

/** Another service that people sign in at: any provider of OpenID Connect. */
export interface Provider {
  /** Its name on the button. */
  readonly name: string;
  /** Where to send somebody, and what to compare when they return. */
  start(): Promise<{ readonly address: string } & Pick<ProviderVisit, "state" | "nonce" | "verifier">>;
  /** Returns the e-mail address that the provider has verified; null: it confirms none. */
  finish(returned: URL, visit: ProviderVisit): Promise<string | null>;
}

/** The settings of a provider. */
export interface ProviderSettings {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Seconds for each request to the provider. */
const TIMEOUT_SECONDS = 10;

/** Creates the provider. The library is loaded, and the provider asked for its addresses, with the first use. */
export function createProvider(settings: ProviderSettings, redirectUri: string): Provider {
  const { issuer, clientId, clientSecret } = settings;
  let discovered: Promise<Configuration> | null = null;
  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, discovery } = await import("openid-client");
    const address = new URL(issuer);
    // config.ts allows http for addresses of this machine only.
    const execute = address.protocol === "http:" ? [allowInsecureRequests] : [];
    return discovery(address, clientId, clientSecret, undefined, { timeout: TIMEOUT_SECONDS, execute });
  };
  const configuration = (): Promise<Configuration> => {
    discovered ??= discover().catch((error: unknown) => {
      discovered = null;
      throw error;
    });
    return discovered;
  };
  return {
    name: settings.name,
    start: async () => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await import("openid-client");
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const address = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: "openid email",
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { address: address.href, state, nonce, verifier };
    },
    finish: async (returned, { state, nonce, verifier }) => {
      const { authorizationCodeGrant } = await import("openid-client");
      const tokens = await authorizationCodeGrant(await configuration(), returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const email = claims?.["email"];
      return typeof email === "string" && claims?.["email_verified"] === true ? email : null;
    },
  };
}
