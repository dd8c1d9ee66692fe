// Looks for a value in what a program has written, in the forms in which it could stand there.

/** A value that must not be found, and what it is. */
export type Canary = { readonly what: string; readonly value: Uint8Array };

/** Where it is looked for. */
export type Written = { readonly where: string; readonly bytes: Uint8Array };

/** Shorter values could be found by chance. */
const minimumCanaryBytes = 8;

/** A text that must not be found. */
export function canaryOfText(what: string, text: string): Canary {
  return canaryOfBytes(what, Buffer.from(text));
}

/** Bytes that must not be found. */
export function canaryOfBytes(what: string, value: Uint8Array): Canary {
  if (value.length < minimumCanaryBytes) throw new Error(`${what} is too short to look for`);
  return { what, value };
}

/** One sentence for each canary that stands somewhere: raw, in hex, in base64 or base64url. */
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
  // A base64 text of something longer holds the value at one of three alignments.
  for (const before of [0, 1, 2]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.concat([Buffer.alloc(before), raw]).toString(encoding);
      // Characters at the edges also hold bits of what stands beside the value.
      const start = Math.ceil((before * 8) / 6);
      const end = Math.floor(((before + raw.length) * 8) / 6);
      forms.push({ name: encoding, bytes: Buffer.from(text.slice(start, end)) });
    }
  }
  return forms;
}
