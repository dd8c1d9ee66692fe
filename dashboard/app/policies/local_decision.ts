// Decides one request in this page under policies that are not saved, with the enclave's evaluator. Facts
// that the page cannot read are missing; an expression that reads a missing fact fails.

import type { Submits } from '../../../src/client/generated/operations.ts';
import { runPolicyTest } from '../../../src/core/policy/simulator/policy_scenario.ts';
import { PolicyTestError } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import { readPolicyTest } from '../../../src/core/policy/simulator/policy_scenario_file.ts';
import { writtenPolicy } from '../../../src/core/policy/simulator/written_policy.ts';
import { caseReaders } from '../../../src/core/policy/test_readers/case_transaction.ts';
import type { Account, AddressLabel, Policy, PrivateKey, User, Wallet } from '../service/reads.ts';

export type PolicyTexts = Omit<Submits['create_policy']['parameters'], 'notes' | 'policyName'>;

type Known = {
  readonly policies: readonly Policy[];
  readonly users: readonly User[];
  readonly quorum: { readonly threshold: number; readonly userIds: readonly string[] };
  readonly wallets: readonly Wallet[];
  readonly privateKeys: readonly PrivateKey[];
  readonly addressLabels: readonly AddressLabel[];
  /** The account of `signWith`. Undefined for requests without a known account. */
  readonly account: Account | undefined;
};

type LocalRequest = {
  readonly activityType: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly userId: string;
};

type LocalDecision = {
  readonly outcome: 'allow' | 'wait' | 'refuse';
  /** The outcome of the policy in the editor. */
  readonly draft: string;
  /** Ids of the policies whose evaluation fails, for example because the page lacks a fact. */
  readonly failing: readonly string[];
};

const draftName = 'the policy of the editor';

/** Decides a request. Returns a sentence if this page cannot read the request or a policy. */
export function decideLocally(
  { activityType, parameters, userId }: LocalRequest,
  draft: PolicyTexts & { readonly policyId?: string | undefined },
  known: Known,
  at: Date,
): LocalDecision | string {
  const { policies, users, quorum } = known;
  const others = policies.filter(({ policyId }) => policyId !== draft.policyId);
  const file = {
    policies: [
      ...others.map(({ policyId, ...texts }) => writtenPolicy(policyId, texts)),
      writtenPolicy(draftName, draft),
    ],
    users: users.map(({ userId: id, userName, userEmail = '', userTags }) => ({
      userId: id,
      userName,
      userEmail,
      userTags,
    })),
    rootQuorum: { threshold: quorum.threshold, userIds: quorum.userIds },
    cases: [
      {
        name: 'request',
        at: at.toISOString(),
        activity: { type: activityType, params: paramsOf(parameters) },
        voters: [userId],
        expected: { outcome: 'allow' },
        ...subjectOf(parameters, known),
        ...transactionOf(activityType, parameters, known.account),
      },
    ],
  };
  try {
    const [result] = runPolicyTest(readPolicyTest(JSON.stringify(file), caseReaders));
    if (result === undefined) return '';
    const { outcome, outcomes } = result;
    return {
      outcome: outcome as LocalDecision['outcome'],
      draft: outcomes.get(draftName) ?? '',
      failing: [...outcomes].flatMap(([name, came]) => (came === 'OUTCOME_ERROR' ? [name] : [])),
    };
  } catch (error) {
    if (error instanceof PolicyTestError) return error.message;
    throw error;
  }
}

/** Members of requests with their names in the policy language. */
const readMembers = {
  hashFunction: 'hash_function',
  encoding: 'encoding',
  type: 'type',
  userId: 'user_id',
  userIds: 'user_ids',
  apiKeyIds: 'api_key_ids',
  targetPublicKey: 'target_public_key',
  walletId: 'wallet_id',
  sessionProfileId: 'session_profile_id',
  endpointId: 'endpoint_id',
  signWith: 'sign_with',
} as const;

function paramsOf(parameters: LocalRequest['parameters']) {
  return Object.fromEntries(
    Object.entries(readMembers).flatMap(([member, name]) =>
      parameters[member] === undefined ? [] : [[name, parameters[member]]],
    ),
  );
}

/** Returns the facts about the address book, and about the wallet or private key of the request. */
function subjectOf(
  { walletId, privateKeyId, signWith }: LocalRequest['parameters'],
  { wallets, privateKeys, addressLabels, account }: Known,
) {
  const wallet = wallets.find((each) => each.walletId === (account?.walletId ?? walletId));
  const key = privateKeys.find((each) => [privateKeyId, signWith].includes(each.privateKeyId));
  const labels = addressLabels.map(({ label, addresses }) => [
    label,
    addresses.map(({ address }) => address),
  ]);
  return {
    facts: {
      address_book: Object.fromEntries(labels),
      ...(wallet && {
        wallet: {
          id: wallet.walletId,
          label: wallet.walletName,
          imported: wallet.imported,
          exported: wallet.exported,
        },
      }),
      ...(account?.address !== undefined && { wallet_account: { address: account.address } }),
      ...(key && {
        private_key: {
          id: key.privateKeyId,
          label: key.privateKeyName,
          tags: key.privateKeyTags,
          imported: key.imported,
          exported: key.exported,
        },
      }),
    },
  };
}

/** Returns the transaction of a signing request. The evaluator decodes it like the service does. */
function transactionOf(
  activityType: string,
  { type, unsignedTransaction }: LocalRequest['parameters'],
  account: Account | undefined,
) {
  if (!activityType.startsWith('ACTIVITY_TYPE_SIGN_TRANSACTION') || account === undefined)
    return {};
  const { address, addressFormat, publicKey } = account;
  return {
    transaction: { type, unsignedTransaction, account: { address, addressFormat, publicKey } },
  };
}
