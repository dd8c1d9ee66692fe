// Every operation of the API family answers as the types of its complete client declare: each required member
// is there, with its type, and each text of a fixed list is one of that list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOfAllOperations } from '../clients/answers.ts';
import { deviationsFrom, readFamilyTypes } from '../support/family_types.ts';

/** Members that the service adds, and the spelling of a chain that the request chose. */
const intended: readonly string[] = [
  'query/get_boot_proof $.bootProof.softwareStatement: extra',
  'query/get_latest_boot_proof $.bootProof.softwareStatement: extra',
  'query/get_tvc_deployment $.provisioningShares: extra',
  'submit/create_policies $.warnings: extra',
  'submit/create_policy $.warnings: extra',
  'submit/create_session_profile $.warnings: extra',
  'submit/earn_deposit $.activity.intent.earnDepositIntent.caip2: extra',
  'submit/earn_deposit $.activity.intent.earnDepositIntent.chainCaip2: missing',
  'submit/earn_withdraw $.activity.intent.earnWithdrawIntent.caip2: extra',
  'submit/earn_withdraw $.activity.intent.earnWithdrawIntent.chainCaip2: missing',
  'submit/eth_send_raw_transaction $.activity.result.ethSendRawTransactionResult.sendTransactionStatusId: extra',
  'submit/update_policy $.warnings: extra',
];

test('the answers of all operations have the declared types', async () => {
  const types = readFamilyTypes();
  const found = new Set<string>();
  let checked = 0;
  for (const { kind, operation, body } of await answersOfAllOperations()) {
    const declared = types.operations.get(`/public/v1/${kind}/${operation}`);
    if (declared === undefined) continue;
    checked += 1;
    for (const deviation of deviationsFrom(types, declared.answer, body)) {
      found.add(`${kind}/${operation} ${deviation.replaceAll(/\[\d+\]/g, '[]')}`);
    }
  }
  assert.ok(checked > 150, `${checked} answers`);
  assert.deepEqual([...found].toSorted(), intended);
});

test('the check finds an absent member, another type, and a text outside of the list', () => {
  const types = readFamilyTypes();
  const credential = { publicKey: 1, type: 'CREDENTIAL_TYPE_OTHER', more: true };
  assert.deepEqual(deviationsFrom(types, 'externaldatav1Credential', credential), [
    '$.publicKey: expected a text, found 1',
    '$.type: "CREDENTIAL_TYPE_OTHER" is not in the list',
    '$.more: extra',
  ]);
  assert.deepEqual(deviationsFrom(types, 'externaldatav1Timestamp', { seconds: '1' }), [
    '$.nanos: missing',
  ]);
});
