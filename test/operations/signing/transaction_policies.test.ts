// The example policies of the public documentation, and a user outside of the root quorum whose
// transactions they decide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVectors } from '../../standards/vector_files.ts';
import { startTestService } from '../../support/harness.ts';
import { addPlainUser } from '../other_callers.ts';
import { storeKeys } from './signing_keys.ts';
import { signVector, transactionVectors, useInterfaceOf } from './transaction_vectors.ts';

type ExamplePolicy = {
  readonly name: string;
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY';
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: 'applies' | 'does_not_apply' | 'fails';
    readonly code?: string;
  }[];
};

const policies = readVectors<ExamplePolicy[]>('transactions/policies.json');
const vectorOf = new Map(transactionVectors.map((each) => [`${each.chain}/${each.name}`, each]));

/** The expected outcome of a clause in the explanation of a decision. */
const clauses = {
  applies: () => ({ clause: 'condition', value: true }),
  does_not_apply: () => ({ clause: 'condition', value: false }),
  fails: (code: string | undefined) => ({ clause: 'condition', failure: code }),
};

/** True if the transaction is signed. For a DENY, a second policy allows everything else. */
const isSigned = {
  EFFECT_ALLOW: { applies: true, does_not_apply: false, fails: false },
  EFFECT_DENY: { applies: false, does_not_apply: true, fails: false },
};

test('the public example policies decide about transactions as documented', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, transactionVectors);
  const plain = await addPlainUser(service);
  const createPolicy = async (policyName: string, effect: string, condition: string) => {
    const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
    const parameters = { policyName, effect, condition, notes: '' };
    const { status, body } = await service.submit('create_policy', type, parameters);
    assert.equal(status, 200, `${policyName}: ${JSON.stringify(body)}`);
    return body.activity.result.createPolicyResult.policyId;
  };
  let count = 0;
  for (const policy of policies) {
    const policyIds = [await createPolicy(policy.name, policy.effect, policy.condition)];
    if (policy.effect === 'EFFECT_DENY') {
      policyIds.push(await createPolicy('Everything', 'EFFECT_ALLOW', 'true'));
    }
    for (const { chain, vector: name, expected, code } of policy.cases) {
      const what = `${policy.name}: ${name}`;
      // Cases name the file of their vector.
      const vector = vectorOf.get(`${chain.replace('-v1', '')}/${name}`);
      assert(vector !== undefined, what);
      await useInterfaceOf(service, vector);
      const dry = await signVector(service, vector, { ...plain, dryRun: true });
      const told = dry.body.dryRun.policies.find(
        ({ policyName }: { policyName: string }) => policyName === policy.name,
      );
      // Other tests cover the values of false comparisons.
      const [{ because: _, ...clause }] = told.clauses;
      const { failure } = clause;
      assert.deepEqual(
        { ...clause, ...(failure === undefined ? {} : { failure: failure.code }) },
        clauses[expected](code),
        what,
      );
      const { status, body } = await signVector(service, vector, plain);
      const signs = isSigned[policy.effect][expected];
      assert.equal(status === 200, signs, `${what}: ${JSON.stringify(body)}`);
      count += 1;
    }
    const type = 'ACTIVITY_TYPE_DELETE_POLICIES';
    await service.submit('delete_policies', type, { policyIds });
  }
  assert.deepEqual([policies.length, count], [73, 218]);
});
