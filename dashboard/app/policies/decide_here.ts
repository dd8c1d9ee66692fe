// One request of a user, decided in this page under policies that are not saved: by the evaluator of the enclave,
// on what the page knows of the request. A fact that it does not know fails, as one that is not there does.

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
  /** The account that the request signs with. */
  readonly account: Account | undefined;
};

type Asked = {
  readonly activityType: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly userId: string;
};

type Here = {
  readonly outcome: 'allow' | 'wait' | 'refuse';
  /** The outcome of the policy in the editor. */
  readonly draft: string;
  /** Ids of policies that read something which this page does not know, or which fails. */
  readonly failing: readonly string[];
};

const draftName = 'the policy of the editor';

/** Decides a request; a sentence where it cannot be read here. */
export function decideHere(
  { activityType, parameters, userId }: Asked,
  draft: PolicyTexts & { readonly policyId?: string | undefined },
  known: Known,
  at: Date,
): Here | string {
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
      outcome: outcome as Here['outcome'],
      draft: outcomes.get(draftName) ?? '',
      failing: [...outcomes].flatMap(([name, came]) => (came === 'OUTCOME_ERROR' ? [name] : [])),
    };
  } catch (error) {
    if (error instanceof PolicyTestError) return error.message;
    throw error;
  }
}

/** Members of requests that policies read, by the names of the language. */
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

function paramsOf(parameters: Asked['parameters']) {
  return Object.fromEntries(
    Object.entries(readMembers).flatMap(([member, name]) =>
      parameters[member] === undefined ? [] : [[name, parameters[member]]],
    ),
  );
}

/** The address book, and the wallet or private key in the request. */
function subjectOf(
  { walletId, privateKeyId, signWith }: Asked['parameters'],
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

/** The transaction, read as the service reads it. */
function transactionOf(
  activityType: string,
  { type, unsignedTransaction }: Asked['parameters'],
  account: Account | undefined,
) {
  if (!activityType.startsWith('ACTIVITY_TYPE_SIGN_TRANSACTION') || account === undefined)
    return {};
  const { address, addressFormat, publicKey } = account;
  return {
    transaction: { type, unsignedTransaction, account: { address, addressFormat, publicKey } },
  };
}
