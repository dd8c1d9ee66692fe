// Finds the organization in the body of a request without parsing the body.

/**
 * Returns the first organization ID in a body, in lower case, or an empty text. The ID is unverified: it
 * selects the queue or the process of a request, never its rights.
 */
export function organizationNamedIn(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = text.indexOf(name);
  if (at === -1) return '';
  const start = at + name.length;
  // Most clients write a UUID without white space.
  const end = start + shortMember.length + uuidCharacters;
  const isUsual = text[start] === colon && text[start + 1] === quote && text[end] === quote;
  const usual = isUsual ? text.toString('latin1', start + shortMember.length, end) : undefined;
  if (usual !== undefined && !usual.includes('"')) return usual.toLowerCase();
  const [, id = ''] = afterName.exec(text.toString('latin1', at, at + longestMember)) ?? [];
  return id.toLowerCase();
}

const name = '"organizationId"';
const shortMember = ':"';
const [colon, quote] = [0x3a, 0x22];
const uuidCharacters = 36;

const afterName = /^"organizationId"\s*:\s*"([^"]{1,36})"/;
const longestMember = 128;
