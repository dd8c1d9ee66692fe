// Restores an older database, organization, row, log or anchor at each step of a batch. SOAK=true runs ten
// thousand attacks, and ten thousand clean starts.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { createChoice } from '../tamper/choice.ts';
import { attacks, type Outcome, startOver } from './attacks.ts';
import { growWorld, type World } from './world.ts';

const attackCount = casesOf({ usual: 200, soak: 10_000 });
const startCount = casesOf({ usual: 40, soak: 10_000 });
const batches = 20;

const choose = numbers('rollback');
let world: World;
before(async () => {
  world = await growWorld(batches, choose);
});

function numbers(seed: string): (below: number) => number {
  return createChoice(seed).index;
}

function momentAt(index: number) {
  const moment = world.moments[index];
  assert.ok(moment);
  return moment;
}

test(`${attackCount} rollbacks at every step of a batch are refused and named`, async (t) => {
  const names = Object.keys(attacks);
  const counts: Record<string, number> = {};
  for (let i = 0; i < attackCount; i += 1) {
    const name = names[i % names.length] ?? '';
    const at = 1 + choose(world.moments.length - 1);
    const moments = { older: momentAt(choose(at)), newer: momentAt(at) };
    const expected = attacks[name]?.(world, moments, choose);
    assert.ok(expected);
    const { database, anchor, stages } = expected;
    const from = { ...moments.newer.snapshot, database };
    const { stage, named } = await startOver(world, from, anchor);
    const steps = `${moments.older.step} over ${moments.newer.step} at ${at}`;
    const what = `attack ${i}: ${name}, ${steps}: ${stage}, ${named}`;
    assert.ok(stages.includes(stage), `${what}; right: ${stages.join()}`);
    if (stage !== 'served') assert.ok(named.includes(expected.names), what);
    const counted = `${name}: ${stage === 'served' ? 'nothing known was lost' : 'refused'}`;
    counts[counted] = (counts[counted] ?? 0) + 1;
  }
  t.diagnostic(JSON.stringify(counts));
  for (const name of names.filter((each) => each !== 'the anchor alone')) {
    assert.ok((counts[`${name}: refused`] ?? 0) > 0, name);
  }
});

test(`${startCount} clean starts at every step raise no alarm`, async () => {
  const outcomes: Outcome['stage'][] = [];
  for (let i = 0; i < startCount; i += 1) {
    const { snapshot, anchor } = momentAt(choose(world.moments.length));
    outcomes.push((await startOver(world, snapshot, anchor)).stage);
  }
  assert.deepEqual([...new Set(outcomes)], ['served']);
});
