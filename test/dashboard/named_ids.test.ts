// Names in place of ids, in sentences, rules and JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNames } from '../../dashboard/app/headlines/named_ids.ts';
import { quorumMembers } from '../../dashboard/app/headlines/quorum_text.ts';
import { fetchScreenTexts } from '../../dashboard/messages/text.ts';

await fetchScreenTexts();

const known = '01a205ac-48e3-74b0-9a8f-4777ece305a1';
const other = '01a205ac-48e3-74b0-9a8f-4777ece305a2';
const names = new Map([[known, 'treasury']]);

test('a name in JSON has one pair of quotes, and an unknown id keeps its own', () => {
  const json = JSON.stringify({ walletId: known, ids: [known, other] });
  assert.equal(withNames(json, names), '{"walletId":“treasury”,"ids":[“treasury”,"01a2…05a2"]}');
});

test('a name in a rule or a sentence replaces the id with its quotes', () => {
  assert.equal(withNames(`wallet.id == '${known}'`, names), 'wallet.id == “treasury”');
  assert.equal(withNames(`wallet.id == '${other}'`, names), 'wallet.id == 01a2…05a2');
  assert.equal(withNames(`The wallet ${known} waits.`, names), 'The wallet “treasury” waits.');
  assert.equal(withNames(`'${known} waits`, names), "'“treasury” waits");
});

test('a quorum of one names its members without a count', () => {
  assert.equal(quorumMembers(1, ['erin']), 'erin');
  assert.equal(quorumMembers(1, ['alice', 'bob']), 'alice or bob');
  assert.equal(quorumMembers(2, ['alice', 'bob']), '2 of alice and bob');
});
