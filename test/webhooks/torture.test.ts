import { test } from 'node:test';
import { temporaryDirectory } from '../e2e/service.ts';
import { createChoice } from '../tamper/choice.ts';
import { outage } from './outage.ts';
import { torture } from './torture.ts';

test('a receiver that flaps and a service that is killed lose no event', async (t) => {
  const choice = createChoice('webhook torture');
  const result = await torture({
    dataDirectory: temporaryDirectory(),
    events: 300,
    kills: 2,
    outages: 2,
    random: () => choice.index(1_000_000) / 1_000_000,
  });
  t.diagnostic(JSON.stringify(result));
});

test('72 simulated hours of outage lose no event', async (t) => {
  const { attempts } = await outage({ events: 250, hours: 72 });
  t.diagnostic(`${attempts} attempts in vain`);
});
