// The command that runs many races and prints the failed ones, for all race suites.

import { parseArgs } from 'node:util';

export type RaceResult = {
  /** Violations; empty if the race passed. */
  readonly complaints: readonly string[];
  readonly log: readonly string[];
  /** Number of occurrences of each outcome. */
  readonly counts: ReadonlyMap<string, number>;
};

/** One kind of races: runs a race from its seed, and returns the command that repeats it. */
export type Races = {
  readonly race: (seed: string) => Promise<RaceResult>;
  readonly reproduction: (seed: string) => string;
};

/**
 * Runs as many races as the arguments request. With `--cases 1`, the seed is that of the race. `--log` prints
 * the steps. `--mfa` runs the second kind of races, if there is one. Exits with 1 if a race failed.
 */
export async function runRaces(usual: Races, mfa?: Races): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '10000' },
      seed: { type: 'string', default: 'keywright' },
      log: { type: 'boolean', default: false },
      ...(mfa && { mfa: { type: 'boolean', default: false } as const }),
    },
  });
  const { race, reproduction } = values.mfa && mfa ? mfa : usual;
  const cases = Number(values.cases);
  const counts = new Map<string, number>();
  const startMs = performance.now();
  let failed = 0;
  for (let number = 1; number <= cases; number += 1) {
    const seed = cases === 1 ? values.seed : `${values.seed}-${number}`;
    const result = await race(seed);
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
    if (number % 1000 === 0) print(`${number} races`);
    if (values.log) print(result.log.join('\n'));
    if (result.complaints.length === 0) continue;
    failed += 1;
    print(`race ${seed}: ${result.complaints.join('\n  ')}\n  ${reproduction(seed)}`);
  }
  for (const [what, count] of [...counts].sort()) print(`${what} ${count}`);
  const perSecond = (cases / (performance.now() - startMs)) * 1000;
  print(`${cases} races, ${failed} failed, ${perSecond.toFixed(1)} per second`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
