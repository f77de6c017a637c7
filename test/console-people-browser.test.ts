import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { browserMissing } from "./support/browser.ts";
import { WITH_CONSOLE } from "./support/console.ts";
import { startDesks } from "./support/console-browser.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

suite("people, names, rewards and the programme in a browser", { skip: browserMissing ?? false }, () => {
  let service: TestService;
  let client: Client;
  let desks: Awaited<ReturnType<typeof startDesks>>;
  let userId: string;
  const base = () => `/console/${client.applicationId}`;
  before(async () => {
    service = await startService({ env: WITH_CONSOLE });
    client = await service.newClient({ isSandbox: true });
    userId = await client.enrol("ada.lovelace@example.org");
    for (const [i, name] of ["Banana", "Apple", "Xqzvw Deluxe 500g"].entries()) {
      await client.call("POST", "/track/meals", {
        userId,
        transactionId: `meal-${i}`,
        mealName: name,
        imageUrl: "https://example.org/b.jpg",
        loggedAt: new Date().toISOString(),
        mealType: "lunch",
      });
    }
    const gift = { points: 900, reason: "Opening balance", reference: "gift" };
    await client.call("POST", `/users/${userId}/adjustments`, gift);
    const reward = { name: "A free coffee", points: 200, codes: "made", stock: 40, brand: "Larkmeadow Market" };
    const added = await client.call("POST", "/rewards", reward);
    const { id } = added.json<{ reward: { id: string } }>().reward;
    await client.call("POST", `/users/${userId}/redemptions`, { rewardId: id, reference: "coffee" });
    await client.until((events) => events.filter((event) => /completed|failed/.test(nameOf(event))).length === 3);
    desks = await startDesks(service);
  });
  after(async () => {
    await desks.stop();
    await service.close();
  });

  test("a person is found, adjusted and looked at by keyboard alone", async () => {
    const desk = await desks.desk([{ role: "manager" }]);
    const { page } = desk;
    await desk.open(`${base()}/people`);
    await desk.look("people-find");
    await desk.tabTo("textbox", "E-mail address or user id");
    await page.keyboard.type("nobody@example.org");
    await desk.press("Enter");
    await page.getByRole("alert").waitFor();
    await desk.tabTo("textbox", "E-mail address or user id");
    await desk.press("ControlOrMeta+A");
    await page.keyboard.type("ada.lovelace@example.org");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "ada.lovelace@example.org" }).waitFor();
    await desk.look("people-person");
    await desk.tabTo("textbox", /^Points/);
    await page.keyboard.type("-50");
    await desk.tabTo("textbox", /^Reason/);
    await page.keyboard.type("Given twice");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "Book this?" }).waitFor();
    await desk.look("people-confirm");
    await desk.tabTo("button", "Book it");
    await desk.press("Enter", "Enter");
    await page.getByRole("status").waitFor();
    const { user } = (await client.call("GET", `/users/${userId}/summary`)).json<{
      user: { lifetimePoints: number };
    }>();
    assert.ok(user);
    const history = await page.getByRole("link", { name: "Adjustment" }).count();
    assert.equal(history, 2, "the opening balance and one of -50");
    await desk.end();
  });

  test("a meal is explained and reversed, a reward shows its voucher, and erasing asks for the address", async () => {
    const desk = await desks.desk([{ role: "manager" }]);
    const { page } = desk;
    await desk.open(`${base()}/people/${userId}`);
    await desk.tabTo("link", /^Reward$/);
    await desk.press("Enter");
    await page.getByText("Not used yet").waitFor();
    await desk.look("people-redemption");
    await desk.open(`${base()}/people/${userId}`);
    await desk.tabTo("link", /^Meal$/);
    await desk.press("Enter");
    await page.getByRole("heading", { name: "How the points came about" }).waitFor();
    await desk.look("people-record");
    await desk.tabTo("textbox", /^Reason/);
    await page.keyboard.type("Not eaten");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "Book this?" }).waitFor();
    await desk.look("people-reverse");
    await desk.tabTo("button", "Book it");
    await desk.press("Enter");
    await page.getByRole("status").waitFor();
    await desk.open(`${base()}/people/${userId}/erase`);
    await desk.look("people-erase");
    await desk.end();
  });

  test("a name gets its meaning by three keys, and a food by a search as one types", async () => {
    const desk = await desks.desk([{ role: "reviewer" }]);
    const { page } = desk;
    await desk.open(`${base()}/names`);
    await page.getByText("j and k choose a name").waitFor();
    await desk.look("names");
    await desk.press("j", "x");
    await page.getByRole("heading", { name: /^What “.+” will mean$/ }).waitFor();
    await desk.look("names-preview");
    assert.match((await page.locator(".meaning").textContent()) ?? "", /Not a food/);
    await desk.open(`${base()}/names`);
    await desk.press("j", "/");
    await page.getByRole("searchbox").waitFor();
    // Keys are off while one types.
    await page.keyboard.type("banana jx", { delay: 20 });
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.locator('input[value="food:banana"]').waitFor();
    await desk.look("names-one");
    await desk.press("Enter");
    await page.getByRole("button", { name: "Apply" }).waitFor();
    await desk.press("Enter");
    await page.getByRole("status").waitFor();
    const { aliases } = (await client.call("GET", "/catalogue/aliases")).json<{ aliases: { foodId: string }[] }>();
    assert.deepEqual(
      aliases.map(({ foodId }) => foodId),
      ["banana"],
    );
    await desk.look("names-done");
    await desk.end();
  });

  test("a reward is added, and its codes, by keyboard alone", async () => {
    const desk = await desks.desk([{ role: "manager" }]);
    const { page } = desk;
    await desk.open(`${base()}/rewards`);
    await desk.look("rewards");
    await desk.tabTo("link", "Add a reward");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "Add a reward" }).waitFor();
    await desk.look("rewards-new");
    await desk.tabTo("textbox", "Name");
    await page.keyboard.type("Cinema ticket");
    await desk.tabTo("textbox", "Price in points");
    await page.keyboard.type("450");
    await desk.tabTo("combobox", "Codes");
    await page.keyboard.type("From");
    await desk.tabTo("button", "Save");
    await desk.press("Enter");
    await page.getByRole("status").waitFor();
    await desk.tabTo("textbox", "New codes");
    await page.keyboard.type("CINE-1\nCINE-2\nCINE-1");
    await desk.tabTo("button", "Add the codes");
    await desk.press("Enter");
    await page.getByText("Codes added: 2.").waitFor();
    await desk.look("rewards-codes");
    await desk.tabTo("link", "Remove…");
    await desk.press("Enter");
    await page.getByRole("button", { name: "Remove it" }).waitFor();
    await desk.look("rewards-remove");
    await desk.end();
  });

  test("a programme is drafted by a form, saved, previewed and published by keyboard alone", async () => {
    const desk = await desks.desk([{ role: "manager" }]);
    const { page } = desk;
    await desk.open(`${base()}/programme`);
    await desk.look("programme-empty");
    await desk.tabTo("link", "New draft");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "Edit a draft" }).waitFor();
    await page.getByRole("textbox", { name: /^JSON/ }).fill('{ "name": "Autumn" }');
    await page.getByText("Points", { exact: true }).first().click();
    await page.locator('[name="points.meal.multiplier"]').fill("2.001");
    await desk.press("Enter");
    await page.locator('[name="json"]', { hasText: "2.001" }).waitFor();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("alert").waitFor();
    await desk.look("programme-errors");
    await page.locator('[name="points.meal.multiplier"]').fill("2");
    await page.getByRole("button", { name: "Put Points into the JSON" }).click();
    await desk.tabTo("button", "Save as a new version");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "Version 1: Autumn" }).waitFor();
    await desk.look("programme-version");
    await desk.tabTo("button", "Preview");
    await desk.press("Enter");
    await page.getByRole("heading", { name: "All points" }).waitFor();
    await desk.look("programme-preview");
    await desk.tabTo("link", "To the version");
    await desk.press("Enter");
    await desk.tabTo("button", "Publish");
    await desk.press("Enter");
    await page.getByRole("status").waitFor();
    await desk.open(`${base()}/programme`);
    await desk.look("programme");
    await desk.end();
  });
});
