// Loaded before a command: writes the files that it has loaded, a line each, in place of its first request.

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
