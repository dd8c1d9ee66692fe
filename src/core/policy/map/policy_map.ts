// Shows which users may sign with which wallets. The enclave's evaluator decides each pair.

import { runPolicyTest } from '../simulator/policy_scenario.ts';
import { readPolicyTest } from '../simulator/policy_scenario_file.ts';
import { writtenPolicy } from '../simulator/written_policy.ts';
import { caseReaders } from '../test_readers/case_transaction.ts';

type Credential = { readonly type: string; readonly publicKey: string };

type Organization = {
  readonly policies: readonly {
    readonly policyId: string;
    readonly effect: string;
    readonly condition: string;
    readonly consensus: string;
    readonly time?: string | undefined;
  }[];
  readonly users: readonly {
    readonly userId: string;
    readonly userName: string;
    readonly userEmail?: string | undefined;
    readonly userTags: readonly string[];
    readonly apiKeys: readonly { readonly apiKeyId: string; readonly credential: Credential }[];
    readonly authenticators: readonly {
      readonly authenticatorId: string;
      readonly credential: Credential;
    }[];
  }[];
  readonly wallets: readonly {
    readonly walletId: string;
    readonly walletName: string;
    readonly imported: boolean;
    readonly exported: boolean;
  }[];
  readonly quorum: { readonly threshold: number; readonly userIds: readonly string[] };
};

/**
 * `alone`: without other votes. `votes`: with further votes. `content`: depends on the content of the
 * request.
 */
export type Reach = 'alone' | 'votes' | 'content' | 'never';

/** The signing rights of one user for one wallet. */
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

/** Returns a row for each user and wallet. Throws `PolicyTestError` for invalid policies. */
export function policyMap(of: Organization, at: Date): readonly MapRow[] {
  return of.users.flatMap((user) => mapRowsOf(of, user, at));
}

/** Returns a row for each wallet of one user. Throws `PolicyTestError` for invalid policies. */
export function mapRowsOf(
  of: Organization,
  { userId, userName }: Organization['users'][number],
  at: Date,
): readonly MapRow[] {
  const [messages, transactions] = [kinds.messages, kinds.transactions].map((type) =>
    reachesOf(of, userId, type, at),
  );
  return of.wallets.map(({ walletName }, i) => ({
    user: userName,
    wallet: walletName,
    messages: messages?.[i] ?? 'never',
    transactions: transactions?.[i] ?? 'never',
  }));
}

/** Returns the reach of one user for each wallet. */
function reachesOf(of: Organization, userId: string, type: string, at: Date): readonly Reach[] {
  const { policies, wallets } = of;
  const request = { ...of, userId, type, at };
  // `lenient` turns each policy into a DENY, so a condition with one false part is false for any content.
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
      // Without outcomes, the root quorum allowed the request.
      return denies && outcomes.size > 0 ? 'content' : 'alone';
    }
    // Assumes the best content for the user: each ALLOW applies, and no DENY.
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
