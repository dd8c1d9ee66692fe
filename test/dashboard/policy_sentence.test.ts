// Policies in one sentence, with the names of users, tags and wallets in place of their ids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policySentence } from '../../dashboard/app/policies/sentence.ts';
import { nameWithoutId } from '../../dashboard/app/service/activity_text.ts';
import { fetchScreenTexts } from '../../dashboard/messages/text.ts';

await fetchScreenTexts();

const [alice, bob, carol, wallet, tag, gone] = [1, 2, 3, 4, 5, 6].map(
  (digit) => `01a205ac-48e3-74b0-9a8f-4777ece305a${digit}`,
);
const names = new Map([
  [String(alice), 'alice'],
  [String(bob), 'bob'],
  [String(carol), 'carol\u202e'],
  [String(wallet), 'treasury'],
  [String(tag), 'signers'],
]);

const rows: readonly (readonly [condition: string, consensus: string, sentence: string])[] = [
  ['', '', 'Allows everything by every user.'],
  ['false', '', 'Allows nothing.'],
  [
    "activity.resource == 'SPONSORSHIP' && activity.action == 'SIGN'",
    '',
    'Allows paying for sponsored transactions by every user.',
  ],
  ["activity.type == ''", '', "Allows everything where activity.type == '' by every user."],
  [
    "activity.resource == 'AUTH_PROXY' && activity.action == 'CREATE'",
    '',
    'Allows enabling the onboarding proxy by every user.',
  ],
  ["activity.kind == 'UPDATE_ROOT_QUORUM'", '', 'Allows updating the root quorum by every user.'],
  ["activity.action == 'SIGN'", 'false', 'Allows nothing.'],
  ["activity.action == 'SIGN'", 'approvers.count() >= 1', 'Allows signing, if 1 user approves.'],
  [
    "activity.action == 'SIGN' && controls.daily && (wallet.label == 'a' || wallet.label == 'b')",
    "approvers.count() >= 2 && (credentials.any(c, c.type == 'X') || approvers.count() >= 3)",
    "Allows signing within the limit daily and where (wallet.label == 'a' || wallet.label == 'b'), if 2 users approve and (credentials.any(c, c.type == 'X') || approvers.count() >= 3).",
  ],
  ['!controls.hourly', '', 'Allows everything beyond the limit hourly by every user.'],
  ['true', '', 'Allows everything by every user.'],
  ["activity.action == 'EXPORT'", '', 'Allows exporting by every user.'],
  [
    `activity.action == 'SIGN' && wallet.id == '${wallet}'`,
    `approvers.any(user, user.id in ['${alice}', '${bob}'])`,
    'Allows signing with the wallet treasury, if alice or bob approves.',
  ],
  [
    `wallet.id == '${wallet}'`,
    `approvers.filter(u, u.id in ['${alice}', '${bob}', '${carol}']).count() >= 2`,
    'Allows everything with the wallet treasury, if 2 of alice, bob, and carol\\u{202e} approve.',
  ],
  [
    "activity.resource == 'WALLET' && activity.action == 'CREATE'",
    `approvers.any(user, user.id == '${String(alice).toUpperCase()}')`,
    'Allows creating wallets, if alice approves.',
  ],
  [
    "activity.kind == 'SIGN_TRANSACTION' && eth.tx.value <= 5",
    `approvers.any(user, user.tags.contains('${tag}'))`,
    'Allows signing transactions where eth.tx.value <= 5, if a holder of the tag signers approves.',
  ],
  [
    `activity.kind == 'SIGN_TRANSACTION' && wallet.id == '${wallet}' && eth.tx.chain_id == 1 && eth.tx.value <= 500000000000000000 && eth.tx.to in address_book.payroll`,
    'approvers.count() >= 2',
    'Allows signing transactions with the wallet treasury, on Ethereum, of at most 0.5 ETH, and to the address book label payroll, if 2 users approve.',
  ],
  [
    "eth.tx.to in ['0x01', '0x02'] && eth.tx.chain_id == 999 && eth.tx.value > 1",
    '',
    'Allows everything to 0x01 or 0x02, on chain 999, and where eth.tx.value > 1 by every user.',
  ],
  [
    "eth.tx.to == '0x01' && eth.tx.value < 1 && eth.tx.chain_id == 137 && eth.tx.to in [address_book.a[0]]",
    '',
    'Allows everything to 0x01, of less than 0.000000000000000001 POL, on Polygon, and where eth.tx.to in [address_book.a[0]] by every user.',
  ],
  [
    "activity.kind == 'INIT_OTP' || activity.kind == 'OTP_LOGIN'",
    '',
    'Allows sending one-time codes or signing in with codes by every user.',
  ],
  [
    "activity.resource == 'POLICY' || activity.kind == 'SIGN_RAW_PAYLOAD'",
    'approvers.count() >= 2',
    'Allows signing messages or data or everything about policies, if 2 users approve.',
  ],
  [
    "activity.kind in ['SIGN_TRANSACTION', 'SIGN_RAW_PAYLOAD']",
    '',
    'Allows signing transactions or signing messages or data by every user.',
  ],
  [
    "wallet.label in ['SIGN', 'everyday']",
    '',
    "Allows everything where wallet.label in ['SIGN', 'everyday'] by every user.",
  ],
  [
    '',
    `approvers.any(u, u.id == '${alice}') && approvers.count() >= 2`,
    'Allows everything, if alice approves and 2 users approve.',
  ],
  ['', 'approvers.count() > 1', 'Allows everything, if 2 users approve.'],
  [
    `activity.params.user_id == '${bob}' || wallet.id == '${gone}'`,
    `approvers.any(u, u.id == '${alice}') && credentials.count() > 1`,
    `Allows everything where activity.params.user_id == “bob” || wallet.id == 01a2…05a6, if alice approves and credentials.count() > 1.`,
  ],
  ['not an expression', '(', 'Allows not an expression, if (.'],
];

for (const [condition, consensus, sentence] of rows) {
  test(`sentence of ${condition || 'no condition'} and ${consensus || 'no consensus'}`, () => {
    const rule = { effect: 'EFFECT_ALLOW', condition, consensus };
    assert.equal(policySentence(rule, names), sentence);
  });
}

test('the sentence of a denial names it, and ends with the time', () => {
  const rule = { effect: 'EFFECT_DENY', condition: "activity.action == 'EXPORT'", consensus: '' };
  assert.equal(policySentence(rule, names), 'Denies exporting.');
  assert.equal(
    policySentence({ ...rule, time: "time.now < Timestamp('2030-01-01T00:00:00Z')" }, names),
    "Denies exporting. In force while time.now < Timestamp('2030-01-01T00:00:00Z').",
  );
});

test('the sentence omits the id that the service appends to a name, and no other part', () => {
  assert.equal(nameWithoutId(`Onboarding proxy ${alice}`), 'Onboarding proxy');
  for (const name of [String(alice), ` ${alice}`, 'two of three', `${alice} signs`]) {
    assert.equal(nameWithoutId(name), name);
  }
});
