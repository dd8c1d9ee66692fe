// The common options of commands. They follow from the command's reach: local, reads, submits, votes,
// destroys.

import { flag, type Option, option } from '../words/options.ts';
import type { Command, Reach } from './command.ts';

const everywhere = {
  json: flag('Prints one JSON document, with the names of the API.'),
  quiet: flag('Prints ids only.'),
  color: option('WHEN', 'Colours: always, never or auto.'),
  help: flag('Prints this help.'),
};

const reaching = {
  profile: option('NAME', 'Profile to use, made by login.'),
  url: option('URL', 'Address of the service.'),
  organization: option('ID', 'Organization to act in.'),
  credentials: option('FILE', 'File of the key to sign requests with.'),
  'key-passphrase-file': option(
    'FILE',
    'File of the passphrase of that key. Default: a prompt, if the key has a passphrase.',
  ),
  verbose: flag('Shows each request: method, path, time and request id.'),
};

const submitting = {
  'dry-run': flag('Returns the outcome and changes nothing.'),
  curl: flag('Prints the signed request for curl instead of sending it.'),
  wait: option(
    'DURATION',
    'Waits this long for the missing votes, such as 90s or 2h. Without a value: 10m.',
  ),
};

const reading = {
  curl: flag('Prints the signed requests as curl commands instead of the answer.'),
};

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
  yes: flag('Does not ask for confirmation.'),
  'no-input': flag('Never prompts. Exits with 10 if a confirmation is required.'),
};

const voting = {
  yes: flag('Asks nothing. Requires --fingerprint, which names the request.'),
};

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
