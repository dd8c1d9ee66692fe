// An enclave that collects the shares of its root key: the error of each wrong share, and the wiped memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wipe } from '../../../src/core/base/bytes.ts';
import { newPrivateKey } from '../../../src/core/crypto/key_agreement.ts';
import { readSharing, sharingPartOf, splitRootKey } from '../../../src/core/custody/key_shares.ts';
import { readUnsealStatement, sealShare } from '../../../src/core/custody/unsealing.ts';
import { collectionMs, createUnsealing } from '../../../src/enclave/services/unsealing.ts';
import { seededRandom, testRootKey } from '../../support/harness.ts';

const random = seededRandom('unsealing');
const rootKey = testRootKey();
const shares = await splitRootKey(rootKey, { threshold: 3, count: 5 });
const sharing = sharingPartOf(shares[0] ?? assert.fail());

function start(seed = 'enclave') {
  let now = 1_000;
  const timers = new Set<() => void>();
  const unsealing = createUnsealing({
    random: seededRandom(seed),
    clock: () => now,
    after: (_ms, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const { statement, signature } = asStated(unsealing.expectShares({ sharing }));
  const read = readUnsealStatement(statement, signature) ?? assert.fail('it is signed');
  const seal = (share: Uint8Array) =>
    sealShare(share, { text: statement, read }, newPrivateKey(random));
  return {
    unsealing,
    statement,
    seal,
    give: (share: Uint8Array | undefined) => unsealing.giveShare(seal(share ?? assert.fail())),
    given: () => asStated(unsealing.expectShares({ sharing })).given,
    pass: (ms: number) => {
      now += ms;
    },
    timers,
  };
}

type Stated = Awaited<ReturnType<ReturnType<typeof createUnsealing>['expectShares']>>;
const asStated = (value: Stated | Promise<Stated>): Stated => {
  assert(!(value instanceof Promise));
  return value;
};

test('any three shares give the key, once, and are wiped', async () => {
  for (const numbers of [
    [1, 2, 3],
    [5, 1, 3],
    [4, 2, 5],
  ]) {
    const { give, unsealing, timers } = start();
    for (const [index, number] of numbers.entries()) {
      assert.equal(unsealing.takeRootKey(), undefined, 'k - 1 shares give nothing');
      const answer = await give(shares[number - 1]);
      const progress = { given: index + 1, threshold: 3 };
      assert.deepEqual(answer, { refused: undefined, shareNumber: number, ...progress });
    }
    assert.deepEqual(unsealing.takeRootKey(), rootKey);
    assert.equal(unsealing.takeRootKey(), undefined);
    assert.equal(timers.size, 0);
  }
});

test('each wrong share is refused with its own error, and the others stay', async () => {
  const { give, given, unsealing, seal } = start();
  await give(shares[0]);
  const otherKey = await splitRootKey(new Uint8Array(32).fill(9), { threshold: 3, count: 5 });
  const otherSharing = await splitRootKey(rootKey, { threshold: 3, count: 5 });
  const altered = (shares[1] ?? assert.fail()).slice();
  altered[altered.length - 2] = (altered.at(-2) ?? 0) ^ 1;
  const rows: readonly (readonly [Uint8Array | undefined, string, number])[] = [
    [shares[0], 'share_repeated', 1],
    [altered, 'share_altered', 2],
    [otherKey[2], 'share_of_other_key', 3],
    [otherSharing[3], 'share_of_other_sharing', 4],
    [new Uint8Array(40), 'share_unreadable', 0],
    [new Uint8Array(0), 'share_unreadable', 0],
  ];
  for (const [share, refused, shareNumber] of rows) {
    const answer = await give(share);
    assert.deepEqual(answer, { refused, shareNumber, given: 1, threshold: 3 });
  }
  const other = start('another run');
  const elsewhere = await unsealing.giveShare(other.seal(shares[1] ?? assert.fail()));
  assert.equal(elsewhere.refused, 'share_sealed_elsewhere');
  const cut = seal(shares[1] ?? assert.fail());
  const flipped = cut.ciphertext.map((byte, i) => (i === 7 ? byte ^ 1 : byte));
  const damaged = await unsealing.giveShare({ ...cut, ciphertext: flipped });
  assert.equal(damaged.refused, 'share_sealed_elsewhere');
  const pointless = await unsealing.giveShare({ ...cut, encapsulatedKey: new Uint8Array(65) });
  assert.equal(pointless.refused, 'share_sealed_elsewhere');
  assert.equal(given(), 1);
  await give(shares[1]);
  await give(shares[2]);
  assert.deepEqual(unsealing.takeRootKey(), rootKey);
});

test('shares are dropped after the time limit, by the timer and by the clock', async () => {
  const late = start();
  await late.give(shares[0]);
  await late.give(shares[1]);
  late.pass(collectionMs - 1);
  assert.equal(late.given(), 2);
  late.pass(1);
  assert.equal(late.given(), 0);
  await late.give(shares[0]);
  assert.equal(late.timers.size, 1);
  for (const run of late.timers) run();
  assert.equal(late.given(), 0);
  // A key that no start used is dropped as well.
  for (const share of shares.slice(0, 3)) await late.give(share);
  for (const run of late.timers) run();
  assert.equal(late.unsealing.takeRootKey(), undefined);
});

test('a statement that is altered, or signed by another key, is refused', () => {
  const { unsealing, statement } = start();
  const { signature } = asStated(unsealing.expectShares({ sharing }));
  const read = readUnsealStatement(statement, signature);
  assert.equal(read?.sharingId, readSharing(sharing)?.sharingId);
  const digest = read?.sourcesDigest ?? assert.fail();
  const forged = statement.replace(digest, 'ab'.repeat(32));
  assert.notEqual(forged, statement);
  assert.equal(readUnsealStatement(forged, signature), undefined);
  const other = asStated(start('another run').unsealing.expectShares({ sharing }));
  assert.equal(readUnsealStatement(statement, other.signature), undefined);
  for (const text of ['', '{}', 'null', JSON.stringify({ ...JSON.parse(statement), version: 1 })]) {
    assert.equal(readUnsealStatement(text, signature), undefined, text);
  }
  wipe(signature);
  assert.equal(readUnsealStatement(statement, signature), undefined);
});
