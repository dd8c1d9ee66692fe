// Every shared transaction vector through the whole enclave: imported key, uploaded interface, exact
// answer. Malformed transactions are refused without a trace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVectors } from '../../standards/vector_files.ts';
import { startTestService } from '../../support/harness.ts';
import { samePsbt } from './psbt_entries.ts';
import { storeKeys } from './signing_keys.ts';
import {
  addressed,
  signVector,
  transactionVectors,
  useInterfaceOf,
} from './transaction_vectors.ts';

type Malformed = Parameters<typeof signVector>[1] & {
  readonly chain: string;
  readonly name: string;
  readonly privateKey: string;
};

test('sign_transaction returns the same transaction as the outside libraries', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, transactionVectors);
  assert.equal(transactionVectors.length, 170);
  for (const vector of transactionVectors) {
    await useInterfaceOf(service, vector);
    const { status, body } = await signVector(service, vector);
    const what = `${vector.chain}: ${vector.name}`;
    assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);
    const { signedTransaction } = body.activity.result.signTransactionResult;
    if (vector.compare === 'exact') assert.equal(signedTransaction, vector.signedTransaction, what);
    else assert.ok(samePsbt(signedTransaction, vector), what);
  }
});

/**
 * Bitcoin Core writes both forms of a spent output, and they prove the amount. An instruction that is newer
 * than the parser is signed if no policy depends on amounts.
 */
const accepted: readonly string[] = [
  'both kinds of outputs, segwit',
  'System instruction of an unknown number',
];

test('a malformed transaction is refused, and nothing of it is stored', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const rows = readVectors<Malformed[]>('transactions/malformed.json');
  const malformed = rows.filter(({ name }) => !accepted.includes(name));
  assert.deepEqual([rows.length, malformed.length], [105, 103]);
  await storeKeys(service, malformed.map(addressed));
  const activities = async () => (await service.query('list_activities')).body.activities;
  const before = await activities();
  for (const row of malformed) {
    const { status, body } = await signVector(service, row);
    assert.equal(status, 400, `${row.chain}: ${row.name}: ${JSON.stringify(body)}`);
    assert.equal(body.code, 3, row.name);
    assert.equal(body.turnkeyErrorCode, 'INVALID_TRANSACTION', row.name);
    assert.match(body.message, /^failed to parse transaction: `[^`]+`: ./, row.name);
  }
  assert.deepEqual(await activities(), before);
});
