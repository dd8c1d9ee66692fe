// The example policies of public documentation, decided on transaction bytes: bytes are parsed as in the
// service, and the condition reads the resulting facts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import type { TransactionType } from '../../../src/core/base/enums.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { InterfaceTexts } from '../../../src/core/transactions/described.ts';
import { readTransaction } from '../../../src/core/transactions/kinds.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

type Vector = TransactionVector & { readonly type: TransactionType };

type PublicPolicy = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly PublicCase[];
};

type PublicCase = {
  readonly chain: string;
  readonly vector: string;
  readonly expected: 'applies' | 'does_not_apply' | 'fails';
  readonly code?: string;
};

const policies = readVectors<PublicPolicy>('policies');
const chains = ['ethereum', 'solana', 'solana-v1', 'bitcoin', 'tron', 'tempo'];
const vectors = new Map(chains.map((chain) => [chain, readVectors<Vector>(chain)]));

test('there are 73 policies with 218 cases, all of supported chains', () => {
  const cases = policies.flatMap((policy) => policy.cases);
  assert.deepEqual([policies.length, cases.length], [73, 218]);
  assert.ok(cases.every(({ chain }) => chains.includes(chain)));
});

for (const { name, condition, cases } of policies) {
  for (const one of cases) {
    test(`${name}; ${one.vector} (${one.chain}): ${one.expected}`, () => {
      const outcome = compileClause('condition', condition).evaluate(factsOf(one));
      const found = 'failure' in outcome ? outcome.failure.code : outcome.value;
      assert.equal(found, one.expected === 'fails' ? one.code : one.expected === 'applies');
    });
  }
}

function factsOf({ chain, vector: name }: PublicCase) {
  const vector = vectors.get(chain)?.find((each) => each.name === name);
  assert.ok(vector !== undefined);
  const { type, unsignedTransaction } = vector;
  return readTransaction(type, unsignedTransaction, accountOf(vector)).facts(interfacesOf(vector));
}

function interfacesOf({ interface: found }: Vector): InterfaceTexts {
  if (found === undefined) return new Map();
  const text = found.smartContractInterface;
  const digest = hex(sha256(utf8(text)));
  return new Map([[found.smartContractAddress, { text, digest }]]);
}
