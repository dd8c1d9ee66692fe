// `npm run limits -- --cases 10000 --seed keywright` runs races of signatures under a limit over time. With
// `--cases 1` the seed is that of the one race; `--log` writes its steps.

import { runRaces } from '../support/race_command.ts';
import { race, reproduction } from './races.ts';

await runRaces({ race, reproduction });
