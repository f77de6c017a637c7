// Makes passkeys, and signs in by them: [data-passkey] holds the button, and the addresses of the two steps.

const canUse =
  typeof PublicKeyCredential === "function" &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function" &&
  !/^[\d.]+$|:/.test(location.hostname);

for (const box of canUse ? document.querySelectorAll("[data-passkey]") : []) {
  const [button, failed, unavailable] = ["button", "[role=alert]", "[data-unavailable]"].map((selector) =>
    box.querySelector(selector),
  );
  const fields = () => [...box.querySelectorAll("input[type=hidden]")].map(({ name, value }) => [name, value]);
  const send = async (address, more = []) => {
    const response = await fetch(address, { method: "POST", body: new URLSearchParams([...fields(), ...more]) });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  const isNew = box.dataset.passkey === "create";
  button.hidden = false;
  if (unavailable) unavailable.hidden = true;
  button.addEventListener("click", async () => {
    button.disabled = true;
    failed.hidden = true;
    try {
      const options = await send(box.dataset.options);
      const credential = isNew
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      const { next } = await send(box.dataset.send, [["response", JSON.stringify(credential)]]);
      location.assign(next);
    } catch {
      failed.hidden = false;
      button.disabled = false;
    }
  });
}
