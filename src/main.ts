#!/usr/bin/env node
// The program. It imports its modules after the check of the version, so that an older Node prints a clear
// message instead of a syntax error.

const [major, minor] = process.versions.node.split('.');
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 3)) {
  process.stderr.write(
    `keywright needs Node 22.3 or later and was started with ${process.version}: use npm start\n`,
  );
  process.exit(1);
}

const { run } = await import('./cli/run.ts');
process.exitCode = await run(process.argv.slice(2));
// Exits even if a command left a connection open, for example a kept-alive one.
if (process.exitCode !== undefined) process.stdout.write('', () => process.exit());
