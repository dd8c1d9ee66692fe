// An Ethereum transaction that is ready for its decision and signature, with or without a sponsor.

import type { Context } from '../../core/base/context.ts';
import type { Keyring, RawSignature } from '../../core/keys/keyring.ts';
import type { User } from '../../core/organization/model.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationDraft, OrganizationState } from '../../core/organization/state.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import { type OrderInput, signExternally } from '../signing/external_keys.ts';
import type { ExternalKey } from '../signing/signing_key.ts';

/** The parts of an allowed activity that signing needs. */
export type EthereumStart = {
  readonly activityId: string;
  readonly organization: OrganizationDraft;
  readonly submitter: User;
  readonly keyring: Keyring;
  readonly context: Context;
  readonly changeSponsor: (state: OrganizationState) => OrganizationDraft;
  /** Signatures of an external key, one for each of its `signedBytes`. */
  readonly obtained?: readonly RawSignature[] | undefined;
};

export type PreparedSend = {
  readonly facts: () => Facts;
  readonly explain: () => TransactionExplanation;
  /** The bytes that the holder of an external key signs. */
  readonly external?: {
    readonly key: ExternalKey;
    readonly signedBytes: readonly Uint8Array[];
    /** Raises the errors of `start` that depend on limits. */
    readonly requireWithinLimits: (input: OrderInput) => void;
  };
  /** Signs the transaction and stores it. Returns the ID of its status. */
  readonly start: (input: EthereumStart) => string;
};

/** Orders the signatures of an external key. Returns undefined for a key of this service. */
export function orderSignatures(
  { external }: PreparedSend,
  input: OrderInput,
): Promise<readonly RawSignature[]> | undefined {
  return external && ordered(external, input);
}

async function ordered(
  { key, signedBytes, requireWithinLimits }: NonNullable<PreparedSend['external']>,
  input: OrderInput,
): Promise<readonly RawSignature[]> {
  // A holder that signed a rejected transaction could still send it.
  requireWithinLimits(input);
  return await signExternally(key, signedBytes, input);
}

/** Maximum bytes that a signature adds to a transaction. */
const signatureBytes = 70;

/** Returns the maximum size of a transaction once it has its signatures. */
export const sizeOnceSigned = (unsigned: Uint8Array, signatures = 1): number =>
  '0x'.length + 2 * (unsigned.length + signatures * signatureBytes);
