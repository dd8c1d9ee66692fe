import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitSteps, type QueryStep, runSteps, type Steps } from '../../src/store/tables/steps.ts';

const stepOf = (id: string): QueryStep => ({ query: 'organization', values: [id] });

/** Requests one row, then two together. */
function* walk(): Steps<string> {
  const [first] = yield stepOf('a');
  const [second, third] = yield [stepOf('b'), stepOf('c')];
  return [first, second, third].map((row) => String(row?.['id'])).join();
}

const rowOf = ({ values: [id] }: QueryStep) => ({ id: id ?? null });

test('steps run to their end, each with its requested rows', async () => {
  assert.equal(
    runSteps(walk(), (step) => [rowOf(step)]),
    'a,b,c',
  );
  assert.equal(await awaitSteps(walk(), async (steps) => steps.map(rowOf)), 'a,b,c');
});
