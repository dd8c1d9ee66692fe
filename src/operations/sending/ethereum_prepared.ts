// An Ethereum transaction that is ready for its decision and signature, with or without a sponsor.

import type { Context } from '../../core/base/context.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import type { User } from '../../core/organization/model.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationDraft, OrganizationState } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';

/** The parts of an allowed activity that signing needs. */
export type EthereumStart = {
  readonly activityId: string;
  readonly organization: OrganizationDraft;
  readonly submitter: User;
  readonly keyring: Keyring;
  readonly context: Context;
  readonly changeSponsor: (state: OrganizationState) => OrganizationDraft;
};

export type PreparedSend = {
  readonly facts: () => Facts;
  readonly explain: () => TransactionExplanation;
  /** Signs the transaction and stores it. Returns the ID of its status. */
  readonly start: (input: EthereumStart) => string;
};
