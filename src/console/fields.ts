/** Returns the fields of a form; those of a request without a form are none. */
export function fieldsOf({ body }: { readonly body?: unknown }): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
