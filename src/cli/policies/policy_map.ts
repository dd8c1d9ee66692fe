// Maps users to the wallets that they may sign with. The language of the enclave decides each pair.

import type { Queries } from '../../client/generated/operations.ts';
import { runPolicyTest } from '../../core/policy/simulator/policy_scenario.ts';
import { readPolicyTest } from '../../core/policy/simulator/policy_scenario_file.ts';
import { writtenPolicy } from '../../core/policy/simulator/written_policy.ts';
import { caseReaders } from '../../core/policy/test_readers/case_transaction.ts';

type Organization = {
  readonly policies: Queries['list_policies']['result']['policies'];
  readonly users: Queries['list_users']['result']['users'];
  readonly wallets: Queries['list_wallets']['result']['wallets'];
  readonly quorum: { readonly threshold: number; readonly userIds: readonly string[] };
};

/** `content`: a policy decides by the content of the request. */
export type Reach = 'alone' | 'votes' | 'content' | 'never';

/** The signatures of one user with one wallet. */
export type MapRow = {
  readonly user: string;
  readonly wallet: string;
  readonly messages: Reach;
  readonly transactions: Reach;
};

const kinds = {
  messages: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  transactions: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
} as const;

/** Returns a row for each user and each wallet. Raises PolicyTestError for policies that it cannot read. */
export function policyMap(of: Organization, at: Date): readonly MapRow[] {
  return of.users.flatMap((user) => {
    const [messages, transactions] = [kinds.messages, kinds.transactions].map((type) =>
      reachesOf(of, user.userId, type, at),
    );
    return of.wallets.map(({ walletName }, i) => ({
      user: user.userName,
      wallet: walletName,
      messages: messages?.[i] ?? 'never',
      transactions: transactions?.[i] ?? 'never',
    }));
  });
}

/** Returns the reach of one user for each wallet. */
function reachesOf(of: Organization, userId: string, type: string, at: Date): readonly Reach[] {
  const { policies, wallets } = of;
  const request = { ...of, userId, type, at };
  // `lenient` makes each policy a DENY, so that a condition with one false part is false for any content.
  const lenient = policies.map((policy) => ({ ...policy, ...denyAny }));
  const conditions = decide({ ...request, policies: lenient });
  return decide(request).map(({ outcome, outcomes }, i) => {
    if (outcome === 'wait') return 'votes';
    const failing = new Set(
      policies
        .map(({ policyId }) => policyId)
        .filter((id) => conditions[i]?.outcomes.get(id) === 'OUTCOME_ERROR'),
    );
    if (outcome === 'allow') {
      const denies = policies.some(
        ({ policyId, effect }) => effect === 'EFFECT_DENY' && failing.has(policyId),
      );
      // The root quorum decides without policies.
      return denies && outcomes.size > 0 ? 'content' : 'alone';
    }
    // Assume the best content for the user: each ALLOW applies, and no DENY applies.
    const best = policies.flatMap((policy) => {
      if (!failing.has(policy.policyId)) return [policy];
      return policy.effect === 'EFFECT_DENY' ? [] : [{ ...policy, condition: '' }];
    });
    const wallet = wallets.slice(i, i + 1);
    const [suited] = decide({ ...request, policies: best, wallets: wallet });
    return suited === undefined || suited.outcome === 'refuse' ? 'never' : 'content';
  });
}

const denyAny = { effect: 'EFFECT_DENY', consensus: '', time: '' } as const;

/** Decides the request of one user for each wallet. */
function decide({
  policies,
  users,
  wallets,
  quorum: { threshold, userIds },
  userId,
  type,
  at,
}: Organization & { readonly userId: string; readonly type: string; readonly at: Date }) {
  if (wallets.length === 0) return [];
  const file = {
    policies: policies.map((policy) => writtenPolicy(policy.policyId, policy)),
    users: users.map((user) => ({
      userId: user.userId,
      userName: user.userName,
      userEmail: user.userEmail ?? '',
      userTags: user.userTags,
      credentials: credentialsOf(user),
    })),
    rootQuorum: { threshold, userIds },
    cases: wallets.map(({ walletId, walletName, imported, exported }) => ({
      name: walletId,
      at: at.toISOString(),
      activity: { type, params: {} },
      voters: [userId],
      expected: { outcome: 'allow' },
      facts: { wallet: { id: walletId, label: walletName, imported, exported } },
    })),
  };
  return runPolicyTest(readPolicyTest(JSON.stringify(file), caseReaders));
}

function credentialsOf({ apiKeys, authenticators }: Organization['users'][number]) {
  const keys = apiKeys.map(({ apiKeyId, credential }) => ({ id: apiKeyId, ...credential }));
  const passkeys = authenticators.map(({ authenticatorId, credential }) => ({
    id: authenticatorId,
    ...credential,
  }));
  return [...keys, ...passkeys].map(({ id, type, publicKey }) => ({
    credentialId: id,
    type,
    publicKey,
  }));
}

const words: Readonly<Record<Reach, string>> = {
  alone: 'alone',
  votes: 'with votes',
  content: 'by content',
  never: '',
};

/** Text for each reach in the table. */
export const reachText = (reach: Reach): string => words[reach];

const cell = { width: 150, height: 44 } as const;
const fills: Readonly<Record<Reach, string>> = {
  alone: '#bbf0c8',
  votes: '#ffe7a3',
  content: '#cfe1ff',
  never: '#ffffff',
};

/** Draws the map: a row for each user, a column for each wallet; messages above transactions. */
export function mapSvg(rows: readonly MapRow[], users: number, wallets: number): string {
  const text = (x: number, y: number, words: string) =>
    `<text x="${x}" y="${y}">${escaped(shortened(words))}</text>`;
  const columns = rows
    .slice(0, wallets)
    .map(({ wallet }, i) => text(cell.width * (i + 1) + 8, 26, wallet));
  const cells = rows.map(({ user, messages, transactions }, n) => {
    const [column, row] = [n % wallets, Math.floor(n / wallets)];
    const [x, y] = [cell.width * (column + 1), cell.height * (row + 1)];
    const half = (reach: Reach, top: number) =>
      `<rect x="${x}" y="${top}" width="${cell.width}" height="${cell.height / 2}" fill="${fills[reach]}" stroke="#888"/>` +
      text(x + 8, top + 16, reach === 'never' ? '' : words[reach]);
    const name = column === 0 ? text(8, y + 26, user) : '';
    return name + half(messages, y) + half(transactions, y + cell.height / 2);
  });
  const [width, height] = [cell.width * (wallets + 1), cell.height * (users + 1)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="13">`,
    '<title>Signatures of users with wallets: messages above, transactions below</title>',
    ...columns,
    ...cells,
    '</svg>\n',
  ].join('\n');
}

const shortened = (text: string): string => (text.length > 18 ? `${text.slice(0, 17)}…` : text);

function escaped(text: string): string {
  const shown = text.replaceAll(/\p{Cc}/gu, '�');
  return shown.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
