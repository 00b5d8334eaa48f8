/** Asks the server of staff: every request of the editor goes through here. */

/** After so many milliseconds a request is given up. */
const LONGEST = 30_000;

/** @typedef {{ fetch?: typeof fetch, keepalive?: boolean, signal?: AbortSignal }} How */

/**
 * Post something, once more where whoever signed in again has another token by now.
 *
 * @param {string} address
 * @param {string | FormData} body JSON, or a form with a file
 * @param {{ value: string }} token
 * @param {How} [how]
 * @returns {Promise<any>} the answer, with its `status`; of state `unreachable` where there is none
 */
export async function post(address, body, token, how = {}) {
  const answer = await send(address, body, token, how);
  if (answer.state !== "expired" || !answer.token) return answer;
  token.value = answer.token;
  return send(address, body, token, how);
}

/** @param {string} address @param {string | FormData} body @param {{ value: string }} token @param {How} how @returns {Promise<any>} */
async function send(address, body, token, { fetch = globalThis.fetch, ...how }) {
  const headers = { "Accept": "application/json", "X-CSRFToken": token.value, ...(typeof body === "string" && { "Content-Type": "application/json" }) };
  try {
    const response = await fetch(address, { method: "POST", body, headers, redirect: "error", signal: AbortSignal.timeout(LONGEST), ...how });
    const answer = response.headers.get("Content-Type")?.startsWith("application/json") ? await response.json() : {};
    return { state: response.ok ? "done" : "failed", ...answer, status: response.status };
  } catch {
    return { state: "unreachable", status: 0 };
  }
}
