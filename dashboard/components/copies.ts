// Formats a request as a curl command, a `keywright api` command, or a program for the client library.

import type { SentRequest } from '../../src/client/errors.ts';

export type Copied = {
  readonly kind: 'query' | 'submit';
  readonly name: string;
  readonly parameters: object;
};

/** Returns a command for POSIX shells. Its stamp is valid for an hour. */
export function asCurl({ url, headers, body }: SentRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl', ...lines, `--data-raw ${quoted(body)}`, quoted(url)].join(' \\\n  ');
}

/** Returns a `keywright api` command with the parameters as its standard input. */
export function asCommand({ name, parameters }: Copied): string {
  // No line of the JSON equals the end marker.
  return `keywright api ${name} --params - <<'END'\n${jsonOf(parameters)}\nEND`;
}

/** Returns a program for the client library. */
export function asTypeScript(
  { name, kind, parameters }: Copied,
  place: { readonly url: string; readonly organizationId: string },
): string {
  const [url, organizationId] = [place.url, place.organizationId].map((text) =>
    JSON.stringify(text),
  );
  return [
    "import { readFileSync } from 'node:fs';",
    "import { apiKey, connect } from '@keywright/client';",
    '',
    "const credentials = JSON.parse(readFileSync('root-credentials.json', 'utf8'));",
    'const stamp = await apiKey(credentials);',
    `const kw = connect({ url: ${url}, organizationId: ${organizationId}, stamp });`,
    `console.log(await kw.${kind}('${name}', ${jsonOf(parameters)}));`,
    '',
  ].join('\n');
}

const jsonOf = (value: object): string => JSON.stringify(value, undefined, 2);

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
