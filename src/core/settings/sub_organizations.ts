// Rules of sub-organizations: their first state, and the rows that remain after their deletion.

import type { FeatureName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { deleteContractInterfaces } from '../contracts/smart_contract_interfaces.ts';
import { deletePrivateKey } from '../keys/private_keys.ts';
import { deleteSecrets } from '../keys/secrets.ts';
import { deleteWallet } from '../keys/wallets.ts';
import { smallKinds } from '../organization/kinds.ts';
import type { Feature, OrganizationHead, WalletAccount } from '../organization/model.ts';
import type { OrganizationDraft } from '../organization/state.ts';

type Switch = { readonly feature: FeatureName };

/** Features of a new sub-organization, by the parameters that disable them. */
const featureSwitches = table<Switch>()({
  disableEmailAuth: { feature: 'FEATURE_NAME_EMAIL_AUTH' },
  disableEmailRecovery: { feature: 'FEATURE_NAME_EMAIL_RECOVERY' },
  disableSmsAuth: { feature: 'FEATURE_NAME_SMS_AUTH' },
  disableOtpEmailAuth: { feature: 'FEATURE_NAME_OTP_EMAIL_AUTH' },
});

/** Returns the head of a new sub-organization. Its quorum has no members until its users are added. */
export function newSubOrganizationHead(input: {
  readonly name: string;
  readonly rootQuorumThreshold: number;
  readonly switches: { readonly [Name in keyof typeof featureSwitches]?: boolean };
  readonly now: number;
}): OrganizationHead {
  const features: Feature[] = Object.values(featureSwitches)
    .filter(({ name }) => input.switches[name] !== true)
    .map(({ feature }) => ({ name: feature }));
  return {
    name: input.name,
    rootQuorum: { threshold: input.rootQuorumThreshold, userIds: [] },
    features,
    createdAtMs: input.now,
    updatedAtMs: input.now,
  };
}

/**
 * Deletes a sub-organization with all small state. Without the seeds no account can be used, even if its row
 * is not among `accounts` and remains. The head remains with the time of deletion, and so do the IDs of used
 * verification tokens, which its users have seen. Raises `not_exported` unless every wallet and private key
 * was exported or `withoutExport` is set.
 */
export function deleteSubOrganization(
  organization: OrganizationDraft,
  accounts: readonly WalletAccount[],
  withoutExport: boolean,
  now: number,
): void {
  for (const wallet of organization.list('wallet')) {
    const ofWallet = accounts.filter((account) => account.walletId === wallet.id);
    deleteWallet(wallet, ofWallet, withoutExport, organization);
  }
  for (const privateKey of organization.list('private_key')) {
    deletePrivateKey(privateKey, withoutExport, organization);
  }
  deleteContractInterfaces(organization.list('contract_interface'), organization);
  deleteSecrets(organization.list('secret'), organization);
  for (const kind of smallKinds) {
    if (kind === 'used_token') continue;
    for (const row of organization.list(kind)) organization.remove(kind, row.id);
  }
  organization.setHead({ deletedAtMs: now, updatedAtMs: now });
}
