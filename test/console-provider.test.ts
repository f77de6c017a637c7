import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, suite, test } from "node:test";
import { Provider } from "oidc-provider";
import { insertConsoleUser } from "../src/console/users.store.ts";
import { WITH_CONSOLE } from "./support/console.ts";
import { freeAddress } from "./support/console-browser.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

const SECRET = "a secret of the console at its provider";

/** People of the provider by login; the console knows Ada. */
const PEOPLE: Readonly<Record<string, object>> = {
  ada: { email: "Ada@example.org", email_verified: true },
  eve: { email: "ada@example.org", email_verified: false },
  bo: { email: "bo@example.org", email_verified: true },
};

suite("signing in to the console at another provider (oidc-provider)", () => {
  let service: TestService;
  let stopProvider: () => void;
  before(async () => {
    const [issuer, publicUrl] = [await freeAddress(), "http://rewards.test"];
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: "console",
          client_secret: SECRET,
          redirect_uris: [`${publicUrl}/console/sign-in/provider/callback`],
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      conformIdTokenClaims: false,
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => Promise.resolve({ sub, ...PEOPLE[sub] }),
      }),
    });
    const server = createServer((request, response) => void provider.callback()(request, response)).listen(
      Number(new URL(issuer).port),
      "127.0.0.1",
    );
    stopProvider = () => {
      server.close();
      server.closeAllConnections();
    };
    service = await startService({
      env: {
        ...WITH_CONSOLE,
        CONSOLE_OIDC_ISSUER: issuer,
        CONSOLE_OIDC_CLIENT_ID: "console",
        CONSOLE_OIDC_CLIENT_SECRET: SECRET,
        CONSOLE_OIDC_NAME: "Example Login",
      },
      isWorking: false,
    });
    const ada = { id: "0197b0a0-0000-7000-8000-000000000001", email: "ada@example.org", name: "Ada" };
    await insertConsoleUser(service.database, ada, new Date());
  });
  after(async () => {
    await service.close();
    stopProvider();
  });

  const get = (url: string, cookie = "") => service.app.server.inject({ url, headers: { cookie } });
  const cookieOf = (header: unknown) => String(header).split(";")[0]!;

  /** Signs in at the provider's own development pages. Returns the address that it redirects to at the end. */
  async function signInAtProvider(address: string, login: string): Promise<string> {
    const jar = new Map<string, string>();
    let next: { url: string; body?: URLSearchParams } = { url: address };
    for (let steps = 0; steps < 12; steps += 1) {
      const response = await fetch(next.url, {
        method: next.body ? "POST" : "GET",
        ...(next.body && { body: next.body }),
        redirect: "manual",
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get("location");
      if (location?.startsWith("http://rewards.test")) return location;
      if (location) next = { url: new URL(location, next.url).href };
      else {
        const page = await response.text();
        const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "login";
        next = { url: new URL(action, next.url).href, body: new URLSearchParams({ prompt, login, password: "x" }) };
      }
    }
    return assert.fail("the provider does not redirect to the console");
  }

  /** Goes the whole way; returns the last response of the console. */
  async function signIn(login: string, query = "") {
    const start = await get(`/console/sign-in/provider${query}`);
    assert.equal(start.statusCode, 303);
    const returned = new URL(await signInAtProvider(String(start.headers.location), login));
    return get(returned.pathname + returned.search, cookieOf(start.headers["set-cookie"]));
  }

  test("the button is on the page, and whom the provider confirms is signed in and back where they wanted", async () => {
    assert.match((await get("/console/sign-in")).body, /Sign in with Example Login/);
    const response = await signIn("ada", "?next=/console/account");
    assert.equal(response.statusCode, 303);
    assert.equal(response.headers.location, "/console/account");
    const cookies = [response.headers["set-cookie"]].flat();
    const session = cookieOf(cookies.find((cookie) => String(cookie).startsWith("console=")));
    assert.equal((await get("/console/account", session)).statusCode, 200);
  });

  test("an unverified address, and somebody whom the console does not know, are not let in", async () => {
    for (const login of ["eve", "bo"]) {
      const response = await signIn(login);
      assert.equal(response.statusCode, 401, login);
      assert.ok(!String(response.headers["set-cookie"]).includes("console=ey"));
    }
  });

  test("a return without the cookie of its start, twice, or with another state is not let in", async () => {
    const start = await get("/console/sign-in/provider");
    const cookie = cookieOf(start.headers["set-cookie"]);
    const returned = new URL(await signInAtProvider(String(start.headers.location), "ada"));
    const path = returned.pathname + returned.search;
    assert.equal((await get(path)).statusCode, 401);
    assert.equal((await get(path.replace(/state=[^&]+/, "state=x"), cookie)).statusCode, 401);
    assert.equal((await get(path, cookie)).statusCode, 303);
    assert.equal((await get(path, cookie)).statusCode, 401);
  });
});
