// The organization that the body of a request names, found without parsing the body.

/**
 * Returns the first organization ID in a body, in lower case, or an empty text. The ID is unverified: it
 * selects the queue or the process of a request, never its rights.
 */
export function organizationNamedIn(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const at = text.indexOf('"organizationId"');
  if (at === -1) return '';
  const [, id = ''] = afterName.exec(text.toString('latin1', at, at + longestMember)) ?? [];
  return id.toLowerCase();
}

const afterName = /^"organizationId"\s*:\s*"([^"]{1,36})"/;
const longestMember = 128;
