/** Calls the API of a service: a body is sent as JSON, or as a form. Rejects unless the response is good. */
export type Call = <Body>(method: "GET" | "POST", path: string, body?: object | FormData) => Promise<Body>;

/** As the application whose credentials are in the headers. */
export function callerOf(url: string, headers: Readonly<Record<string, string>>): Call {
  return async <Body>(method: string, path: string, body?: object | FormData) => {
    const separator = path.includes("?") ? "&" : "?";
    const response = await fetch(`${url}${path}${separator}api-version=1.0`, {
      method,
      ...withBody(headers, body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text.slice(0, 500)}`);
    return (text === "" ? null : JSON.parse(text)) as Body;
  };
}

function withBody(headers: Readonly<Record<string, string>>, body: object | FormData | undefined) {
  if (body === undefined) return { headers };
  if (body instanceof FormData) return { headers, body };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}
