// App proofs: results of activities, signed with a key that only the running enclave has. docs/proofs.md
// states what they prove.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { HpkeBinding, HpkeMessage } from '../crypto/hpke.ts';
import type { RecordChange } from '../organization/changes.ts';
import type { Activity, AppProof } from '../organization/records/activity.ts';
import type { OrganizationState } from '../organization/state.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { subOrganizationProof, type WrittenChild } from './sub_organization_proof.ts';

/** The key of a running enclave, generated at its start and never stored. */
export type EphemeralKey = {
  /** 130 bytes: the point for encryption ‖ the point for signatures, uncompressed both. */
  readonly publicKey: Uint8Array;
  /** Signs a digest of 32 bytes with ECDSA on P-256: r ‖ s, 64 bytes. */
  sign(digest: Uint8Array): Uint8Array;
  /** Opens a message sealed to the encryption point; see `openWith`. */
  open(message: HpkeBinding & HpkeMessage): Uint8Array | undefined;
};

/** The completed activity of a proof. */
type Proved = {
  readonly activity: Activity;
  /** The changed records, by organization. */
  readonly written: readonly {
    readonly organizationId: string;
    readonly changes: readonly RecordChange[];
  }[];
  /** New organizations, whose rows are part of `written`. */
  readonly children: readonly WrittenChild[];
  /** The state of the decision, of the organization or the parent. */
  readonly state: OrganizationState;
  readonly parent: OrganizationState | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Returns a proof for each derived address and each new sub-organization; otherwise one for the decision. */
export function appProofsOf(proved: Proved, key: EphemeralKey): readonly AppProof[] {
  const addresses = proved.written.flatMap(({ organizationId, changes }) =>
    changes.flatMap((change) => derivedAddresses(organizationId, change)),
  );
  const made: readonly JsonObject[] = [
    ...addresses.map((addressDerivationProof) => ({
      type: 'APP_PROOF_TYPE_ADDRESS_DERIVATION',
      addressDerivationProof,
    })),
    ...proved.children.map((child) => ({
      type: 'APP_PROOF_TYPE_SUB_ORGANIZATION',
      subOrganizationProof: subOrganizationProof(child),
    })),
  ];
  const decided = () => ({
    type: 'APP_PROOF_TYPE_POLICY_OUTCOME',
    policyOutcomeProof: policyOutcome(proved),
  });
  const payloads = made.length === 0 ? [decided()] : made;
  const beside = { timestampMs: String(proved.now), activity: activityProved(proved.activity) };
  return payloads.map((payload) => signed({ ...payload, ...beside }, key));
}

function signed(payload: JsonObject, key: EphemeralKey): AppProof {
  const proofPayload = JSON.stringify(payload);
  return {
    scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256',
    publicKey: hex(key.publicKey),
    proofPayload,
    signature: hex(key.sign(sha256(utf8(proofPayload)))),
  };
}

function activityProved({ id, type, organizationId, fingerprint, result }: Activity): JsonObject {
  return { id, type, organizationId, fingerprint, resultDigest: digestOf(result) };
}

/** Returns the addresses of a new account or private key. */
function derivedAddresses(organizationId: string, change: RecordChange): readonly JsonObject[] {
  const { kind, before, after } = change;
  if (before !== undefined || after === undefined) return [];
  if (kind === 'wallet_account' && 'walletId' in after && 'path' in after) {
    const { walletId, path: derivationPath, address } = after;
    return [{ organizationId, walletId, derivationPath, address }];
  }
  if (kind === 'private_key' && 'addresses' in after) {
    return after.addresses.map(({ address }) => ({ organizationId, address }));
  }
  return [];
}

function policyOutcome({ activity, state, parent }: Proved): JsonObject {
  return {
    organizationId: activity.organizationId,
    outcome: 'OUTCOME_ALLOW',
    decisionContextDigest: digestOf(activity.evaluations),
    organizationDataDigest: stateDigest(state),
    parentOrganizationDataDigest: parent === undefined ? '' : stateDigest(parent),
    userRequestApprovals: activity.votes
      .filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
      .map(({ scheme, publicKey, signature, message }) => ({
        scheme,
        publicKey,
        messageDigest: hex(sha256(utf8(message))),
        signature,
      })),
  };
}

/** Returns a digest that identifies the state of a version without disclosing it. */
const stateDigest = ({ id, version, head }: OrganizationState): string =>
  digestOf({
    organizationId: id,
    version,
    rootQuorum: head.rootQuorum,
    policySetId: head.policySetId,
  });

/** Returns the hex SHA-256 of a value as `JSON.stringify` writes it. */
const digestOf = (value: Json | object): string => hex(sha256(utf8(JSON.stringify(value))));
