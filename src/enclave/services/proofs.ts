// The proofs of one run of the enclave: its key, its boot statement, and the boot proofs of earlier runs.

import type { ServiceSigner } from '../../core/crypto/service_keys.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { OrganizationDraft } from '../../core/organization/state.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';
import {
  bootProofView,
  bootStatement,
  maximumBootStatements,
  noHardwareAttestation,
  type Program,
} from '../../core/proofs/boot_proofs.ts';
import type { Proofs, Repository } from '../../pipeline/ports.ts';
import { createEphemeralKey } from '../keys/ephemeral_key.ts';
import { requiredState } from '../records/change_writer.ts';
import type { SystemChanges } from '../records/system_changes.ts';

/** Creates the key and the boot statement. Nothing is stored before the first proof. */
export function createProofs(ports: {
  readonly random: (length: number) => Uint8Array;
  /** The key of this run, if the enclave made it before it had its root key. */
  readonly ephemeralKey?: EphemeralKey | undefined;
  readonly newId: () => string;
  readonly clock: () => number;
  readonly program: Program;
  readonly deployment: Pick<Deployment, 'publicUrl'>;
  readonly serviceKeys: ServiceSigner;
  readonly repository: SystemChanges & Pick<Repository, 'organization' | 'known'>;
  /** The organization that stores boot proofs. */
  readonly firstOrganizationId: () => Promise<string>;
}): Proofs {
  const { program, repository, firstOrganizationId } = ports;
  const key = ports.ephemeralKey ?? createEphemeralKey(ports.random);
  const own = bootStatement(
    {
      id: ports.newId(),
      program,
      ephemeralPublicKey: key.publicKey,
      publicUrl: ports.deployment.publicUrl,
      now: ports.clock(),
    },
    ports.serviceKeys,
    noHardwareAttestation,
  );
  let kept: Promise<string> | undefined;

  function write(draft: OrganizationDraft): 'no_event' | undefined {
    if (draft.get('boot_statement', own.id) !== undefined) return undefined;
    const oldest = draft.list('boot_statement').slice(0, 1 - maximumBootStatements);
    for (const { id } of oldest) draft.remove('boot_statement', id);
    draft.put('boot_statement', own);
    return 'no_event';
  }

  /** Stores the boot proof. Returns the ID of its organization. */
  async function keep(): Promise<string> {
    const id = await firstOrganizationId();
    await repository.systemChange(id, write);
    return id;
  }

  /** Later enclaves may have displaced it. */
  const isForgotten = (id: string): boolean =>
    repository.known(id)?.records.boot_statement.has(own.id) === false;

  return {
    key,
    keepBootProof: async () => {
      kept ??= keep();
      try {
        const id = await kept;
        if (isForgotten(id)) await keep();
      } catch (error) {
        // The next caller tries again.
        kept = undefined;
        throw error;
      }
    },
    latestBootProof: () => bootProofView(own, program.sources),
    bootProof: async (ephemeralPublicKeyHex) => {
      if (ephemeralPublicKeyHex === own.ephemeralPublicKeyHex) {
        return bootProofView(own, program.sources);
      }
      const first = await requiredState(repository.organization, await firstOrganizationId());
      const rows = [...first.records.boot_statement.values()];
      const found = rows.find((row) => row.ephemeralPublicKeyHex === ephemeralPublicKeyHex);
      return found && bootProofView(found, undefined);
    },
  };
}
