// The options of all commands with the same reach.

import type { Command, Option, Reach } from './command.ts';

const everywhere = {
  json: { kind: 'switch', summary: 'Prints one JSON document, with the names of the API.' },
  quiet: { kind: 'switch', summary: 'Prints ids only.' },
  color: { kind: 'text', value: 'WHEN', summary: 'Colours: always, never or auto.' },
  help: { kind: 'switch', summary: 'Prints this help.' },
} as const satisfies Readonly<Record<string, Option>>;

const reaching = {
  profile: { kind: 'text', value: 'NAME', summary: 'Profile to use, made by login.' },
  url: { kind: 'text', value: 'URL', summary: 'Address of the service.' },
  organization: { kind: 'text', value: 'ID', summary: 'Organization to act in.' },
  credentials: { kind: 'text', value: 'FILE', summary: 'File of the key to sign requests with.' },
  'key-passphrase-file': {
    kind: 'text',
    value: 'FILE',
    summary: 'File of the passphrase of that key; typed if absent, and the key has one.',
  },
  verbose: { kind: 'switch', summary: 'Shows each request: method, path, time and request id.' },
} as const satisfies Readonly<Record<string, Option>>;

const submitting = {
  'dry-run': { kind: 'switch', summary: 'Asks what would happen, and changes nothing.' },
  curl: { kind: 'switch', summary: 'Prints the signed request for curl instead of sending it.' },
  wait: {
    kind: 'text',
    value: 'DURATION',
    summary: 'Waits for the votes that are missing, such as 90s, 10m or 2h; 10m without a value.',
  },
} as const satisfies Readonly<Record<string, Option>>;

const reading = {
  curl: {
    kind: 'switch',
    summary: 'Prints the signed requests as curl commands instead of the answer.',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** Reading commands without `--curl`: they verify, follow, sign locally, or send several requests. */
const withoutCurl: ReadonlySet<string> = new Set([
  'activity watch',
  'dashboard',
  'dashboard verify',
  'doctor',
  'mcp',
  'migrate plan',
  'migrate verify',
  'stamp',
  'status',
  'verify proof',
  'verify webhook',
  'webhook listen',
  'webhook verify',
]);

const destroying = {
  yes: { kind: 'switch', summary: 'Does it without asking.' },
  'no-input': { kind: 'switch', summary: 'Never asks; ends with 10 where it would.' },
} as const satisfies Readonly<Record<string, Option>>;

const voting = {
  yes: {
    kind: 'switch',
    summary: 'Asks nothing: needs --fingerprint, which says what is voted on.',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The common options of each reach. */
const optionsOf: Readonly<Record<Reach, Readonly<Record<string, Option>>>> = {
  local: everywhere,
  reads: { ...reaching, ...everywhere },
  submits: { ...submitting, ...reaching, ...everywhere },
  votes: { ...voting, 'no-input': destroying['no-input'], ...reaching, ...everywhere },
  destroys: { ...destroying, ...submitting, ...reaching, ...everywhere },
};

/** Returns the common options of a command. */
export function commonOptions({
  reach,
  words,
}: Pick<Command, 'reach' | 'words'>): Readonly<Record<string, Option>> {
  const options = optionsOf[reach];
  return reach === 'reads' && !withoutCurl.has(words.join(' '))
    ? { ...reading, ...options }
    : options;
}

/** The value of `--wait` without a value. */
export const usualWait = '10m';
