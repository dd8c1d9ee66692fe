// The memory of an idle service. Both processes map the pages of Node itself. These pages are in memory once,
// so they count once. The sum of two lines of `ps` counts them twice: that figure is some 60 MiB higher, and
// is printed too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { startDevOf } from '../e2e/dev_service.ts';
import { childrenOf, startService, temporaryDirectory, until } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { installedService } from './packed.ts';

const { test } = testsThatNeed(
  process.platform === 'linux' ? undefined : 'needs /proc for the resident pages',
);

type Resident = { readonly once: number; readonly twice: number };

/**
 * Returns the MiB of a process and its children, once with shared pages counted once, and once with them
 * counted for each process.
 */
function residentOf(pid: number): Resident {
  const files = new Map<string, number>();
  let [anonymous, all] = [0, 0];
  for (const each of [pid, ...childrenOf(pid)]) {
    const own = new Map<string, number>();
    let name = '';
    let rss = 0;
    for (const line of readFileSync(`/proc/${each}/smaps`, 'utf8').split('\n')) {
      // Device, inode and path name a mapped file. A mapping without an inode belongs to the process alone.
      const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ (\S+ \d+)/.exec(line);
      if (mapping !== null) name = mapping[1] ?? '';
      const [, field, text] = /^(Rss|Anonymous): +(\d+) kB/.exec(line) ?? [];
      const kib = Number(text);
      if (field === 'Rss') {
        rss = kib;
        all += kib;
      }
      if (field === 'Anonymous') {
        anonymous += kib;
        own.set(name, (own.get(name) ?? 0) + rss - kib);
      }
    }
    for (const [file, kib] of own) files.set(file, Math.max(files.get(file) ?? 0, kib));
  }
  const mapped = [...files.values()].reduce((sum, kib) => sum + kib, 0);
  return { once: (anonymous + mapped) / 1024, twice: all / 1024 };
}

/** Waits until the memory of the start is returned, and returns both figures as a sentence. */
async function settlesAt(pid: number, most: number): Promise<string> {
  let least: Resident = { once: Number.POSITIVE_INFINITY, twice: 0 };
  const isReached = () => {
    const now = residentOf(pid);
    if (now.once < least.once) least = now;
    return least.once <= most;
  };
  await until(`at most ${most} MiB are resident`, isReached, { everyMs: 500 }).catch(() => {});
  const figures = `${least.once.toFixed(0)} MiB with shared pages counted once, ${least.twice.toFixed(0)} MiB for each process`;
  assert(least.once <= most, figures);
  return figures;
}

test('keywright dev of the package takes at most 150 MB', async (t) => {
  const { launcher } = await installedService();
  const dev = await startDevOf(launcher, temporaryDirectory());
  t.diagnostic(await settlesAt(dev.pid, 143));
  await dev.stop();
});

// The flags are those of the script `start`. The first start caches the compiled sources, so the gateway of a
// later start loads no TypeScript compiler.
test('npm start takes at most 150 MiB, from its second start on', async (t) => {
  const start = {
    dataDirectory: temporaryDirectory(),
    program: ['--min-semi-space-size=2', '--max-semi-space-size=8', 'src/main.ts'],
    environment: { NODE_COMPILE_CACHE: temporaryDirectory() },
  };
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.match(
    scripts.start,
    /^NODE_COMPILE_CACHE=.* exec node --min-semi-space-size=2 --max-semi-space-size=8 /,
  );
  await (await startService(start)).stop();
  const service = await startService(start);
  t.diagnostic(await settlesAt(service.pid, 150));
  await service.stop();
});
