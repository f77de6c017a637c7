import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { browserMissing } from "./support/browser.ts";
import { runCommand } from "./support/commands.ts";
import { startDesks } from "./support/console-browser.ts";
import { drawnReceipt, groceriesOf } from "./support/drawn-receipts.ts";
import { formFor } from "./support/groceries.ts";
import { readingRows, startSection } from "./support/console-section.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, acceptedSample, statusUntil } from "./support/uploads.ts";

suite("receipts and the review queue in a browser", { skip: browserMissing ?? false }, () => {
  const { rows, options } = readingRows();
  let service: TestService;
  let client: Client;
  let desks: Awaited<ReturnType<typeof startDesks>>;
  let userId: string;
  let minutes = 0;

  before(async () => {
    ({ service, client } = await startSection("receipts", "reviewer", options));
    userId = await client.enrol();
    desks = await startDesks(service);
    await runCommand(service.database, ["app", "review", "--client-id", client.clientId, "--min-confidence", "1"]);
  });
  after(async () => {
    await desks.stop();
    await service.close();
  });

  const path = (below: string) => `/console/${client.applicationId}/${below}`;
  async function held(): Promise<string> {
    minutes += 1;
    const { rows: printed, amount } = groceriesOf(minutes);
    rows.now = printed;
    const fields = formFor(userId, { amount });
    const id = await acceptedReceipt(service, client, { fields, image: await drawnReceipt(rows.now) });
    await statusUntil<{ held?: boolean }>(client, id, ({ held: isHeld }) => isHeld === true);
    return id;
  }

  test("somebody finds a receipt, and its lines and places mark each other, by keyboard alone", async () => {
    const id = await held();
    const desk = await desks.desk([{ role: "reviewer", applicationId: client.applicationId }]);
    await desk.open(path("receipts"));
    await desk.look("receipts");
    await desk.tabTo("searchbox", "Shop contains");
    await desk.page.keyboard.type("larkmeadow");
    await desk.press("Enter");
    await desk.page.waitForURL(/merchant=larkmeadow/);
    await desk.tabTo("link", /2026|UTC/);
    await desk.press("Enter");
    await desk.page.waitForURL(new RegExp(`receipts/${id}`));
    await desk.page.locator("image").waitFor();
    await desk.look("receipt");
    await desk.tabTo("link", /^2$/);
    assert.equal(await desk.page.locator('[data-place="2"].is-marked').count(), 2, "the line and its place");
    await desk.page.locator("#box-3").focus();
    assert.equal(await desk.page.locator('tr[data-place="3"].is-marked').count(), 1);
    await desk.tabTo("region", /photo of the receipt/);
    const width = () => desk.page.locator(".picture-view svg").evaluate((drawing) => drawing.clientWidth);
    const plain = await width();
    await desk.press("+", "+");
    assert.ok((await width()) > plain);
    await desk.press("-", "-");
    assert.equal(await width(), plain);
    await desk.press("r");
    assert.match((await desk.page.locator(".turned").getAttribute("transform")) ?? "", /rotate\(90\)/);
    await desk.open(path("receipts?merchant=nobody"));
    await desk.look("receipts-empty");
    await desk.end();
  });

  test("a reviewer corrects, sees the points while typing, accepts, rejects and goes on, by single keys", async () => {
    const [first, second, third] = [await held(), await held(), await held()];
    const desk = await desks.desk([{ role: "reviewer", applicationId: client.applicationId }]);
    const { page } = desk;
    await desk.open(path(`review/${first}`));
    await desk.look("review");
    await desk.press("n");
    await page.waitForURL(new RegExp(second));
    await desk.press("k");
    await page.waitForURL(new RegExp(first));
    await desk.press("e");
    await desk.press("Control+a");
    const suggested = page.waitForResponse(/review\/foods\?name=/);
    await page.keyboard.type("beef");
    await suggested;
    await page.locator("#foods option").first().waitFor({ state: "attached" });
    await page.getByText(/Points as corrected/).waitFor();
    assert.equal(new URL(page.url()).pathname, path(`review/${first}`), "letters that are typed are no keys");
    await desk.tabTo("button", "Accept");
    await desk.press("Enter");
    await page.getByRole("status").filter({ hasText: "Accepted" }).waitFor();
    await page.waitForURL(new RegExp(second));
    await desk.press("r");
    await desk.press("5");
    await page.getByRole("status").filter({ hasText: "Rejected" }).waitFor();
    await page.waitForURL(new RegExp(third));
    await page.locator("summary", { hasText: "Keys" }).click();
    await page.getByLabel("Single keys").uncheck();
    await page.locator("h1").click();
    await desk.press("a");
    assert.equal(new URL(page.url()).pathname, path(`review/${third}`), "keys can be switched off");
    await page.getByLabel("Single keys").check();
    await page.keyboard.press("Escape");
    await desk.end();
  });

  test("two reviewers: the second one is shown that it is decided already", async () => {
    const id = await held();
    const [one, two] = [
      await desks.desk([{ role: "reviewer", applicationId: client.applicationId }]),
      await desks.desk([{ role: "reviewer", applicationId: client.applicationId }]),
    ];
    await one.open(path(`review/${id}`));
    await two.open(path(`review/${id}`));
    await one.press("a");
    await one.page.getByRole("status").filter({ hasText: "Accepted" }).waitFor();
    await two.press("a");
    await two.page.getByRole("alert").filter({ hasText: "decided already" }).waitFor();
    await two.look("review-late");
    await one.end();
    await two.end();
  });

  test("a picture that no browser can draw has a sentence in its place, and a wrong address a link to the first page", async () => {
    const sandbox = await service.newClient({ isSandbox: true });
    const person = await sandbox.enrol();
    const desk = await desks.desk([{ role: "viewer", applicationId: sandbox.applicationId }]);
    const broken = async () => {
      // Its file is stored damaged.
      const id = await acceptedSample(service, sandbox, "internal_error", formFor(person));
      await statusUntil<{ status: string }>(sandbox, id, ({ status }) => /^(?:Completed|Failed)$/.test(status));
      await desk.open(`/console/${sandbox.applicationId}/receipts/${id}`);
      await desk.page.getByText("The picture cannot be shown.").waitFor();
      assert.equal(await desk.page.locator(".picture-view, .picture-tools").filter({ visible: true }).count(), 0);
    };
    await broken();
    assert.equal(await desk.page.locator("image").count(), 1, "it has been read");
    rows.now = null as never;
    await broken();
    assert.equal(await desk.page.locator(".picture img").count(), 1, "it has not been read");
    await desk.look("receipt-broken-picture");
    await desk.open(path("receipts"));
    await desk.look("nothing-is-here");
    await desk.tabTo("link", "To the first page");
    await desk.press("Enter");
    await desk.page.waitForURL(/\/console$/);
    await desk.end();
  });

  test("without script the queue is forms and links, and one receipt is whole", async () => {
    const id = await held();
    const desk = await desks.desk([{ role: "reviewer", applicationId: client.applicationId }], {
      javaScriptEnabled: false,
    });
    const { page } = desk;
    await desk.open(path(`review/${id}`));
    await page.getByLabel("Name of line 3").fill("Red lentils");
    await page.getByRole("button", { name: "Show the points" }).click();
    await page.getByText(/Points as corrected/).waitFor();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("status").filter({ hasText: "Accepted" }).waitFor();
    await desk.open(path(`receipts/${id}`));
    assert.equal(await page.locator("a.place").count(), 4);
    await desk.end();
  });
});
