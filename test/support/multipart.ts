/** A form as it is uploaded; a member of `fields` is one field, or several. */
export interface Form {
  readonly fields: Record<string, string | string[]>;
  readonly image?: Buffer;
  /** Further photos, by the names of their fields. */
  readonly parts?: readonly (readonly [name: string, image: Buffer])[];
}

/** Encodes a form. The image has a name that must never become a path. */
export async function multipart(form: Form): Promise<{ headers: { "content-type": string }; payload: Buffer }> {
  const body = new FormData();
  for (const [name, values] of Object.entries(form.fields)) {
    for (const value of [values].flat()) body.append(name, value);
  }
  if (form.image) body.append("receiptImage", new Blob([new Uint8Array(form.image)]), "../../etc/receipt.jpg");
  for (const [name, image] of form.parts ?? []) body.append(name, new Blob([new Uint8Array(image)]), "part.jpg");
  const request = new Request("http://x", { method: "POST", body });
  const headers = { "content-type": request.headers.get("content-type")! };
  return { headers, payload: Buffer.from(await request.arrayBuffer()) };
}
