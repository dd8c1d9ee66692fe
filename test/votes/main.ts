// `node test/votes/main.ts --cases 10000 --seed keywright` runs races of votes against other changes.
// `--mfa` runs races of users with several factors. With `--cases 1` the seed is that of the race; `--log`
// prints the steps.

import { runRaces } from '../support/race_command.ts';
import { mfaRace } from './mfa_races.ts';
import { race, reproduction } from './races.ts';

await runRaces(
  { race, reproduction },
  { race: mfaRace, reproduction: (seed) => `${reproduction(seed)} --mfa` },
);
