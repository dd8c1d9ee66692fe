// `npm run torture -- --kills 40 --seed abc`: kills the service under load. The seed chooses the
// victims, the pauses and the requests; which of them are in flight at a kill is up to the machine.

import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../e2e/service.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const { seed } = values;
const kills = Number(values.kills);
print(`seed ${seed}, ${kills} kills`);
const result = await torture({ kills, seed, dataDirectory: temporaryDirectory(), report: print });
print(
  `${result.activities} activities, ${result.cutOff} cut off and sent again: all as it should be`,
);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
