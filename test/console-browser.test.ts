import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { CONSOLE_LANGUAGES } from "../src/console/language.ts";
import { browserMissing } from "./support/browser.ts";
import { runCommand } from "./support/commands.ts";
import { WITH_CONSOLE } from "./support/console.ts";
import { freeAddress, startDesks } from "./support/console-browser.ts";
import { startService } from "./support/service.ts";
import type { TestService } from "./support/service.ts";

suite("the console in a browser", { skip: browserMissing ?? false }, () => {
  let service: TestService;
  let desks: Awaited<ReturnType<typeof startDesks>>;
  before(async () => {
    const publicUrl = await freeAddress();
    service = await startService({ env: WITH_CONSOLE, isWorking: false, publicUrl });
    desks = await startDesks(service, publicUrl);
  });
  after(async () => {
    await desks.stop();
    await service.close();
  });

  test("somebody follows the one-time link, chooses a password and signs out and in, by keyboard alone", async () => {
    const words = ["console", "user", "add", "--email", "ada@example.org", "--name", "Ada", "--role", "operator"];
    const [{ link } = { link: "" }] = await runCommand<{ link: string }>(service.database, words);
    const desk = await desks.desk([]);
    await desk.page.context().clearCookies();
    await desk.open(link.slice(link.indexOf("/console")));
    await desk.look("link");
    await desk.tabTo("textbox", "New password");
    await desk.page.keyboard.type("correct horse battery");
    await desk.press("Tab");
    await desk.page.keyboard.type("correct horse battery");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Your applications" }).waitFor();
    await desk.look("home-empty");
    await desk.tabTo("button", "Sign out");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await desk.look("sign-in");
    await desk.tabTo("textbox", "E-mail address");
    await desk.page.keyboard.type("ada@example.org");
    await desk.press("Tab");
    await desk.page.keyboard.type("wrong");
    await desk.press("Enter");
    await desk.page.getByRole("alert").waitFor();
    await desk.look("sign-in-wrong");
    await desk.tabTo("textbox", "Password");
    await desk.page.keyboard.type("correct horse battery");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Your applications" }).waitFor();
    await desk.end();
  });

  test("the applications are listed, a sandbox looks different", async () => {
    await service.newClient({ isSandbox: true });
    await service.newClient();
    const desk = await desks.desk([{ role: "operator" }]);
    await desk.open("/console");
    await desk.look("home");
    assert.equal(await desk.page.getByText("Sandbox").count(), 1);
    await desk.end();
  });

  test("the languages are listed within the window of a phone, and one is chosen there", async () => {
    const desk = await desks.desk([{ role: "operator" }], { viewport: { width: 360, height: 740 }, locale: "de-DE" });
    await desk.open("/console/account");
    await desk.page.getByText("Deutsch").first().click();
    for (const { tag, name } of CONSOLE_LANGUAGES) {
      const box = await desk.page.getByRole("button", { name }).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360, tag);
    }
    await desk.page.getByRole("button", { name: "Français" }).click();
    await desk.page.getByRole("heading", { name: "Votre compte" }).waitFor();
    await desk.end();
  });

  test("somebody makes a passkey by the link, signs in with it, and removes it; none works for another", async () => {
    const words = ["console", "user", "add", "--email", "eve@example.org", "--name", "Eve", "--role", "viewer"];
    const [{ link } = { link: "" }] = await runCommand<{ link: string }>(service.database, words);
    const desk = await desks.desk([]);
    const { page, devtools } = desk;
    await page.context().clearCookies();
    await devtools.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    });
    await desk.open(link.slice(link.indexOf("/console")));
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("heading", { name: "Your applications" }).waitFor();
    await desk.open("/console/account");
    await desk.look("account");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Your applications" }).waitFor();
    await desk.open("/console/account");
    await page.getByRole("button", { name: "Remove the passkey" }).click();
    await page.getByText("The passkey is removed.").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey did not work.").waitFor();
    await desk.end();
  });

  test("an operator adds somebody by keyboard alone, and sees it in the audit log", async () => {
    const desk = await desks.desk([{ role: "operator" }]);
    await desk.open("/console/team");
    await desk.tabTo("textbox", "E-mail address");
    await desk.page.keyboard.type("cy@example.org");
    await desk.press("Tab");
    await desk.page.keyboard.type("Cy");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "A link for Cy" }).waitFor();
    await desk.look("team-link");
    await desk.open("/console/team");
    await desk.look("team");
    await desk.open("/console/audit");
    await desk.page.getByText("console.user-add").first().waitFor();
    await desk.look("audit");
    await desk.end();
  });

  test("a developer adds an endpoint by keyboard, and sees events as they happen", async () => {
    const client = await service.newClient({ isSandbox: true });
    const base = `/console/${client.applicationId}/developers`;
    const desk = await desks.desk([{ role: "developer", applicationId: client.applicationId }]);
    await desk.open(base);
    await desk.look("developers");
    await desk.tabTo("textbox", "Address");
    await desk.page.keyboard.type("http://192.168.1.1/hooks");
    await desk.press("Enter");
    await desk.page.getByRole("alert").waitFor();
    await desk.look("developers-refused");
    const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
    await desk.open(`${base}/endpoints/${endpoints[0]!.id}`);
    await desk.look("endpoint");
    await desk.open(`${base}/call`);
    await desk.tabTo("button", "Send");
    await desk.press("Enter");
    await desk.page.getByRole("heading", { name: "Response" }).waitFor();
    await desk.look("call");
    await desk.open(`${base}/events`);
    await desk.page.getByText("Listening").waitFor();
    await desk.person.post(`${base}/endpoints/${endpoints[0]!.id}/test`);
    await client.enrol();
    const adjustment = { points: 5, reason: "A gift", externalTransactionID: "1" };
    await client.call("POST", `/users/${await client.enrol()}/adjustments`, adjustment);
    await desk.page.getByRole("row").nth(1).waitFor();
    await desk.look("events");
    await desk.open(`${base}/deliveries`);
    await desk.look("deliveries");
    await desk.end();
  });
});
