// Keeps the chosen photo in the browser until it has arrived, so that a reload doesn't lose it: phones throw a page out
// of memory while the camera's app is open. Where nothing may be stored (private windows), nothing is kept.

/** As long as a session may last. */
const KEPT_MS_MAX = 24 * 60 * 60 * 1000;
const STORE = "photos";

/** One photo for the session of this page. */
const photoKey = () => new URLSearchParams(location.search).get("sessionId");
const notesKey = () => `notes ${photoKey()}`;

/**
 * Keeps the photo chosen on this page, and forgets what other sessions left behind. As bytes: a browser may take away
 * the file behind a Blob as soon as its record is written anew.
 */
export async function keep(file) {
  const photo = { bytes: await file.arrayBuffer(), name: file.name, type: file.type, at: Date.now() };
  await inStore("readwrite", (store) => {
    const all = store.openCursor();
    all.onsuccess = () => {
      const cursor = all.result;
      if (!cursor) return;
      if (!(Date.now() - cursor.value.at < KEPT_MS_MAX)) cursor.delete();
      cursor.continue();
    };
    return store.put(photo, photoKey());
  });
}

/** Keeps what was done about it: how it was turned, what was typed. */
export function note(notes) {
  return inStore("readwrite", (store) => store.put({ ...notes, at: Date.now() }, notesKey()));
}

/** What was chosen on this page before, with its notes; null when nothing was. */
export async function kept() {
  const photo = await inStore("readonly", (store) => store.get(photoKey()));
  if (!photo) return null;
  const notes = await inStore("readonly", (store) => store.get(notesKey()));
  return { turns: 0, typed: {}, ...notes, file: new File([photo.bytes], photo.name, { type: photo.type }) };
}

/** Forgets what was chosen on this page. */
export async function forget() {
  for (const key of [photoKey(), notesKey()]) await inStore("readwrite", (store) => store.delete(key));
}

/** The result of what `work` asks of the store; null where there is no store. */
async function inStore(mode, work) {
  try {
    const database = await resultOf(open());
    const request = work(database.transaction(STORE, mode).objectStore(STORE));
    const result = await resultOf(request);
    database.close();
    return result ?? null;
  } catch {
    return null;
  }
}

function open() {
  const request = indexedDB.open("receipts", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return request;
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
