import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { Scope } from '../../../src/core/policy/language/values.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_test_facts.ts';
import type { JsonObject } from '../../../src/core/schema/json.ts';
import type { InterfaceTexts } from '../../../src/core/transactions/described.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../support/transaction_vectors.ts';

const vectors = readVectors<TransactionVector>('ethereum');

function factsOf(vector: TransactionVector): Scope {
  const account = accountOf(vector);
  const transaction = ethereumKind.format.read(vectorBytes(vector.unsignedTransaction), account);
  return ethereumKind.facts(transaction, account, interfacesOf(vector, transaction));
}

/** As the service finds them: by the address, in any letter case. */
function interfacesOf(
  vector: TransactionVector,
  transaction: Parameters<typeof ethereumKind.contracts>[0],
): InterfaceTexts {
  const { smartContractAddress = '', smartContractInterface: text = '' } = vector.interface ?? {};
  const found = ethereumKind
    .contracts(transaction)
    .filter((address) => address.toLowerCase() === smartContractAddress.toLowerCase());
  return new Map(found.map((address) => [address, { digest: text, text }]));
}

/** Members that are undefined are not there. */
function present(scope: Scope): Scope {
  const { tx } = scope['eth'] as { readonly tx: Scope };
  return {
    eth: { tx: Object.fromEntries(Object.entries(tx).filter(([, of]) => of !== undefined)) },
  };
}

for (const vector of vectors) {
  test(`${vector.name}: policies see what is in it`, () => {
    const { tx } = vector.facts['eth'] as { readonly tx: JsonObject };
    const expected = readStruct('Condition', { eth: { tx: { ...tx, ...vector.extension } } }, '');
    assert.deepEqual(present(factsOf(vector)), expected);
  });
}

type Policy = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: 'applies' | 'does_not_apply' | 'fails';
    readonly code?: string;
  }[];
};

const cases = readVectors<Policy>('policies').flatMap(({ name, condition, cases }) =>
  cases
    .filter(({ chain }) => chain === 'ethereum')
    .map((expected) => ({ name, condition, ...expected })),
);

test('there are policies on Ethereum', () => assert.equal(cases.length, 67));

for (const { name, condition, vector: vectorName, expected, code } of cases) {
  test(`${name}, ${vectorName}: ${expected}`, () => {
    const vector = vectors.find((each) => each.name === vectorName);
    assert.ok(vector !== undefined);
    const scope = factsOf(vector);
    const outcome = compileClause('condition', condition).evaluate(scope);
    if ('failure' in outcome) {
      assert.equal(expected, 'fails');
      assert.equal(outcome.failure.code, code);
    } else {
      assert.equal(expected, outcome.value ? 'applies' : 'does_not_apply');
    }
  });
}
