// Tests the judge of the examiners with the answers of a TypeScript client: it accepts correct answers, and
// notices each wrong member.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto';
import { accountParameters, isRefusal, serverClient, stamper } from '../e2e/clients.ts';
import { serviceOfThisFile } from '../e2e/service.ts';
import { judgeDecoder, undecodable } from './decoding.ts';
import { judge } from './judge.ts';
import { type Language, languages } from './languages.ts';
import type { Answer, Key, Question } from './question.ts';
import { peopleOf } from './world.ts';

const service = await serviceOfThisFile();
const question: Question = { ...(await peopleOf(service)), walletName: 'Wallet by TypeScript' };
const typescript: Pick<Language, 'schemes' | 'opensExports'> = {
  schemes: ['p256'],
  opensExports: true,
};
let answer: Answer;

before(async () => {
  const root = clientOf(question.root);
  const { walletId, addresses } = await root.createWallet({
    walletName: question.walletName,
    accounts: [accountParameters.ethereum],
  });
  const address = addresses[0] ?? assert.fail();
  const payload = {
    signWith: address,
    payload: question.digest,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  } as const;
  const { privateKey: embeddedKey, publicKeyUncompressed } = generateP256KeyPair();
  const mnemonic = await decryptExportBundle({
    ...(await root.exportWallet({ walletId, targetPublicKey: publicKeyUncompressed })),
    embeddedKey,
    organizationId: question.organizationId,
    dangerouslyOverrideSignerPublicKey: question.signerKey,
    returnMnemonic: true,
  });
  const stamp = await stamper(pairOf(question.root)).stamp(question.body);
  const waiting = (await clientOf(question.alice).signRawPayload(payload)).activity;
  assert.equal(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { fingerprint } = waiting;
  const approved = (await clientOf(question.bob).approveActivity({ fingerprint })).activity;
  const refusal = await clientOf(question.stranger)
    .getWhoami()
    .then(
      () => assert.fail('a stranger was answered'),
      (error: Error) => error,
    );
  assert(isRefusal(16, 'PUBLIC_KEY_NOT_FOUND')(refusal));
  const transaction = await root.signTransaction({
    signWith: address,
    unsignedTransaction: question.unsignedTransaction,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  });
  answer = {
    stamps: { p256: { name: stamp.stampHeaderName, value: stamp.stampHeaderValue } },
    users: { p256: (await root.getWhoami()).userId },
    walletId,
    address,
    mnemonic,
    signature: partsOf(await root.signRawPayload(payload)),
    signedTransaction: transaction.signedTransaction,
    refusal: {
      status: 401,
      message: /could not find .* key/.exec(refusal.message)?.[0] ?? refusal.message,
    },
    waiting: waiting.id,
    approved: {
      activityId: approved.id,
      status: approved.status,
      signature: partsOf(approved.result.signRawPayloadResult ?? assert.fail()),
    },
  };
});

test('a true answer passes', () => judge(service, question, answer, typescript));

test('a scheme that was not tried is noticed', () =>
  assert.rejects(
    judge(service, question, answer, { ...typescript, schemes: ['p256', 'secp256k1'] }),
    /whoami with secp256k1/,
  ));

for (const member of [
  'stamps.p256.name',
  'stamps.p256.value',
  'users.p256',
  'walletId',
  'address',
  'mnemonic',
  'signature.r',
  'signature.s',
  'signature.v',
  'signedTransaction',
  'refusal.status',
  'refusal.message',
  'waiting',
  'approved.activityId',
  'approved.status',
  'approved.signature.r',
  'approved.signature.s',
  'approved.signature.v',
]) {
  test(`${member} is noticed where it is not so`, async () => {
    const changed: Node = structuredClone(answer);
    change(changed, member.split('.'));
    await assert.rejects(judge(service, question, changed as Answer, typescript));
  });
}

test('an answer that cannot be decoded is noticed, and one that can be again', () => {
  const known = undecodable.map((operation) => ({ operation, reason: '' }));
  judgeDecoder(known);
  const another = { operation: 'get_wallet', reason: 'missing field `walletId`' };
  assert.throws(() => judgeDecoder([...known, another]), /get_wallet: missing field `walletId`/);
  // The API family does not have this operation.
  judgeDecoder([...known, { operation: 'get_policy_warnings', reason: '' }]);
  assert.throws(() => judgeDecoder(known.slice(1)), /operations that cannot be decoded/);
});

test('every member of an answer is tried above, and every language has its schemes', () => {
  for (const { schemes } of Object.values(languages)) assert.ok(schemes.includes('p256'));
  assert.equal(leavesOf(answer), 18);
});

type Node = { [member: string]: unknown };

/** Changes one character within a text, or a number, so that the form stays the same. */
function change(node: Node, [member = '', ...below]: readonly string[]): void {
  const value = node[member];
  if (below.length > 0) change(value as Node, below);
  else if (typeof value === 'number') node[member] = value + 1;
  else if (typeof value === 'string') {
    const middle = value.length >> 1;
    const other = value[middle] === '1' ? '0' : '1';
    node[member] = value.slice(0, middle) + other + value.slice(middle + 1);
  }
}

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + leavesOf(each), 0);
}

function clientOf(key: Key) {
  return serverClient(service, { key: pairOf(key) });
}

function pairOf({ publicKey, privateKey }: Key) {
  return { apiPublicKey: publicKey, apiPrivateKey: privateKey };
}

function partsOf({ r, s, v }: Answer['signature']): Answer['signature'] {
  return { r, s, v };
}
