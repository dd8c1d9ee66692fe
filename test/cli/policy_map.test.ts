// The map of users and wallets, with policies of every kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapSvg } from '../../src/cli/policies/map_svg.ts';
import { policyMap } from '../../src/core/policy/map/policy_map.ts';

const user = (userId: string, userTags: readonly string[] = []) => ({
  userId,
  userName: userId,
  userTags,
  apiKeys: [],
  authenticators: [],
});
const wallet = (walletId: string) => ({
  walletId,
  walletName: walletId,
  imported: false,
  exported: false,
});
const policy = (condition: string, consensus: string, effect = 'EFFECT_ALLOW') => ({
  policyId: `${effect} ${condition} ${consensus}`,
  effect,
  condition,
  consensus,
});

function mapOf(policies: readonly object[]) {
  const rows = policyMap(
    {
      policies,
      users: [user('root'), user('alice', ['traders']), user('bob')],
      wallets: [wallet('hot'), wallet('cold')],
      quorum: { threshold: 1, userIds: ['root'] },
    } as never,
    new Date('2027-01-01T00:00:00Z'),
  );
  return Object.fromEntries(
    rows.map(({ user: name, wallet: of, messages, transactions }) => [
      `${name} ${of}`,
      `${messages} ${transactions}`,
    ]),
  );
}

test('each cell shows if a user signs alone, with votes, by content, or never', () => {
  const trader = "approvers.any(user, user.tags.contains('traders'))";
  assert.deepEqual(
    mapOf([
      policy("activity.action == 'SIGN' && wallet.id == 'hot'", trader),
      policy(
        "activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'cold'",
        'approvers.count() >= 2',
      ),
      policy(
        "activity.kind == 'SIGN_TRANSACTION' && eth.tx.value < 5",
        "approvers.any(u, u.id == 'bob')",
      ),
    ]),
    {
      'root hot': 'alone alone',
      'root cold': 'alone alone',
      'alice hot': 'alone alone',
      'alice cold': 'never votes',
      'bob hot': 'never content',
      'bob cold': 'never votes',
    },
  );
});

test('a DENY by content makes an allowed cell depend on content', () => {
  const all = policy("activity.action == 'SIGN'", 'true');
  const deny = policy(
    "activity.kind == 'SIGN_TRANSACTION' && eth.tx.value > 5",
    'true',
    'EFFECT_DENY',
  );
  const map = mapOf([all, deny]);
  assert.equal(map['alice hot'], 'alone content');
  assert.equal(map['root hot'], 'alone alone');
});

test('the picture has a cell for each row, and escapes names', () => {
  const reach = { messages: 'alone', transactions: 'votes' } as const;
  const rows = ['<b>', 'c'].flatMap((name) =>
    ['x', 'y'].map((of) => ({ user: name, wallet: of, ...reach })),
  );
  const svg = mapSvg(rows, 2);
  assert.equal(svg.match(/<rect /g)?.length, 8);
  assert.doesNotMatch(svg, /<b>/);
  assert.match(svg, /&#60;b&#62;/);
  assert.match(svg, /^<svg xmlns=.*<\/svg>\n$/s);
});
