// Creates typical policies, and measures the time of decisions with them.

import { decidingPolicy } from '../src/core/policy/decision/deciding_policies.ts';
import { decideActivity, decisionInputOf } from '../src/core/policy/decision/decision.ts';
import type { Voter } from '../src/core/policy/decision/voters.ts';
import { caselessText, type Scope } from '../src/core/policy/language/values.ts';
import type { PolicyParameters } from '../src/core/policy/policies.ts';

export type DecisionTimes = {
  readonly p50Microseconds: number;
  readonly p99Microseconds: number;
};

const decisions = 4_000;
const warmUpDecisions = 2_000;

/** Creates `count` policies. Only the last one lets the user sign; the others have different conditions. */
export function typicalPolicies(count: number, userId: string): readonly PolicyParameters[] {
  const others = Array.from({ length: count - 1 }, (_, i) => ({
    policyName: `Policy ${i}`,
    ...typicalPolicy(i),
  }));
  const condition = "activity.action == 'SIGN'";
  return [...others, { policyName: 'Signer', ...allowing(condition, userId) }];
}

/**
 * Decides on a signed transaction with this number of compiled policies, from conditions and votes to the
 * decision, with cached facts or new ones. Times include interruptions.
 */
export function measureDecisions(count: number, facts: 'new' | 'known'): DecisionTimes {
  const signer: Voter = {
    userId: identifier(1),
    user: { id: identifier(1), tags: [identifier(2)], email: '', alias: 'Signer' },
    credentials: [
      {
        id: identifier(3),
        user_id: identifier(1),
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        public_key: '02'.padEnd(66, 'a'),
        credential_id: '',
      },
    ],
  };
  const policies = typicalPolicies(count, signer.userId).map((described, i) =>
    decidingPolicy({ ...described, id: identifier(i), name: described.policyName }),
  );
  const scope = signingScope();
  const decide = () =>
    decideActivity(
      decisionInputOf({
        rule: 'policy',
        rootQuorum: { threshold: 1, userIds: [identifier(0)] },
        failedDeny: undefined,
        ownUserId: undefined,
        policies,
        scopes: () => [scope],
        scopeKey: () => (facts === 'known' ? 'the same signature' : undefined),
        timeScope: { time: { now: 1_763_700_000_000_000_000n } },
      }),
      [signer],
      signer.userId,
      () => [],
    );

  for (let round = 0; round < warmUpDecisions; round += 1) decide();
  const microseconds: number[] = [];
  for (let round = 0; round < decisions; round += 1) {
    const start = process.hrtime.bigint();
    const { reason } = decide();
    microseconds.push(Number(process.hrtime.bigint() - start) / 1_000);
    if (reason !== 'policy_allows') throw new Error(`decided otherwise: ${reason}`);
  }
  microseconds.sort((a, b) => a - b);
  const at = (share: number) => microseconds[Math.floor(decisions * share)] ?? 0;
  return { p50Microseconds: at(0.5), p99Microseconds: at(0.99) };
}

type Described = Omit<PolicyParameters, 'policyName'>;

/** Returns one of eight typical policies, with its own constants. */
function typicalPolicy(i: number): Described {
  const [id, to, user] = [identifier(i), address(i), identifier(1_000_000 + i)];
  const shapes: readonly Described[] = [
    allowing(`activity.action == 'SIGN' && wallet.id == '${id}'`, user),
    allowing(`activity.kind == 'SIGN_TRANSACTION'`, user),
    denying(
      `activity.resource == 'POLICY' && (activity.action == 'CREATE' || activity.action == 'UPDATE')`,
    ),
    allowing(`eth.tx.to == '${to}' && eth.tx.value <= ${i}000000000000000`, user),
    allowing(
      `eth.tx.chain_id == ${i} && eth.tx.to in ['${to}', '${address(i + 1)}', '${address(i + 2)}']`,
      user,
    ),
    denying(`eth.tx.to == '${to}' && eth.tx.data[0..10] == '0xa9059cbb'`),
    denying(`activity.resource in ['USER', 'POLICY', 'ORGANIZATION']`),
    allowing(
      `activity.type == 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' && wallet_account.address == '${to}'`,
      user,
    ),
  ];
  return shapes[i % shapes.length] ?? denying('true');
}

function allowing(condition: string, userId: string): Described {
  const consensus = `approvers.any(user, user.id == '${userId}')`;
  return { effect: 'EFFECT_ALLOW', condition, consensus };
}

function denying(condition: string): Described {
  return { effect: 'EFFECT_DENY', condition };
}

function signingScope(): Scope {
  return {
    activity: {
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      kind: 'SIGN_TRANSACTION',
      resource: 'PRIVATE_KEY',
      action: 'SIGN',
      params: { type: 'TRANSACTION_TYPE_ETHEREUM' },
    },
    wallet: { id: identifier(7), imported: false, exported: false, label: 'treasury' },
    wallet_account: { address: address(7) },
    eth: {
      tx: {
        from: caselessText(address(7)),
        to: caselessText(address(3)),
        data: `0xa9059cbb${address(11).slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`,
        value: 1_000_000_000_000_000n,
        gas: 21_000n,
        gas_price: 30_000_000_000n,
        nonce: 3n,
        chain_id: 4n,
        max_fee_per_gas: 30_000_000_000n,
        max_priority_fee_per_gas: 1_000_000_000n,
        max_fee_per_blob_gas: 0n,
        type: 'TYPE_2',
        function_name: '',
        function_signature: '',
      },
    },
  };
}

function identifier(i: number): string {
  return `0198c1a2-7b3c-7def-8123-${i.toString(16).padStart(12, '0')}`;
}

function address(i: number): string {
  return `0x${(i + 1).toString(16).padStart(40, 'aBcD')}`;
}
