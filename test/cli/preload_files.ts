// Loaded before a command: instead of sending the first request, it prints the loaded files, one per line.

import { registerHooks } from 'node:module';

const files = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    files.add(url);
    return next(url, context);
  },
});

globalThis.fetch = () => {
  process.stdout.write([...files].join('\n'));
  process.exit(0);
};
