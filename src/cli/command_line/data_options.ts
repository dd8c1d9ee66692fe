// Options of commands that access the data directly, with or without a running service.

import { flag, option } from '../words/options.ts';

/** Each option is also a setting of the service, see docs/configuration.md. */
export const dataOptions = {
  'data-dir': option('DIR', 'Data folder of the service. Default: ./data.'),
  'database-url': option('URL', 'PostgreSQL database of the service.'),
  'root-key-file': option('FILE', 'File of the root key.'),
  'anchor-file': option('FILE', 'File of the anchor.'),
};

/** Options for the confirmation of irreversible commands that do not connect to a service. */
export const askingOptions = {
  yes: flag('Does not ask for confirmation.'),
  'no-input': flag('Never prompts. Exits with 10 if a confirmation is required.'),
};
