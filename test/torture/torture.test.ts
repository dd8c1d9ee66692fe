import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canStartPostgres } from '../store/postgres_server.ts';
import { type Round, torture } from './torture.ts';

for (const store of canStartPostgres ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)) {
  test(`${store}: killed six times under load, the service keeps what it acknowledged and nothing else`, async () => {
    const rounds: Round[] = [];
    await torture({ store, kills: 6, seed: 'keywright', report: (round) => rounds.push(round) });
    const sum = (of: (round: Round) => number) => rounds.reduce((all, each) => all + of(each), 0);
    const activities = sum((round) => round.activities);
    assert.ok(activities > 50, `only ${activities} activities`);
    assert.ok(sum(({ cutOff }) => cutOff) > 0, 'no kill came in the middle of anything');
  });
}
