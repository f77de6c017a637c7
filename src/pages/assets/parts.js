// Further photos of a long receipt: each is shown as it will be sent, and the next field appears.
import { openPhoto, show, toSend } from "./photo.js";
import { loadParts, removePart, savePart } from "./photo-store.js";

/** Makes the fields comfortable. Returns a function that puts their photos into the form that is sent. */
export function enhanceParts(details, words) {
  const parts = [...details.querySelectorAll(".part")].map((box) => ({
    box,
    input: box.querySelector("input"),
    error: box.querySelector(".error"),
    canvas: box.querySelector("canvas"),
    button: box.querySelector("button"),
    photo: null,
  }));

  /** Shows the fields with a file, and the first one without. */
  const arrange = () => {
    const isEmpty = ({ photo, input }) => !photo && !input.files[0];
    const next = parts.find(isEmpty);
    for (const part of parts) {
      part.box.hidden = isEmpty(part) && part !== next;
      part.canvas.hidden = part.button.hidden = !part.photo;
    }
  };

  const take = async (part, file) => {
    const opened = await openPhoto(file);
    part.photo = opened && { file, turns: 0, ...opened };
    part.error.textContent = opened ? "" : words.unreadable;
    part.error.hidden = opened !== null;
    if (opened) {
      part.input.removeAttribute("aria-invalid");
      show(part.photo, part.canvas);
      details.open = true;
    } else part.input.setAttribute("aria-invalid", "true");
    arrange();
    return opened !== null;
  };

  for (const part of parts) {
    part.input.accept += ",image/webp,image/avif,image/gif,image/bmp";
    part.input.addEventListener("change", async () => {
      const file = part.input.files[0];
      if (file && (await take(part, file))) void savePart(part.input.name, file);
    });
    part.button.addEventListener("click", () => {
      part.photo = null;
      part.input.value = "";
      void removePart(part.input.name);
      arrange();
      part.input.focus();
    });
  }
  arrange();
  void loadParts(parts.map(({ input }) => input.name)).then(async (before) => {
    for (const part of parts) {
      const file = part.input.files[0] ?? before.get(part.input.name);
      if (file && !part.photo) await take(part, file);
    }
  });

  return async (body) => {
    for (const { input, photo } of parts) {
      if (photo) body.set(input.name, await toSend(photo), `${input.name}.jpg`);
      else if (!input.files[0]) body.delete(input.name);
    }
  };
}
