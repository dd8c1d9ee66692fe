#!/usr/bin/env node
'use strict';
// The command of the package. Written so that every Node reads it: an older one says what is missing
// rather than fail on what it does not know.

const words = process.argv.slice(2);

const [major, minor] = process.versions.node.split('.');
// The oldest for commands that ask a service; those that need a newer one say so themselves.
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 3)) {
  // Flags are left out: what stands in them may be secret, and is known to whoever typed it.
  const command = words.filter((word) => /^[a-z][a-z-]*$/.test(word)).slice(0, 1);
  process.stderr.write(
    `keywright: keywright needs Node 22.3 or later, and this is ${process.version}\n` +
      // Fetches Node alone: a package named keywright from a registry may be another program.
      `next: npx -p node@26 node "${process.argv[1]}" ${command[0] || 'dev'}\n`,
  );
  process.exitCode = 1;
} else if (words.length === 1 && (words[0] === 'version' || words[0] === '--version')) {
  // What scripts ask for most is told without loading the program.
  process.stdout.write(`keywright ${require('../package.json').version}\n`);
} else {
  // Commands start from few files; what runs the service does without, because it loads hundreds.
  import(words[0] === 'serve' || words[0] === 'dev' ? '../src/main.js' : '../cli/main.js');
}
