/** The one module of the page of a list that connects. It is given the first bits of a hash, and never a receipt number. */

/** @param {string} bits @returns {Promise<Uint8Array | null>} what the server says, or null if it says nothing */
export async function askForLeaves(bits) {
  if (!/^[01]*$/.test(bits)) throw new RangeError("a prefix has bits and nothing else");
  const answer = await fetch(`${location.pathname}/leaves-${bits}`, { credentials: "omit" }).catch(() => null);
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}
