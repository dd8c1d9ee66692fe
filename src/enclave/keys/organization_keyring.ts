// The part of a keyring that uses the organization's own key.

import { wipe } from '../../core/base/bytes.ts';
import { readClientMessage } from '../../core/bundles/client_message.ts';
import { assert, fail, failField } from '../../core/errors/errors.ts';
import type { OrganizationKeyring } from '../../core/keys/keyring.ts';
import {
  type HolderPurpose,
  holderBinding,
  openByOrganization,
  openForHolder,
  organizationKeyBytes,
  sealByOrganization,
  sealForHolder,
} from '../../core/keys/organization_keys.ts';
import type { OrganizationKeyMark } from '../../core/organization/records/organization_key.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';
import type { HeldOrganizationKeys } from './held_organization_keys.ts';
import type { Sealing } from './sealing.ts';
import { createWrappedSecrets, type InnerSealing } from './wrapped_secrets.ts';

export type OrganizationKeyPorts = {
  readonly organizationId: string;
  /** Undefined if the organization has no key of its own. */
  readonly mark?: OrganizationKeyMark | undefined;
  readonly held: HeldOrganizationKeys;
  /** The key of this run, to which holders seal their secrets. */
  readonly receiver: Pick<EphemeralKey, 'open'>;
  readonly wrapping: Sealing;
  readonly random: (length: number) => Uint8Array;
};

/** Returns the inner sealing of an organization with its own key. Its methods raise `organization_sealed`. */
export function innerSealing({
  organizationId,
  mark,
  held,
  random,
}: OrganizationKeyPorts): (InnerSealing & { requireUnsealed(): void }) | undefined {
  if (mark === undefined) return undefined;
  const key = () =>
    held.key(organizationId, mark) ?? fail('organization_sealed', { organizationId });
  return {
    requireUnsealed: () => void key(),
    ...sealingBy(key, organizationId, random),
  };
}

function sealingBy(
  key: () => Uint8Array,
  organizationId: string,
  random: OrganizationKeyPorts['random'],
): InnerSealing {
  return {
    seal: (kind, id, secret) =>
      sealByOrganization(key(), { organizationId, kind, id }, secret, random),
    open: (kind, id, sealed) => {
      const secret = openByOrganization(key(), { organizationId, kind, id }, sealed);
      assert(secret !== undefined, 'a secret opens by the key of its organization');
      return secret;
    },
  };
}

export function createOrganizationKeyring(ports: OrganizationKeyPorts): OrganizationKeyring {
  const { organizationId, mark, held, receiver, wrapping, random } = ports;

  /** Opens the secret of a holder for one use, and wipes it. */
  function withSecret<Result>(
    encryptedSecret: string,
    purpose: HolderPurpose,
    use: (secret: Uint8Array) => Result,
  ): Result {
    const { message, refusal } = readClientMessage(encryptedSecret, organizationKeyBytes);
    if (message === undefined) return failField(secretField, refusal);
    const secret = receiver.open({ ...message, ...holderBinding(organizationId, purpose, mark) });
    if (secret === undefined) return fail('holder_secret_unreadable', { organizationId });
    try {
      if (secret.length !== organizationKeyBytes) {
        failField(secretField, `expected a secret of ${organizationKeyBytes} bytes`);
      }
      return use(secret);
    } finally {
      wipe(secret);
    }
  }

  return {
    isUnsealed: () => mark === undefined || held.key(organizationId, mark) !== undefined,
    create: ({ id, holderId, encryptedSecret }, move) => {
      assert(mark === undefined, 'an organization has one key');
      const key = random(organizationKeyBytes);
      try {
        const place = { organizationId, keyId: id, holderId };
        const sealedKey = withSecret(encryptedSecret, 'hold', (secret) =>
          sealForHolder(key, secret, place, random),
        );
        const before = createWrappedSecrets(organizationId, wrapping);
        const inner = sealingBy(() => key, organizationId, random);
        const after = createWrappedSecrets(organizationId, wrapping, inner);
        move((kind, record) =>
          before.unwrapped(kind, record, (secret) => after.wrap(kind, record.id, secret)),
        );
        const hold = (parentId: string | undefined) =>
          withSecret(encryptedSecret, 'hold', (secret) => {
            const opened = openForHolder(sealedKey, secret, place);
            assert(opened !== undefined, 'a holder opens the key that was sealed for it');
            held.hold({ id: organizationId, parentId }, { id, seals: 0 }, opened);
          });
        return { sealedKey, hold };
      } finally {
        wipe(key);
      }
    },
    sealFor: (holderId, encryptedSecret) => {
      assert(mark !== undefined, 'a further holder follows a first one');
      const key = held.key(organizationId, mark) ?? fail('organization_sealed', { organizationId });
      return withSecret(encryptedSecret, 'hold', (secret) =>
        sealForHolder(key, secret, { organizationId, keyId: mark.id, holderId }, random),
      );
    },
    unseal: ({ id, sealedKey }, encryptedSecret) => {
      assert(mark !== undefined, 'the organization has the key that is unsealed');
      const place = { organizationId, keyId: mark.id, holderId: id };
      const opened = () =>
        withSecret(encryptedSecret, 'unseal', (secret) => openForHolder(sealedKey, secret, place));
      const key = opened();
      if (key === undefined) return undefined;
      wipe(key);
      return (parentId) => {
        const again = opened();
        assert(again !== undefined, 'the key opened before the commit');
        held.hold({ id: organizationId, parentId }, mark, again);
      };
    },
  };
}

const secretField = 'parameters.encryptedSecret';
