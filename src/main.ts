#!/usr/bin/env node
// The program. Everything of ours is imported after the first check, so that an older Node says what is
// missing instead of failing on what it does not know.

const [major, minor] = process.versions.node.split('.');
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 3)) {
  process.stderr.write(
    `keywright needs Node 22.3 or later and was started with ${process.version}: use npm start\n`,
  );
  process.exit(1);
}

const { run } = await import('./cli/run.ts');
process.exitCode = await run(process.argv.slice(2));
// A connection that a command left open, for example a kept-alive one, does not hold the process.
if (process.exitCode !== undefined) process.stdout.write('', () => process.exit());
