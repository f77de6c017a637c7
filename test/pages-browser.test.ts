import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import sharp from "sharp";
import { browserMissing } from "./support/browser.ts";
import { ADA } from "./support/pages-under-test.ts";
import { PATIENCE_MS, arrival, choose, evaluate, look, send, startVisits, take } from "./support/pages-visit.ts";
import type { Visits } from "./support/pages-visit.ts";

const FAILURES = {
  MERCHANT_NAME_NOT_FOUND: "which shop",
  NO_VALID_FOOD_ITEMS: "no food on this receipt",
  NOT_AUTHENTIC: "could not confirm",
  ALREADY_EXISTS: "sent before",
  INTERNAL_ERROR: "on our side",
};
const READING = "Reading your receipt";

suite("the hosted pages in a browser", { skip: browserMissing ?? false }, () => {
  let visits: Visits;
  let photo: Buffer;

  before(async () => {
    visits = await startVisits({ areSamplesAllowed: true });
    ({ photo } = visits);
  });
  after(() => visits.stop());

  const received = () => visits.pages.receipts.length;

  test("someone accepts, and is back at the app as an enrolled user", async () => {
    const visit = await visits.enrolment({ email: "accepts@example.com", city: "London", country: "GB" });
    const { page } = visit;
    await look(visit, "consent");
    assert.ok(await page.locator(".brand img").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await page.getByRole("button", { name: "Accept" }).click();
    const query = await arrival(visit);
    assert.equal(query.get("state"), "1");
    assert.equal(query.get("status"), "completed");
    const summary = await visits.pages.call(`/users/${query.get("userId")}/summary`);
    assert.equal(summary.statusCode, 200);
    await visit.end();
  });

  test("accept and decline are equally easy, and at hand without scrolling", async () => {
    const { page, end } = await visits.enrolment();
    const buttons = ["Accept", "Decline"].map((name) => page.getByRole("button", { name }));
    const [accept, decline] = await Promise.all(buttons.map((button) => button.boundingBox()));
    assert.deepEqual([accept!.width, accept!.height], [decline!.width, decline!.height]);
    assert.ok(decline!.y + decline!.height <= 740);
    const colours = buttons.map((button) =>
      button.evaluate((element) => getComputedStyle(element).color + getComputedStyle(element).backgroundColor),
    );
    assert.equal(new Set(await Promise.all(colours)).size, 1);
    await end();
  });

  test("someone declines without JavaScript, and is back at the app", async () => {
    const visit = await visits.enrolment({ email: "declines@example.com" }, { javaScriptEnabled: false });
    await visit.page.getByRole("button", { name: "Decline" }).click();
    assert.equal((await arrival(visit)).get("status"), "declined");
    await visit.end();
  });

  test("an app's own scheme is followed after a form, which the page's policy would otherwise forbid", async () => {
    const { credentials } = await visits.pages.addApplication({ name: "An app" });
    const body = { ...ADA, redirectUri: "myapp://done" };
    const response = await visits.pages.call("/users/enroll/session", body, credentials);
    const url = new URL(response.json<{ redirectUrl: string }>().redirectUrl);
    const { context, end } = await visits.open("/health/none");
    // A page without intercepted requests: Chromium doesn't report the redirects of intercepted ones.
    await context.unrouteAll();
    const page = await context.newPage();
    await page.goto(visits.origin + url.pathname + url.search);
    const [followed] = await Promise.all([
      page.waitForRequest((request) => request.url().startsWith("myapp:"), { timeout: PATIENCE_MS }),
      page.getByRole("button", { name: "Accept" }).click({ noWaitAfter: true }),
    ]);
    assert.match(followed.url(), /^myapp:\/\/done\?status=completed&/);
    await end();
  });

  test("without a redirect the consent ends on a closing page; its used link says so", async () => {
    const visit = await visits.enrolment({ email: "closing@example.com", redirectUri: undefined });
    const address = visit.page.url();
    await visit.page.getByRole("button", { name: "Accept" }).click();
    await visit.page.getByText("You have joined").waitFor();
    await look(visit, "consent-closing");
    await visit.page.goto(address);
    await visit.page.getByText("This link does not work any more").waitFor();
    await look(visit, "used");
    await visit.end();
  });

  test("someone takes a photo and watches it become points, also over a reload, then is led back", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await look(visit, "receipt");
    await take(visit, photo);
    await look(visit, "receipt-preview");
    await send(visit);
    await page.getByText(READING).waitFor();
    const { receiptId, bytes } = visits.last();
    assert.deepEqual(bytes, photo, "a small photo is sent as it is");
    assert.match(page.url(), /\/receipts\/progress\?sessionId=/);
    await look(visit, "progress-uploaded");

    visits.pages.move(receiptId, "Validated");
    await page.getByText("BANANAS LOOSE").waitFor();
    await page.getByRole("status").filter({ hasText: "Checking the receipt: done" }).waitFor({ state: "attached" });
    await look(visit, "progress-validated");
    await page.reload();
    await page.getByText("BANANAS LOOSE").waitFor();

    await page.clock.install();
    visits.pages.move(receiptId, "Completed");
    await page.locator(".points").getByText("14 points").waitFor();
    assert.equal(await evaluate(visit, "document.activeElement.tagName"), "H1");
    await look(visit, "completed");
    await page.clock.runFor(20_000);
    const query = await arrival(visit);
    assert.equal(query.get("status"), "completed");
    assert.equal(query.get("receiptId"), receiptId);
    await visit.end();
  });

  for (const [name, hasScript] of [
    ["with", true],
    ["without", false],
  ] as const) {
    test(`${name} JavaScript someone reports a line, a missing one and the total, is corrected where they mistype, and sees what became of it`, async () => {
      const visit = await visits.receipt({}, { javaScriptEnabled: hasScript });
      const { page } = visit;
      await (hasScript ? take(visit, photo) : choose(visit, photo));
      await send(visit);
      await page.getByText(READING).waitFor();

      visits.pages.move(visits.last().receiptId, "Completed");
      if (!hasScript) await page.reload();
      await page.getByRole("link", { name: "Is something wrong?" }).click();
      await page.getByRole("heading", { name: "What is wrong?" }).waitFor();
      await look(visit, `disputes-${name}-script`);
      await page.getByRole("link", { name: "Oat drink" }).click();
      await page.getByLabel("The price is wrong").check();
      await page.getByLabel("What is right?").fill("three");
      await look(visit, `dispute-line-${name}-script`);
      await page.getByRole("button", { name: "Report it" }).click();
      await page.getByText("Please enter an amount such as 12.50.").waitFor();
      await look(visit, `dispute-error-${name}-script`);
      assert.ok(await page.getByLabel("The price is wrong").isChecked());
      await page.getByLabel("What is right?").fill("3.00");
      await page.getByLabel("Anything else?").fill("It was on offer");
      await page.getByRole("button", { name: "Report it" }).click();
      await page.getByText("Thank you. Green Basket will check it.").waitFor();
      await look(visit, `disputes-reported-${name}-script`);

      await page.getByRole("link", { name: "An item is missing" }).click();
      await look(visit, `dispute-missing-${name}-script`);
      await page.getByLabel("Name of the item").fill("Apples");
      await page.getByLabel("Its price").fill("1,20");
      await page.getByRole("button", { name: "Report it" }).click();
      await page.getByRole("link", { name: "Bananas" }).click();
      await page.getByLabel("I did not buy this").check();
      assert.ok(!(await page.getByLabel("What is right?").isVisible()), "nothing to say");
      await page.getByRole("link", { name: "Choose something else" }).click();
      await page.getByRole("link", { name: "Date" }).click();
      await look(visit, `dispute-date-${name}-script`);
      await page.getByLabel("What is right?").fill("2026-11-19");
      await page.getByRole("button", { name: "Report it" }).click();
      await page.getByText("Wrong date").waitFor();
      assert.deepEqual(
        visits.pages.disputes().map(({ kind, expected, price }) => [kind, expected, price]),
        [
          ["wrong_price", "3", null],
          ["missing_line", "Apples", 1.2],
          ["wrong_date", "2026-11-19", null],
        ],
      );
      visits.pages.decide(0, { state: "rejected", reason: "The receipt says 3.20" });
      visits.pages.decide(1, { state: "accepted", reason: null });
      visits.pages.decide(2, { state: "accepted", reason: null });
      await page.reload();
      await page.getByText("The receipt says 3.20").waitFor();
      await look(visit, `disputes-decided-${name}-script`);
      await page.getByRole("link", { name: "Back to the receipt" }).click();
      await page.getByText("14 points", { exact: true }).waitFor();
      await visit.end();
    });
  }

  test("reports can be made from the keyboard, from right to left, in the dark, on 320 pixels", async () => {
    const small = { viewport: { width: 320, height: 568 }, colorScheme: "dark", locale: "ar-AE" } as const;
    const visit = await visits.receipt({}, small);
    const { page } = visit;
    await take(visit, photo);
    await page.getByRole("button", { name: "إرسال الإيصال" }).click();
    await page.getByText("جارٍ قراءة إيصالك").waitFor();
    visits.pages.move(visits.last().receiptId, "Completed");
    await page.getByRole("link", { name: "هل هناك خطأ؟" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "ما الخطأ؟" }).waitFor();
    await look(visit, "disputes-ar-dark-320");
    await page.getByRole("link", { name: "Carrier bag" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "ما الخطأ في هذا الصنف؟" }).waitFor();
    await page.getByLabel("الاسم خاطئ").focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await look(visit, "dispute-ar-dark-320");
    await page.keyboard.press("Enter");
    await page.getByText("تم الإبلاغ").waitFor();
    assert.equal(visits.pages.disputes().at(-1)!.kind, "not_food");
    await look(visit, "disputes-reported-ar-dark-320");
    await visit.end();
  });

  test("nobody who is reading is led away", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await take(visit, photo);
    await send(visit);
    await page.getByText(READING).waitFor();
    await page.clock.install();
    visits.pages.move(visits.last().receiptId, "Completed");
    await page.getByRole("button", { name: "Stay on this page" }).click();
    await page.clock.runFor(60_000);
    assert.match(page.url(), /\/receipts\/progress/);
    await visit.end();
  });

  test("each failure is explained in plain words, also by polling where events don't arrive", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await page.route("**/receipts/events?*", (route) => route.abort());
    await take(visit, photo);
    await send(visit);
    await page.getByText(READING).waitFor();
    for (const [code, words] of Object.entries(FAILURES)) {
      visits.pages.move(visits.last().receiptId, "Failed", code);
      await page.getByRole("heading", { name: words }).waitFor();
      await look(visit, `failed-${code}`);
      // As it would be for the next person.
      visits.pages.move(visits.last().receiptId, "Uploaded");
      await page.reload();
    }
    await visit.end();
  });

  test("a person uploads a receipt without JavaScript, waits for the result, and finds the link back", async () => {
    const visit = await visits.receipt({}, { javaScriptEnabled: false });
    const { page } = visit;
    await look(visit, "receipt-without-script");
    await choose(visit, photo);
    await send(visit);
    await page.getByText(READING).waitFor();
    await look(visit, "progress-without-script");
    const { receiptId } = visits.last();
    await page.getByRole("link", { name: "Show the result" }).click({ noWaitAfter: true });
    visits.pages.move(receiptId, "Completed");
    await page.locator(".points").waitFor();
    await page.getByRole("link", { name: "Back to Green Basket" }).click();
    assert.equal((await arrival(visit)).get("receiptId"), receiptId);
    await visit.end();
  });

  for (const [name, hasScript] of [
    ["with", true],
    ["without", false],
  ] as const) {
    test(`${name} JavaScript someone sees that their receipt is held, and nothing is requested any more`, async () => {
      const visit = await visits.receipt({}, { javaScriptEnabled: hasScript });
      const { page } = visit;
      await choose(visit, photo);
      if (hasScript) await page.locator("#preview").waitFor();
      await send(visit);
      await page.getByText(READING).waitFor();
      const { receiptId } = visits.last();
      if (!hasScript) await page.getByRole("link", { name: "Show the result" }).click({ noWaitAfter: true });
      if (hasScript) await page.clock.install();
      visits.pages.move(receiptId, "Held");
      await page.getByRole("heading", { name: "Your receipt is being checked" }).waitFor();
      await page.getByText("Somebody at Green Basket will look at it").waitFor();
      await look(visit, `held-${name}-script`);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      if (hasScript) {
        await page.locator("#stay").click();
        await page.clock.runFor(60_000);
        assert.deepEqual(requests, [], "neither polled nor streamed");
      }
      await page.getByRole("link", { name: "Back to Green Basket" }).click();
      assert.equal((await arrival(visit)).get("receiptId"), receiptId);
      await visit.end();
    });
  }

  test("a file that is no photo gets an error beside the field, and the next one is accepted", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await choose(visit, Buffer.from("GIF89a"));
    await page.getByText("not a photo we can read").waitFor();
    await look(visit, "receipt-error");
    // It may be sent all the same: the service has the last word, and says it at the same place.
    await send(visit);
    await page.locator("form:not(.has-file) #image-error").getByText("not a photo we can read").waitFor();
    await take(visit, photo);
    await send(visit);
    await page.getByText(READING).waitFor();
    await visit.end();
  });

  test("a picture that the service does not take is sent as JPEG if the browser shows it", async () => {
    const visit = await visits.receipt();
    await take(visit, await sharp(photo).resize(400).webp().toBuffer());
    await send(visit);
    await visit.page.getByText(READING).waitFor();
    const { format, width } = await sharp(visits.last().bytes).metadata();
    assert.deepEqual([format, width], ["jpeg", 400]);
    await visit.end();
  });

  test("someone adds further photos of a long receipt, takes one away, reloads, and all that are left are sent", async () => {
    const visit = await visits.receipt({}, { viewport: { width: 360, height: 740 } });
    const { page } = visit;
    const part = (number: number) => page.locator(`#receiptImage${number}`);
    const file = (buffer: Buffer) => ({ name: "part.jpg", mimeType: "image/jpeg", buffer });
    await take(visit, photo);
    await page.getByText("Long receipt? Add another part").click();
    assert.deepEqual(await Promise.all([2, 3].map((number) => part(number).isVisible())), [true, false]);
    await part(2).setInputFiles(file(await sharp(photo).resize(300).webp().toBuffer()));
    await part(3).setInputFiles(file(await sharp(photo).resize(320).jpeg().toBuffer()));
    await page.getByRole("img", { name: "Photo 3" }).waitFor();
    await look(visit, "receipt-parts");
    await page
      .locator(".part", { has: part(2) })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.reload();
    await page.locator("#preview").waitFor();
    await page.getByRole("img", { name: "Photo 3" }).waitFor();
    await part(2).setInputFiles(file(Buffer.from("no picture")));
    await page.locator(".part .error").getByText("not a photo we can read").waitFor();
    await look(visit, "receipt-part-error");
    await part(2).setInputFiles(file(await sharp(photo).resize(310).jpeg().toBuffer()));
    await page.getByRole("img", { name: "Photo 2" }).waitFor();
    await send(visit);
    await page.getByText(READING).waitFor();
    const sizes = await Promise.all(visits.last().more.map(async (bytes) => (await sharp(bytes).metadata()).width));
    assert.deepEqual(sizes, [310, 320]);
    await visit.end();
  });

  test("without JavaScript further photos are plain fields, and those left empty are left out", async () => {
    const visit = await visits.receipt({}, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const { page } = visit;
    await choose(visit, photo);
    await page.getByText("Long receipt? Add another part").click();
    await look(visit, "receipt-parts-without-script");
    const second = await sharp(photo).resize(300).jpeg().toBuffer();
    await page.setInputFiles("#receiptImage4", { name: "part.jpg", mimeType: "image/jpeg", buffer: second });
    await send(visit);
    await page.getByText(READING).waitFor();
    assert.deepEqual(visits.last().more, [second]);
    await visit.end();
  });

  test("a wrong detail gets an error beside its field, and the photo is still there", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await take(visit, photo);
    await page.getByText("Shop or total hard to read?").click();
    await page.getByLabel("Name of the shop").fill("Corner Shop");
    await page.getByLabel("Total paid").fill("twelve");
    await send(visit);
    await page.getByText("Please enter an amount such as 12.50.").waitFor();
    await page.locator("#preview").waitFor();
    assert.equal(await evaluate(visit, "document.activeElement.id"), "amount");
    await look(visit, "receipt-detail-error");
    await page.getByLabel("Total paid").fill("12,50");
    await send(visit);
    await page.getByText(READING).waitFor();
    assert.partialDeepStrictEqual(visits.last(), { merchantName: "Corner Shop", amount: 12.5 });
    await visit.end();
  });

  test("a photo from a phone is turned as its EXIF says, scaled down, and turned as the person likes", async () => {
    const visit = await visits.receipt();
    // A picture on its side, with a dark corner that is at the top left when it is upright.
    const corner = await sharp({ create: { width: 900, height: 700, channels: 3, background: "#222" } })
      .png()
      .toBuffer();
    const lying = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: "#eee" } })
      .composite([{ input: corner, left: 0, top: 2300 }])
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    await take(visit, lying);
    for (let turns = 0; turns < 3; turns++) await visit.page.getByRole("button", { name: "Rotate" }).click();
    await send(visit);
    await visit.page.getByText(READING).waitFor();
    const { bytes } = visits.last();
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    assert.deepEqual([width, height], [2000, 1500]);
    assert.equal(exif, undefined);
    assert.equal(orientation, undefined);
    const shade = async (left: number, top: number) =>
      (await sharp(bytes).extract({ left, top, width: 1, height: 1 }).greyscale().raw().toBuffer())[0]!;
    assert.ok((await shade(60, 1440)) < 80, "turned back by three quarters, the corner is at the lower left");
    assert.ok((await shade(60, 60)) > 200);
    assert.ok((await shade(1940, 1440)) > 200);
    await visit.end();
  });

  test("advice is given on a photo with little chance, and it can be sent all the same", async () => {
    const visit = await visits.receipt();
    const poor = await sharp(photo).resize(400).linear(0.25, 0).blur(4).jpeg().toBuffer();
    await take(visit, poor);
    await visit.page.getByText("The photo is small.").waitFor();
    await visit.page.getByText("The photo is rather dark.").waitFor();
    await look(visit, "receipt-advice");
    await send(visit);
    await visit.page.getByText(READING).waitFor();
    await visit.end();
  });

  test("a photo goes on by itself when the line comes back; one that had arrived is not sent twice", async () => {
    const visit = await visits.receipt();
    const { page, context } = visit;
    await take(visit, photo);
    const before = received();
    await context.setOffline(true);
    await send(visit);
    await page.getByText("No connection. Your photo is kept").waitFor();
    await look(visit, "receipt-offline");
    // It arrives now, and what comes back is a page of something on the way.
    await page.route("**/receipts?*", async (route) => {
      await route.fetch();
      await route.fulfill({ status: 413, contentType: "text/html", body: "<h1>Too large</h1>" });
    });
    await context.setOffline(false);
    await page.getByText(READING).waitFor();
    assert.equal(received(), before + 1);
    await visit.end();
  });

  test("a photo that was chosen survives a reload and a switch of the language; sent on two pages it counts once", async () => {
    const visit = await visits.receipt();
    const { page, context } = visit;
    await take(visit, photo);
    await page.getByText("Shop or total hard to read?").click();
    await page.getByLabel("Name of the shop").fill("Corner Shop");
    await page.reload();
    await page.locator("#preview").waitFor();
    assert.equal(await page.getByLabel("Name of the shop").inputValue(), "Corner Shop");
    await page.getByText("Language: English").click();
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("button", { name: "Kassenzettel senden" }).waitFor();

    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("#preview").waitFor();
    const before = received();
    for (const one of [page, other]) await one.getByRole("button", { name: "Kassenzettel senden" }).click();
    for (const one of [page, other]) await one.getByText("Ihr Kassenzettel wird gelesen").waitFor();
    assert.equal(received(), before + 1);
    await visit.end();
  });

  test("a reload in the middle of sending shows what became of it", async () => {
    const visit = await visits.receipt();
    const { page } = visit;
    await take(visit, photo);
    const before = received();
    await page.route("**/receipts?*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      // The response never comes.
    });
    await send(visit);
    while (received() === before) await new Promise((resolve) => setTimeout(resolve, 50));
    await page.reload();
    await page.getByText(READING).waitFor();
    visits.pages.move(visits.last().receiptId, "Completed");
    await page.locator(".points").waitFor();
    assert.equal(received(), before + 1);
    await visit.end();
  });

  test("from right to left, in the dark, on 320 pixels: all of it holds", async () => {
    const small = { viewport: { width: 320, height: 568 }, colorScheme: "dark", locale: "ar-AE" } as const;
    const consent = await visits.enrolment({}, small);
    assert.equal(await evaluate(consent, "document.dir + document.documentElement.lang"), "rtlar");
    await look(consent, "consent-ar-dark-320");
    await consent.end();
    const visit = await visits.receipt({}, small);
    await look(visit, "receipt-ar-dark-320");
    await take(visit, photo);
    await look(visit, "receipt-preview-ar-dark-320");
    await visit.page.getByRole("button", { name: "إرسال الإيصال" }).click();
    await visit.page.getByText("جارٍ قراءة إيصالك").waitFor();
    visits.pages.move(visits.last().receiptId, "Completed");
    await visit.page.locator(".points").getByText("14 نقطة").waitFor();
    await look(visit, "completed-ar-dark-320");
    await visit.end();
  });

  test("everything can be done from the keyboard, in an order that makes sense, and the focus is never hidden", async () => {
    const visit = await visits.enrolment({ email: "keys@example.com" });
    const { page } = visit;
    const stops: string[] = [];
    const isOnTop = `(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2))(
      document.activeElement.getBoundingClientRect()) === document.activeElement`;
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press("Tab");
      stops.push(await evaluate<string>(visit, "document.activeElement.textContent"));
      assert.ok(await evaluate(visit, isOnTop), `stop ${i} is covered`);
    }
    assert.deepEqual(stops, ["Language: English", "Accept and join", "Decline"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    assert.equal((await arrival(visit)).get("status"), "completed");
    await visit.end();
  });

  test("the landing page opens each hosted page with a sample", async () => {
    const visit = await visits.open("/", { colorScheme: "dark" });
    const { page } = visit;
    await look(visit, "landing");
    // The sample's address is the configured one, which is not that of the test.
    for (const [button, path] of [
      ["consent", "/enroll"],
      ["receipt", "/receipts"],
    ] as const) {
      const landing = await visit.context.newPage();
      await landing.goto(`${visits.origin}/`);
      const hosted = `https://pages.example${path}?sessionId=`;
      const followed = landing.waitForRequest((request) => request.url().startsWith(hosted));
      await landing.getByRole("button", { name: `Open the ${button} page` }).click({ noWaitAfter: true });
      await followed;
      await landing.close();
    }
    await page.goto(`${visits.origin}/problems/session-not-found`);
    await look(visit, "problem");
    await visit.end();
  });

  test("without a redirect the receipt page says that it can be closed, and closes itself where it may", async () => {
    const visit = await visits.receipt({ redirectUri: undefined });
    const { page, context } = visit;
    await take(visit, photo);
    await send(visit);
    await page.getByText(READING).waitFor();
    visits.pages.move(visits.last().receiptId, "Completed");
    await page.getByText("You can close this page.").waitFor();
    await look(visit, "completed-closing");
    // A page may close itself when an app's own page opened it.
    await context.clock.install();
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.evaluate((address) => void window.open(address), page.url()),
    ]);
    await opened.getByText("You can close this page.").waitFor();
    let isClosed = false;
    const closed = opened.waitForEvent("close", { timeout: PATIENCE_MS }).then(() => (isClosed = true));
    // Its script may still be loading when its text is there, and sets its timer only then. The clock also runs in the
    // page that closes, and is cut off there.
    while (!isClosed) await Promise.race([closed, page.clock.runFor(20_000).catch(() => {})]);
    await visit.end();
  });
});
