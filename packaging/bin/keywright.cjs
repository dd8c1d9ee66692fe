#!/usr/bin/env node
'use strict';
// The command of the package, in syntax that every version of Node parses, so that an older Node prints a
// clear message instead of a syntax error.

const words = process.argv.slice(2);

const [major, minor] = process.versions.node.split('.');
// The oldest version for commands that query a service. Commands that need a newer version check it
// themselves.
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 3)) {
  // Leaves out flags, because their values may be secret.
  const command = words.filter((word) => /^[a-z][a-z-]*$/.test(word)).slice(0, 1);
  process.stderr.write(
    `keywright: keywright needs Node 22.3 or later, and this is ${process.version}\n` +
      // Fetches only Node, because a package named keywright from a registry could be another program.
      `next: npx -p node@26 node "${process.argv[1]}" ${command[0] || 'dev'}\n`,
  );
  process.exitCode = 1;
} else if (words.length === 1 && (words[0] === 'version' || words[0] === '--version')) {
  // Scripts often ask for the version, so it is printed without loading the program.
  process.stdout.write(`keywright ${require('../package.json').version}\n`);
} else {
  // Commands start from few files. The service uses the other entry, which loads hundreds.
  import(words[0] === 'serve' || words[0] === 'dev' ? '../src/main.js' : '../cli/main.js');
}
