// `node test/votes/main.ts --cases 10000 --seed keywright`: races of votes against everything that may
// change meanwhile; with `--mfa` of users who must show several factors. With `--cases 1` the seed is
// that of the one race; `--log` writes what happened.

import { runRaces } from '../support/race_command.ts';
import { mfaRace } from './mfa_races.ts';
import { race, reproduction } from './races.ts';

await runRaces(
  { race, reproduction },
  { race: mfaRace, reproduction: (seed) => `${reproduction(seed)} --mfa` },
);
