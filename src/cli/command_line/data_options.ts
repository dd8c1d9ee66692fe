// Options of commands that access the data directly, with or without a running service.

import type { Option } from './command.ts';

/** Each option is also a setting of the service, see docs/configuration.md. */
export const dataOptions = {
  'data-dir': { kind: 'text', value: 'DIR', summary: 'Data folder of the service: ./data.' },
  'database-url': { kind: 'text', value: 'URL', summary: 'PostgreSQL database of the service.' },
  'root-key-file': { kind: 'text', value: 'FILE', summary: 'File of the root key.' },
  'anchor-file': { kind: 'text', value: 'FILE', summary: 'File of the anchor.' },
} as const satisfies Readonly<Record<string, Option>>;

/** Options for the confirmation of irreversible commands that do not connect to a service. */
export const askingOptions = {
  yes: { kind: 'switch', summary: 'Does it without asking.' },
  'no-input': { kind: 'switch', summary: 'Never asks; ends with 10 where it would.' },
} as const satisfies Readonly<Record<string, Option>>;
