// Shares of a root key: the two commands, and the sentence of each wrong set of shares.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import {
  combineShares,
  type KeyShare,
  readKeyShare,
  splitRootKey,
} from '../../src/core/custody/key_shares.ts';
import { folderOfTests, runIn } from './terminal.ts';

const rootKey = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const read = (share: Uint8Array): KeyShare => {
  const found = readKeyShare(share);
  assert(found !== undefined);
  return found;
};
const shares = (await splitRootKey(rootKey, { threshold: 3, count: 5 })).map(read);
const pick = (...numbers: readonly number[]): readonly KeyShare[] =>
  numbers.map((number) => shares.find((share) => share.number === number) ?? assert.fail());

describe('shares in memory', () => {
  test('each set of at least the threshold combines to the key', async () => {
    const all = Array.from({ length: 32 }, (_, bits) =>
      [1, 2, 3, 4, 5].filter((number) => (bits >> (number - 1)) & 1),
    );
    for (const numbers of all) {
      const combined = combineShares(pick(...numbers));
      if (numbers.length >= 3) assert.deepEqual(Buffer.from(await combined), Buffer.from(rootKey));
      else await assert.rejects(combined, /find [0-9]+ more|no share was given/);
    }
  });

  test('each wrong set has its own sentence', async () => {
    const again = (await splitRootKey(rootKey, { threshold: 3, count: 5 })).map(read);
    const otherKey = rootKey.map((byte) => byte ^ 1);
    const foreign = (await splitRootKey(otherKey, { threshold: 3, count: 5 })).map(read);
    const refusals: readonly (readonly [readonly KeyShare[], string])[] = [
      [pick(4, 2), 'only 2 of 3 required shares were given: find 1 more'],
      [pick(1, 4, 4), 'share 4 was given twice: each share counts once'],
      [
        [...pick(1, 2), ...again.slice(2, 3)],
        'the shares come from different sharings of one root key: take those of one sharing',
      ],
      [
        [...pick(1, 2), ...foreign.slice(2, 3)],
        'the shares belong to different root keys: remove the foreign ones',
      ],
    ];
    for (const [given, message] of refusals)
      await assert.rejects(combineShares(given), { message });
    const [first, ...others] = pick(1, 2, 3);
    assert(first !== undefined);
    const forged = { ...first, value: first.value.map((byte, i) => (i === 0 ? byte ^ 1 : byte)) };
    await assert.rejects(combineShares([forged, ...others]), /one of them is forged/);
  });

  test('no altered share is accepted as a share of the same sharing', async () => {
    const [share] = await splitRootKey(rootKey, { threshold: 2, count: 2 });
    assert(share !== undefined);
    const { sharingId } = read(share);
    for (const at of share.keys()) {
      const altered = share.slice();
      altered[at] = (altered[at] ?? 0) ^ 1;
      let found: KeyShare | undefined;
      try {
        found = readKeyShare(altered);
      } catch (error) {
        assert.match(String(error), /was altered/);
      }
      assert.notEqual(found?.sharingId, sharingId, `byte ${at}`);
    }
    assert.equal(readKeyShare(share.subarray(0, -1)), undefined);
  });

  test('impossible thresholds are refused', async () => {
    for (const [threshold, count] of [
      [1, 3],
      [4, 3],
      [2, 17],
    ] as const) {
      await assert.rejects(splitRootKey(rootKey, { threshold, count }), /is not possible/);
    }
  });
});

const folder = folderOfTests();
const file = (name: string): string => join(folder, name);
const write = (name: string, content: string | Uint8Array): void =>
  writeFileSync(file(name), content, { mode: 0o600 });
const identities = await Promise.all(Array.from({ length: 5 }, () => generateIdentity()));
const recipients = await Promise.all(identities.map(identityToRecipient));
mkdirSync(file('data'));
write('data/root.key', rootKey);
write('operators.txt', `# five operators\n${recipients.join('\n')}\n`);
const split = ['root-key', 'split', '--threshold', '3', '--recipients', 'operators.txt'];
const combine = ['root-key', 'combine', '--identities', 'identities.txt', '--to'];
const ran = await runIn(folder, split);

describe('the commands', () => {
  test('split seals one share to each operator, and prints none', async () => {
    assert.equal(ran.code, 0, ran.err);
    const names = readdirSync(file('root-key-shares')).sort();
    assert.deepEqual(
      names,
      [1, 2, 3, 4, 5].map((number) => `share-${number}.age`),
    );
    for (const [index, identity] of identities.entries()) {
      const sealed = readFileSync(file(`root-key-shares/share-${index + 1}.age`));
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const share = read(await decrypter.decrypt(sealed));
      assert.equal(share.number, index + 1);
      assert.equal(
        `${ran.out}${ran.err}`.includes(Buffer.from(share.value).toString('hex')),
        false,
      );
      const other = new Decrypter();
      other.addIdentity(identities[(index + 1) % 5] ?? '');
      await assert.rejects(other.decrypt(sealed));
    }
  });

  test('three operators recover the key, and two do not', async () => {
    write('identities.txt', identities.slice(1, 3).join('\n'));
    const early = await runIn(folder, [...combine, 'early.key']);
    assert.match(early.err, /2 of 3 required shares were given: find 1 more/);
    write('identities.txt', identities.slice(1, 4).join('\n'));
    const done = await runIn(folder, [...combine, 'recovered.key']);
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(readFileSync(file('recovered.key')), Buffer.from(rootKey));
    assert.equal(statSync(file('recovered.key')).mode & 0o777, 0o600);
    assert.match((await runIn(folder, [...combine, 'recovered.key'])).err, /exists already/);
    assert.equal(readdirSync(folder).includes('early.key'), false);
  });

  test('a repeated share, another file and a foreign share are named', async () => {
    write('identities.txt', identities.join('\n'));
    copyFileSync(file('root-key-shares/share-2.age'), file('root-key-shares/copy.age'));
    const repeated = await runIn(folder, [...combine, 'x.key']);
    assert.match(repeated.err, /share 2 was given twice/);
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipients[0] ?? '');
    write('root-key-shares/copy.age', await encrypter.encrypt('a letter'));
    assert.match((await runIn(folder, [...combine, 'x.key'])).err, /holds no share of a root key/);
    write('identities.txt', await generateIdentity());
    assert.match(
      (await runIn(folder, [...combine, 'x.key'])).err,
      /no identity of .* opens a share/,
    );
  });

  test('wrong input of split writes nothing', async () => {
    const into = [...split, '--to', 'elsewhere'];
    assert.match((await runIn(folder, split)).err, /is not empty/);
    write('operators.txt', `${recipients[0]}\n${recipients[1]}\n${recipients[0]}\n`);
    assert.match((await runIn(folder, into)).err, /twice/);
    write('operators.txt', `${recipients[0]}\n${recipients[1]}\nage1nothing\n`);
    assert.match((await runIn(folder, into)).err, /age1nothing is not an age recipient/);
    write('identities.txt', 'AGE-SECRET-KEY-1WRONG');
    const wrong = (await runIn(folder, [...combine, 'x.key'])).err;
    assert.match(wrong, /a line that is not an age identity/);
    assert.equal(wrong.includes('WRONG'), false);
    assert.equal(readdirSync(folder).includes('elsewhere'), false);
  });
});
