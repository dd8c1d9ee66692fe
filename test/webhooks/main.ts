// Webhooks under torture: npm run webhooks -- [--events 2000] [--kills 5] [--outages 10] [--seed text]
// A tenth of the events goes to a receiver that is away for 72 simulated hours.

import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../e2e/service.ts';
import { createChoice } from '../tamper/choice.ts';
import { outage } from './outage.ts';
import { torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '5' },
    outages: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const choice = createChoice(values.seed);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`seed ${values.seed}`);
const { deliveries, duplicates, seconds } = await torture({
  dataDirectory: temporaryDirectory(),
  events: Number(values.events),
  kills: Number(values.kills),
  outages: Number(values.outages),
  random: () => choice.index(1_000_000) / 1_000_000,
  say,
});
say(`${deliveries} deliveries, ${duplicates} of them again, in ${seconds.toFixed(0)} s: none lost`);
const simulated = Math.ceil(Number(values.events) / 10);
const away = await outage({ events: simulated, hours: 72 });
say(
  `${simulated} events and 72 simulated hours of outage: ${away.attempts} attempts in vain, none lost`,
);
