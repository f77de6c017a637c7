// Stores the chosen photo in the browser until it has arrived, so that a reload doesn't lose it: phones remove a page
// from memory while the camera app is open. Without storage (private windows) nothing is stored.

/** The longest lifetime of a session. */
const AGE_MS_MAX = 24 * 60 * 60 * 1000;
const STORE = "photos";

/** There is one first photo for each session. */
const photoKey = () => new URLSearchParams(location.search).get("sessionId");
const notesKey = () => `notes ${photoKey()}`;
const partKey = (name) => `part ${photoKey()} ${name}`;

/**
 * Saves the photo chosen on this page, and removes expired photos of other sessions. It saves bytes: a browser may
 * remove the file behind a Blob when its record is written again.
 */
export async function savePhoto(file) {
  const photo = { bytes: await file.arrayBuffer(), name: file.name, type: file.type, at: Date.now() };
  await inStore("readwrite", (store) => {
    const all = store.openCursor();
    all.onsuccess = () => {
      const cursor = all.result;
      if (!cursor) return;
      if (!(Date.now() - cursor.value.at < AGE_MS_MAX)) cursor.delete();
      cursor.continue();
    };
    return store.put(photo, photoKey());
  });
}

/**
 * Saves the notes about the photo: its rotation and the typed texts. They are in the tab's own storage, which has them
 * at once: a reload right after the last letter ends a write to the database.
 */
export function saveNotes(notes) {
  inTab((tab) => tab.setItem(notesKey(), JSON.stringify(notes)));
}

/** Loads the photo that was chosen on this page before, with its notes; null if there is none. */
export async function loadPhoto() {
  const photo = await inStore("readonly", (store) => store.get(photoKey()));
  if (!photo) return null;
  const notes = inTab((tab) => JSON.parse(tab.getItem(notesKey())));
  return { turns: 0, typed: {}, ...notes, file: new File([photo.bytes], photo.name, { type: photo.type }) };
}

/** Saves, or removes, a further photo of the same receipt, by the name of its field. */
export async function savePart(name, file) {
  const part = { bytes: await file.arrayBuffer(), name: file.name, type: file.type, at: Date.now() };
  await inStore("readwrite", (store) => store.put(part, partKey(name)));
}
export function removePart(name) {
  return inStore("readwrite", (store) => store.delete(partKey(name)));
}

/** Loads the further photos that were chosen on this page before, by the names of their fields. */
export async function loadParts(names) {
  const found = new Map();
  for (const name of names) {
    const part = await inStore("readonly", (store) => store.get(partKey(name)));
    if (part) found.set(name, new File([part.bytes], part.name, { type: part.type }));
  }
  return found;
}

/** Removes the further photos of this page. */
export function removeParts() {
  return inStore("readwrite", (store) => store.delete(IDBKeyRange.bound(partKey(""), partKey("\uffff"))));
}

/** Removes the first photo of this page. */
export async function removePhoto() {
  inTab((tab) => tab.removeItem(notesKey()));
  await inStore("readwrite", (store) => store.delete(photoKey()));
}

/** Returns what `work` returns of the tab's storage; null without storage, or if it cannot be read. */
function inTab(work) {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/** Returns the result of the request that `work` makes; null without storage. */
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
