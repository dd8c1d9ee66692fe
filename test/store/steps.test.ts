import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitSteps, type QueryStep, runSteps, type Steps } from '../../src/store/tables/steps.ts';

const stepOf = (id: string): QueryStep => ({ query: 'organization', values: [id] });

/** Asks for one row, then for two at once. */
function* walk(): Steps<string> {
  const [first] = yield stepOf('a');
  const [second, third] = yield [stepOf('b'), stepOf('c')];
  return [first, second, third].map((row) => String(row?.['id'])).join();
}

const rowOf = ({ values: [id] }: QueryStep) => ({ id: id ?? null });

test('steps are run to their end, each with the rows that it asked for', async () => {
  assert.equal(
    runSteps(walk(), (step) => [rowOf(step)]),
    'a,b,c',
  );
  assert.equal(await awaitSteps(walk(), async (steps) => steps.map(rowOf)), 'a,b,c');
});
