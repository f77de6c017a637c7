import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "node:test";
import { JSON_TYPE, problemIn, startRequests } from "./support/requests.ts";
import type { Requests } from "./support/requests.ts";

let requests: Requests;
before(async () => {
  requests = await startRequests();
});
after(() => requests.service.close());

describe("a body", () => {
  const broken: Record<string, string | Buffer> = {
    "that is empty": "",
    "that is cut": JSON.stringify({ a: 1 }).slice(0, -1),
    "that is no JSON": "userId=1",
    "with a trailing comma": '{"a":1,}',
    "of two documents": "{}{}",
    "with comments": '{/* no */"a":1}',
    "with NaN": '{"weight":NaN}',
    "with invalid UTF-8": Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    "with a raw NUL": '{"a":"\0"}',
    "of 100,000 brackets": "[".repeat(100_000),
    "of 100,000 brackets, closed": "[".repeat(100_000) + "]".repeat(100_000),
    "with __proto__": '{"__proto__":{"isAdmin":true}}',
    "with __proto__ in disguise": '{"metadata":{"\\u005f_proto__":{}}}',
    "with constructor.prototype": '{"metadata":{"constructor":{"prototype":{}}}}',
  };
  for (const [name, body] of Object.entries(broken)) {
    test(`${name} is malformed, quickly`, () =>
      requests.storingNothing(async () => {
        const start = performance.now();
        for (const path of ["/track/meals", "/track/food", "/users/enroll"]) {
          assert.equal(problemIn(await requests.send(path, body), 400)["code"], "MalformedBody");
        }
        assert.ok(performance.now() - start < 5_000);
      }));
  }

  test("that is JSON but not an object is refused", async () => {
    for (const body of ["[]", "null", "5", '"x"', "true"]) {
      for (const path of ["/track/meals", "/track/food", "/users/enroll", "/users/enroll/session"]) {
        problemIn(await requests.send(path, body), 400);
      }
    }
  });

  test("without content or type is refused", async () => {
    const url = "/track/meals?api-version=1.0";
    problemIn(
      await requests.service.app.server.inject({ method: "POST", url, headers: requests.client.headers }),
      400,
      415,
    );
  });

  test("of another type, charset or coding is unsupported", async () => {
    const body = JSON.stringify(requests.meal());
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]) {
      problemIn(await requests.send("/track/meals", body, type), 415);
    }
    problemIn(await requests.send("/track/meals", Buffer.from(body, "utf16le"), `${JSON_TYPE}; charset=utf-16`), 415);
    problemIn(await requests.send("/track/meals", gzipSync(body), JSON_TYPE, { "content-encoding": "gzip" }), 415);
    assert.equal((await requests.send("/track/meals", body, `${JSON_TYPE}; charset="UTF-8"`)).statusCode, 202);
  });

  test("over 1 MiB is too large", () =>
    requests.storingNothing(async () => {
      problemIn(
        await requests.send("/track/meals", JSON.stringify(requests.meal({ x: "a".repeat(1024 * 1024) }))),
        413,
      );
    }));

  test("with very many values gets a short response", async () => {
    const bomb = `{"ingredients":[${Array(340_000).fill("{}").join(",")}]}`;
    const start = performance.now();
    const response = await requests.send("/track/meals", bomb);
    problemIn(response, 413);
    assert.ok(response.body.length < 1_000);
    assert.ok(performance.now() - start < 2_000);
  });

  test("with an object of very many names is refused before it is parsed", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`name${index}`, 1]));
    for (const body of [
      { ...requests.meal(), metadata },
      { ...requests.meal(), ...metadata },
    ]) {
      const response = await requests.send("/track/meals", JSON.stringify(body));
      assert.match(String(problemIn(response, 413)["detail"]), /an object has more than/i);
    }
  });

  test("of a megabyte has a turn of its own: what comes with several of them gets its response in between", async () => {
    const large = JSON.stringify({ ...requests.meal(), metadata: { text: "x".repeat(900_000) } });
    let responses = 0;
    const count = <Response>(response: Response) => {
      responses++;
      return response;
    };
    const all = Array.from({ length: 8 }, () => requests.send("/track/meals", large).then(count));
    const small = requests.send("/track/meals", "[]").then(() => responses);
    assert.ok((await small) < 8, "it waited for all of them");
    for (const response of await Promise.all(all)) problemIn(response, 400);
  });

  test("with very many errors gets a short response", async () => {
    const many = (count: number, entry: string) => Array(count).fill(entry).join(",");
    const meal = JSON.stringify(requests.meal());
    for (const [body, path] of [
      [`${meal.slice(0, -1)},"ingredients":[${many(9_000, "{}")}]}`, "ingredients"],
      [`${meal.slice(0, -1)},"ingredients":[${many(19_000, "1")}]}`, "ingredients"],
      [`${meal.slice(0, -1)},"metadata":[${many(19_000, '"\\u0000"')}]}`, "metadata[0]"],
    ] as const) {
      const response = await requests.send("/track/meals", body);
      assert.ok(path in problemIn(response, 400).errors!);
      assert.ok(response.body.length < 20_000, `${response.body.length} bytes`);
    }
  });

  test("with NUL or half a surrogate pair is refused, with the path of that member", async () => {
    const at = async (over: object) =>
      Object.keys(problemIn(await requests.client.call("POST", "/track/meals", requests.meal(over)), 400).errors!);
    assert.deepEqual(await at({ mealName: "a\0b" }), ["mealName"]);
    assert.deepEqual(await at({ location: "\ud800" }), ["location"]);
    assert.deepEqual(await at({ metadata: { note: "\udc00x" } }), ["metadata.note"]);
    assert.deepEqual(await at({ metadata: { "k\0": 1 } }), ["metadata"]);
    assert.deepEqual(await at({ ingredients: [{ foodId: "1", name: "a\0" }] }), ["ingredients[0].name"]);
  });

  test("may have metadata with 32 levels and 16 KiB, but not more", async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
    const status = async (metadata: object) =>
      (await requests.client.call("POST", "/track/meals", requests.meal({ metadata }))).statusCode;
    assert.deepEqual([await status(nested(32)), await status(nested(33))], [202, 400]);
    assert.deepEqual([await status({ a: "x".repeat(16_376) }), await status({ a: "x".repeat(16_377) })], [202, 400]);
    problemIn(
      await requests.send(
        "/track/meals",
        JSON.stringify(requests.meal()).slice(0, -1) + `,"metadata":${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}}`,
      ),
      400,
    );
  });
});
