import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canStartPostgres } from '../store/postgres_server.ts';
import { type Round, type TortureOptions, torture } from './torture.ts';

const sumOf = (rounds: readonly Round[], of: (round: Round) => number): number =>
  rounds.reduce((all, each) => all + of(each), 0);

async function roundsOf(options: Omit<TortureOptions, 'seed'>): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  await torture({ ...options, seed: 'keywright', report: (round) => rounds.push(round) });
  return rounds;
}

for (const store of canStartPostgres ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)) {
  test(`${store}: killed four times under load, the service keeps what it acknowledged and nothing else`, async () => {
    const rounds = await roundsOf({ store, kills: 4 });
    assert.ok(sumOf(rounds, ({ activities }) => activities) > 50);
    assert.ok(sumOf(rounds, ({ cutOff }) => cutOff) > 0, 'no kill came in the middle of anything');
  });
}

if (canStartPostgres) {
  test('PostgreSQL that crashes or cuts sessions under load is refused clearly, found again, and loses nothing', async () => {
    const only = ['database server', 'process of a session', 'sessions'];
    const rounds = await roundsOf({ store: 'postgres', kills: 2 * only.length, only });
    assert.deepEqual(rounds.map(({ victim }) => victim).toSorted(), [...only, ...only].toSorted());
    const refused = rounds.find(({ victim }) => victim === 'database server')?.refusals ?? 0;
    assert.ok(refused > 0, 'nobody asked while it was away');
  });
}
