// Options of commands that work on the data themselves, beside a service or without one.

import type { Option } from './command.ts';

/** Each is a setting of the service too, see docs/configuration.md. */
export const dataOptions = {
  'data-dir': { kind: 'text', value: 'DIR', summary: 'Data folder of the service: ./data.' },
  'database-url': { kind: 'text', value: 'URL', summary: 'PostgreSQL database of the service.' },
  'root-key-file': { kind: 'text', value: 'FILE', summary: 'File of the root key.' },
  'anchor-file': { kind: 'text', value: 'FILE', summary: 'File of the anchor.' },
} as const satisfies Readonly<Record<string, Option>>;

/** Questions before what cannot be undone, in commands that ask no service. */
export const askingOptions = {
  yes: { kind: 'switch', summary: 'Does it without asking.' },
  'no-input': { kind: 'switch', summary: 'Never asks; ends with 10 where it would.' },
} as const satisfies Readonly<Record<string, Option>>;
