// Drops cached keys that derive from a wallet when the wallet changes.

import type { OrganizationKeyMark } from '../../core/organization/records/organization_key.ts';
import type { LoadedOrganization } from './change_writer.ts';

/** The caches of wallets; see `SigningKeyCache`. */
export type DerivedKeys = {
  dropWallet(organizationId: string, walletId: string): void;
  /** Drops the keys of a permanently deleted wallet. */
  dropDeletedWallet(organizationId: string, walletId: string): void;
  dropOrganization(organizationId: string): void;
  /** Drops the organization key and all derived keys if `mark`, from the newest state, has changed. */
  followSeals(organizationId: string, mark: OrganizationKeyMark | undefined): void;
};

/**
 * Drops the keys of each wallet that differs from `kept`, the last known state of the organization. The
 * deletion of accounts changes a wallet; keys of its other accounts are derived again when needed.
 */
export function dropDerivedKeys(
  kept: LoadedOrganization | undefined,
  { state, marks }: LoadedOrganization,
  derivedKeys: DerivedKeys,
): void {
  const { id, records } = state;
  const { deletedAtMs, organizationKey } = state.head;
  derivedKeys.followSeals(id, deletedAtMs === undefined ? organizationKey : undefined);
  if (kept === undefined) {
    // The state was evicted, so changes since then are unknown.
    derivedKeys.dropOrganization(id);
    return;
  }
  for (const walletId of kept.state.records.wallet.keys()) {
    const name = `wallet/${walletId}`;
    if (!records.wallet.has(walletId)) derivedKeys.dropDeletedWallet(id, walletId);
    else if (marks.get(name) !== kept.marks.get(name)) derivedKeys.dropWallet(id, walletId);
  }
}
