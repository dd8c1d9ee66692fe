// Searches the output of a program for a value in all its forms.

/** A value that must not be found, and its name. */
export type Canary = { readonly what: string; readonly value: Uint8Array };

/** A searched place. */
export type Written = { readonly where: string; readonly bytes: Uint8Array };

/** Minimum length, because shorter values occur by chance. */
const minimumCanaryBytes = 8;

/** Returns the canary of a text that must not be found. */
export function canaryOfText(what: string, text: string): Canary {
  return canaryOfBytes(what, Buffer.from(text));
}

/** Returns the canary of bytes that must not be found. */
export function canaryOfBytes(what: string, value: Uint8Array): Canary {
  if (value.length < minimumCanaryBytes) throw new Error(`${what} is too short to look for`);
  return { what, value };
}

/** Returns a sentence for each found canary: raw, in hex, in base64 or base64url. */
export function tracesOf(canaries: readonly Canary[], written: readonly Written[]): string[] {
  return canaries.flatMap(({ what, value }) => {
    const forms = formsOf(value);
    return written.flatMap(({ where, bytes }) => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const form = forms.find((candidate) => text.includes(candidate.bytes));
      return form === undefined ? [] : [`${what} stands in ${where} (${form.name})`];
    });
  });
}

function formsOf(value: Uint8Array): readonly { name: string; bytes: Buffer }[] {
  const raw = Buffer.from(value);
  const hex = raw.toString('hex');
  const forms = [
    { name: 'raw', bytes: raw },
    { name: 'hex', bytes: Buffer.from(hex) },
    { name: 'upper-case hex', bytes: Buffer.from(hex.toUpperCase()) },
  ];
  // The base64 text of a longer value contains the canary at one of three alignments.
  for (const before of [0, 1, 2]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.concat([Buffer.alloc(before), raw]).toString(encoding);
      // Characters at the edges also contain neighbouring bits.
      const start = Math.ceil((before * 8) / 6);
      const end = Math.floor(((before + raw.length) * 8) / 6);
      forms.push({ name: encoding, bytes: Buffer.from(text.slice(start, end)) });
    }
  }
  return forms;
}
