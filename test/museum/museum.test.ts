// Known faults of this field. Most rows of the table name tests in other files; the tests here cover the
// rest.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Transaction } from 'ethers';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { foreignTransaction, makeSender, recipient } from '../operations/sending/send_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService } from '../support/harness.ts';
import { approve, by, makeWallet, read, shownAs, startVoters } from '../votes/voting.ts';
import { triedAttacks, triedReports } from './attacks.ts';
import { knownFaults } from './faults.ts';

const tests = join(import.meta.dirname, '..');

type NamedTests = Readonly<Record<string, readonly string[]>>;

/** Returns the titles that no test has. */
function missingTests(named: NamedTests): readonly string[] {
  return Object.entries(named).flatMap(([file, titles]) => {
    const path = join(tests, file);
    const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const lines = source
      .split('\n')
      .filter((line) => /^\s*(test|describe|it)\(|^\s*\[?["'`]/.test(line));
    return titles
      .filter((title) => !lines.some((line) => line.includes(title)))
      .map((title) => `${file}: ${title}`);
  });
}

test('every attack and report that was tried names tests that exist', () => {
  const rows = [...triedAttacks, ...triedReports];
  assert.deepEqual(
    rows.flatMap(({ tests: named }) => missingTests(named)),
    [],
  );
  for (const { attack, tests: named } of rows) {
    const titles = Object.values(named);
    assert(titles.length > 0 && titles.every(({ length }) => length > 0), attack);
  }
  assert.equal(new Set(rows.map(({ attack }) => attack)).size, rows.length);
});

test('every row of known faults names a public source and tests that exist', () => {
  const missing = knownFaults.flatMap(({ tests: named }) => missingTests(named));
  assert.deepEqual(missing, []);
  for (const { source, report, tests: named } of knownFaults) {
    assert.match(source, /^https:\/\/[a-z0-9.-]+\/\S+$/, report);
    assert(Object.values(named).flat().length > 0, report);
  }
  const faults = knownFaults.map(({ fault }) => fault);
  assert.equal(new Set(faults).size, faults.length);
});

test('a policy on transactions gives no right to sign their bytes as a raw payload', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Trader');
  const signWith = await makeSender(service);
  await makePolicy(service, 'Pays one recipient', {
    condition: `activity.action == 'SIGN' && eth.tx.to == '${recipient}'`,
    consensus: 'true',
  });
  const transaction = Transaction.from(foreignTransaction());
  const signed = await service.submit(
    'sign_transaction',
    'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    {
      signWith,
      unsignedTransaction: transaction.unsignedSerialized.slice(2),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    },
    by('Trader'),
  );
  assert.equal(signed.status, 200, JSON.stringify(signed.body));
  // Both ways to sign the transaction: its digest, and its bytes with their hash function.
  for (const [payload, hashFunction] of [
    [transaction.unsignedHash, 'HASH_FUNCTION_NO_OP'],
    [transaction.unsignedSerialized, 'HASH_FUNCTION_KECCAK256'],
  ]) {
    const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';
    const raw = await service.submit(
      'sign_raw_payload',
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      { signWith, payload, encoding, hashFunction },
      by('Trader'),
    );
    assert.equal(raw.status, 403, JSON.stringify(raw.body));
  }
});

test('a root quorum that names a member twice is refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';
  for (const userIds of [
    [userId, userId],
    [userId, userId.toUpperCase()],
  ]) {
    const parameters = { threshold: 2, userIds };
    const { status, body } = await service.submit('update_root_quorum', type, parameters);
    assert.equal(status, 400, JSON.stringify(body));
  }
});

test('a vote on one activity leaves another with the same parameters', async (t) => {
  const { service, formQuorum } = await startVoters();
  t.after(() => service.close());
  await formQuorum(2);
  const first = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'First'));
  const second = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'First'));
  assert.notEqual(first.fingerprint, second.fingerprint);
  shownAs('COMPLETED', await approve(service, first, by('Second')));
  assert.equal((await read(service, second)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
});
