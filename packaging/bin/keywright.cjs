#!/usr/bin/env node
'use strict';
// The command of the package. Written so that every Node reads it: an older one says what is missing
// rather than fail on what it does not know.

/** The oldest Node that asks a service, and the oldest that is the service. */
const oldestClient = 22;
const oldestService = 26;

/** What runs the service, or reads its data, in this process. All other commands are clients. */
const serviceCommands = ['serve', 'dev', 'keys', 'policy', 'webhooks', 'backup', 'restore'];

const words = process.argv.slice(2);
const command = words.find((word) => !word.startsWith('-')) || '';
const asksForHelp = words.includes('--help') || words.includes('-h');
const isService = serviceCommands.includes(command) && !asksForHelp;

const major = Number(process.versions.node.split('.')[0]);
const oldest = isService ? oldestService : oldestClient;
if (major < oldest) {
  process.stderr.write(
    `keywright ${command} needs Node ${oldest} or later, and this is ${process.version}. This fetches one and runs it:\n` +
      `  npx -p node@${oldestService} -p keywright keywright ${command || 'dev'}\n`,
  );
  process.exitCode = 1;
} else {
  // Clients start from few files, because each file that Node loads takes time.
  import(isService ? '../src/main.js' : '../cli/main.js');
}
