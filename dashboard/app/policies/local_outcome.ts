// Describes the outcome of one request under the policy in the editor, as this page decides it.

import type { Client } from '../../../src/client/connect.ts';
import { known, listText, t } from '../../messages/text.ts';
import type { Account } from '../service/reads.ts';
import { decideLocally, type PolicyTexts } from './local_decision.ts';

export type LocalOutcome = { readonly sentence: string; readonly notes: readonly string[] };

const sentences = {
  allow: 'api.wouldBeDone',
  wait: 'api.wouldWait',
  refuse: 'api.wouldBeRefused',
} as const;

/** Reads the data of the organization that policies refer to, and decides. */
export async function describeLocalOutcome(
  client: Client,
  request: {
    readonly name: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly userId: string;
  },
  draft: PolicyTexts & { readonly policyId?: string | undefined },
): Promise<LocalOutcome> {
  const { name, parameters, userId } = request;
  const [
    { policies },
    { users },
    { configs },
    { wallets },
    { privateKeys },
    { addressLabels },
    account,
  ] = await Promise.all([
    client.query('list_policies'),
    client.query('list_users'),
    client.query('get_organization_configs'),
    client.query('list_wallets'),
    client.query('list_private_keys'),
    client.query('list_address_labels'),
    accountOf(client, parameters['signWith']),
  ]);
  const decision = decideLocally(
    { activityType: `ACTIVITY_TYPE_${name.toUpperCase()}`, parameters, userId },
    draft,
    { policies, users, quorum: configs.quorum, wallets, privateKeys, addressLabels, account },
    new Date(client.now()),
  );
  if (typeof decision === 'string') {
    return { sentence: t('policies.notHere'), notes: [decision] };
  }
  const nameOf = (id: string) =>
    policies.find(({ policyId }) => policyId === id)?.policyName ?? t('policies.thisOne');
  return {
    sentence: t(sentences[decision.outcome]),
    notes: [
      t('policies.draftComesTo', {
        outcome: known(`decision.${decision.draft}`, t('policies.notAsked')),
      }),
      ...(decision.failing.length === 0
        ? []
        : [t('policies.failHere', { names: listText(decision.failing.map(nameOf)) })]),
      t('policies.hereHint'),
    ],
  };
}

async function accountOf(client: Client, signWith: unknown): Promise<Account | undefined> {
  if (typeof signWith !== 'string' || signWith === '') return undefined;
  const requested = signWith.toLowerCase();
  for await (const account of client.pages('list_wallet_accounts')) {
    if (account.address?.toLowerCase() === requested) return account;
  }
  return undefined;
}
