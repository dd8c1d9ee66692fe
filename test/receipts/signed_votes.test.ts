// Votes of receipts: each signed text casts its vote on the request of the activity. Logs of a dishonest
// operator record votes that were signed for other requests.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { commitmentOf, noPrevious } from '../../src/core/log/entry.ts';
import { textOfEntry } from '../../src/core/log/entry_writer.ts';
import { leafHash } from '../../src/core/log/inclusion.ts';
import { verifierKeyOf } from '../../src/core/log/note.ts';
import {
  signNote,
  textOfCheckpoint,
  textOfNote,
  textOfVerifierKey,
} from '../../src/core/log/note_writer.ts';
import { textOfProof } from '../../src/core/log/proof_writer.ts';
import { verifyReceipt } from '../../src/receipts/verify_receipt.ts';
import { approve, by, makeWallet, reject, shownAs, startVoters } from '../votes/voting.ts';
import { appendAll, policyOf } from './log_of.ts';

const seed = ed25519.utils.randomSecretKey();
const log = verifierKeyOf(sha256, {
  name: 'example.org/log',
  type: 'note',
  publicKey: ed25519.getPublicKey(seed),
});
const trust = `log ${textOfVerifierKey(log)}\nquorum none\n`;
const organizationId: string = randomUUID();

/** Returns the receipt of a log with one entry, which this test signs. */
function loggedReceipt(record: object, status = 'ACTIVITY_STATUS_COMPLETED'): string {
  const text = JSON.stringify(record);
  const entry = textOfEntry({
    organizationId,
    number: 1,
    previous: noPrevious,
    activityId: randomUUID(),
    version: 1,
    status,
    atMs: 1,
    record: createHash('sha256').update(text).digest('hex'),
  });
  const salt = new Uint8Array(32);
  const root = leafHash(sha256, commitmentOf(sha256, salt, entry));
  const checkpoint = textOfCheckpoint({ origin: log.name, size: 1, root });
  const signature = signNote(checkpoint, log, (message) => ed25519.sign(message, seed));
  const note = textOfNote({ text: checkpoint, signatures: [signature] });
  return JSON.stringify({
    receiptFormat: 'keywright-receipt/v1',
    entry,
    salt: salt.toBase64(),
    record: text,
    proof: textOfProof({ index: 0, hashes: [], note }),
  });
}

const secrets = new Map<string, Uint8Array>();

/** Returns a vote of a user in the form of a record. */
function vote(user: string, message: string, more: object = {}) {
  const secret = secrets.get(user) ?? p256.utils.randomSecretKey();
  secrets.set(user, secret);
  return {
    u: user,
    m: message,
    k: p256.getPublicKey(secret).toHex(),
    g: p256.sign(new TextEncoder().encode(message), secret, { format: 'der' }).toHex(),
    h: 'SIGNATURE_SCHEME_TK_API_P256',
    ...more,
  };
}

const typeOfRequest = 'ACTIVITY_TYPE_CREATE_WALLET';
const body = (type: string, parameters: object, of = organizationId) =>
  JSON.stringify({ type, timestampMs: '1', organizationId: of, parameters });
const fingerprintOf = (message: string) =>
  `sha256:${createHash('sha256').update(message).digest('hex')}`;
const request = body(typeOfRequest, { walletName: 'W' });
const other = body(typeOfRequest, { walletName: 'X' });
const approval = (of: string) =>
  body('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: fingerprintOf(of) });
const rejection = (of: string) =>
  body('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint: fingerprintOf(of) });
const upper = (text: string) => text.toUpperCase();
const rejected = { s: 'VOTE_SELECTION_REJECTED' };

/** Records by the reason to reject them; undefined for honest records. */
const records: readonly (readonly [string, object, RegExp | undefined])[] = [
  ['an approval', { v: [vote('a', request), vote('b', approval(request))] }, undefined],
  [
    'a fingerprint in upper case',
    { v: [vote('a', request), vote('b', approval(request).replace(/sha256:\w+/, upper))] },
    undefined,
  ],
  ['the same request', { v: [vote('a', request), vote('b', request)] }, undefined],
  ['a rejection', { v: [vote('a', request), vote('b', rejection(request), rejected)] }, undefined],
  [
    'a replaced request',
    { v: [vote('a', approval(request))], f: fingerprintOf(request), q: request },
    undefined,
  ],
  [
    'a request named by its vote',
    { v: [vote('a', approval(request)), vote('b', request)], f: fingerprintOf(request), q: 1 },
    undefined,
  ],
  [
    'an approval of another request',
    { v: [vote('a', request), vote('b', approval(other))] },
    /vote of user b was signed for another activity/,
  ],
  [
    'another request',
    { v: [vote('a', request), vote('b', other)] },
    /vote of user b was signed for another activity/,
  ],
  [
    'a rejection that is shown as an approval',
    { v: [vote('a', request), vote('b', rejection(request))] },
    /vote of user b was signed as VOTE_SELECTION_REJECTED/,
  ],
  [
    'an approval that is shown as a rejection',
    { v: [vote('a', request), vote('b', approval(request), rejected)] },
    /vote of user b was signed as VOTE_SELECTION_APPROVED/,
  ],
  [
    'a request that is shown as a rejection',
    { v: [vote('a', request, rejected)] },
    /vote of user a was signed as VOTE_SELECTION_APPROVED/,
  ],
  [
    'a request of another type',
    { t: 'ACTIVITY_TYPE_DELETE_WALLETS', v: [vote('a', request)] },
    /the request was signed for another type or organization/,
  ],
  [
    'a request of another organization',
    { v: [vote('a', body(typeOfRequest, {}, randomUUID()))] },
    /the request was signed for another type or organization/,
  ],
  [
    'approvals without their request',
    { v: [vote('a', approval(request))], f: fingerprintOf(request) },
    /does not have the request/,
  ],
  ['a text that is no request', { v: [vote('a', 'text')] }, /the request was signed for another/],
  ['no vote', { v: [] }, /does not have the request/],
  [
    'a request in upper case',
    { v: [vote('a', body(typeOfRequest, {}, organizationId.toUpperCase()))] },
    undefined,
  ],
  [
    'a login that names the parent',
    {
      t: 'ACTIVITY_TYPE_STAMP_LOGIN',
      v: [vote('a', body('ACTIVITY_TYPE_STAMP_LOGIN', {}, randomUUID()))],
    },
    undefined,
  ],
];

for (const [name, record, reason] of records) {
  test(`a receipt whose record has ${name} is ${reason ? 'rejected' : 'accepted'}`, () => {
    const receipt = loggedReceipt({ t: typeOfRequest, r: {}, ...record });
    if (reason === undefined) verifyReceipt(receipt, trust);
    else assert.throws(() => verifyReceipt(receipt, trust), reason);
  });
}

test('a receipt of a refused request verifies, and names the signature that its record omits', () => {
  const unsigned = [vote('a', request, { g: '' })];
  const refused = loggedReceipt({ t: typeOfRequest, v: unsigned }, 'ACTIVITY_STATUS_FAILED');
  const { activity, cannotShow } = verifyReceipt(refused, trust);
  assert.equal(activity?.votes[0]?.isSignatureVerified, false);
  assert.ok(cannotShow.some((each) => each.includes('refused request')));
  // A large refused request is recorded as its digest.
  const digest = [vote('a', fingerprintOf(request), { g: '' })];
  const large = { t: typeOfRequest, v: digest, f: fingerprintOf(request) };
  const shown = verifyReceipt(loggedReceipt(large, 'ACTIVITY_STATUS_FAILED'), trust);
  assert.ok(shown.cannotShow.some((each) => each.includes('refused request')));
  // Other activities need each signature.
  for (const v of [unsigned, digest]) {
    const completed = loggedReceipt({ t: typeOfRequest, v, f: fingerprintOf(request) });
    assert.throws(() => verifyReceipt(completed, trust), /signature of user a is invalid/);
  }
});

test('receipts of refused, rejected and approved requests of a service verify', async (t) => {
  const { service, bothTags } = await startVoters();
  t.after(() => service.close());
  await makeWallet(service, 'Refused', by('Trader'));
  await makeWallet(service, `Refused ${'x'.repeat(200)}`, by('Trader'));
  await bothTags();
  for (const vote of [approve, reject]) {
    const waiting = shownAs('CONSENSUS_NEEDED', await makeWallet(service, 'W', by('Trader')));
    await vote(service, waiting, by('Officer'));
  }
  await appendAll(service);
  const policy = await policyOf(service);
  const { activities } = (await service.query('list_activities')).body;
  const statuses = new Set<string>();
  for (const { id, status } of activities) {
    const { body: receipt } = await service.query('get_receipt', { activityId: id });
    verifyReceipt(JSON.stringify(receipt), policy);
    statuses.add(status);
  }
  assert.deepEqual([...statuses].sort(), [
    'ACTIVITY_STATUS_COMPLETED',
    'ACTIVITY_STATUS_FAILED',
    'ACTIVITY_STATUS_REJECTED',
  ]);
});
