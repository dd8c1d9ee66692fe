// Creates the first organization of a database. Runs at every start; later it only returns the organization.

import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { fail } from '../../core/errors/errors.ts';
import type { Keyring } from '../../core/keys/keyring.ts';
import type { ApiKey, OrganizationHead, User } from '../../core/organization/model.ts';
import { createDraft, newOrganizationState } from '../../core/organization/state.ts';
import { enableAuthProxy } from '../../core/settings/auth_proxy.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { StorePort } from '../../store/port.ts';
import type { Bootstrapper } from '../records/bootstrapper.ts';
import { type RecordCodec, RecordRefusedError } from '../records/record_codec.ts';
import { deploymentAddress } from '../records/sealed_places.ts';
import type { Custody } from './custody.ts';
import type { DeploymentLog } from './log.ts';

type Request = RequestOf<EnclaveMessages['bootstrap']>;
type Answer = AnswerOf<EnclaveMessages['bootstrap']>;

/** Opens the record that bootstrapping returned. Raises `root_key_mismatch`. */
export function openDeployment(sealed: Uint8Array, codec: RecordCodec): Answer {
  const opened = codec.sealing.open(deploymentAddress, sealed);
  const text = opened === undefined ? undefined : textOfUtf8(opened);
  return text === undefined ? fail('root_key_mismatch') : (JSON.parse(text) as Answer);
}

/**
 * Creates the first organization with one root user and one API key, and its onboarding proxy, or returns the
 * names of the existing one; then applies the rules of this release. Raises `root_key_mismatch` if the
 * database was created with another root key, `deployment_missing` if the record of an existing first
 * organization is lost; `custody_missing`, `rule_unknown` and `anchor_mismatch` if these rules reject the
 * data, and the errors of `requireAnchored`.
 */
export function createBootstrap(ports: {
  store: StorePort;
  codec: RecordCodec;
  repository: Bootstrapper;
  clock: () => number;
  newId: () => string;
  keyring: (organizationId: string) => Keyring;
  custody: Pick<Custody, 'founding' | 'begin'>;
  log: Pick<DeploymentLog, 'begin'>;
}): (request: Request) => Promise<Answer> {
  const { store, codec, repository, clock, newId, keyring, custody, log } = ports;

  const read = (sealed: Uint8Array): Answer => openDeployment(sealed, codec);

  /** Reads what another gateway may have written in the meantime. */
  async function readAgain(): Promise<Answer> {
    const made = await store.deployment();
    return made === undefined ? fail('deployment_missing') : read(made);
  }

  return async (request) => {
    const answer = await foundedBy(request);
    await custody.begin().catch((error) => {
      if (error instanceof RecordRefusedError) fail('custody_missing');
      throw error;
    });
    await log.begin();
    return answer;
  };

  async function foundedBy(request: Request): Promise<Answer> {
    const existing = await store.deployment();
    if (existing !== undefined) return read(existing);
    if (await repository.wasBootstrapped()) return readAgain();

    const now = clock();
    const times = { createdAtMs: now, updatedAtMs: now };
    const organizationId = newId();
    const user: User = { id: newId(), name: request.userName, tagIds: [], ...times };
    const apiKey: ApiKey = {
      id: newId(),
      userId: user.id,
      name: request.apiKeyName,
      publicKey: request.apiPublicKey,
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      // The key belongs to the operator, so it needs no proof.
      leads: 'proven',
      ...times,
    };
    const authProxyConfigId = newId();
    const head: OrganizationHead = {
      name: request.organizationName,
      rootQuorum: { threshold: 1, userIds: [user.id] },
      features: [],
      authProxyConfigId,
      ...times,
    };
    const draft = createDraft(newOrganizationState(organizationId, undefined, head));
    draft.put('user', user);
    draft.put('api_key', apiKey);
    if (request.enablesAuthProxy) enableAuthProxy(draft, keyring(organizationId), { now, newId });
    const answer: Answer = {
      organizationId,
      userId: user.id,
      apiKeyId: apiKey.id,
      apiPublicKey: apiKey.publicKey,
      authProxyConfigId,
    };
    const outcome = await repository.bootstrap({
      organization: {
        id: organizationId,
        parentId: undefined,
        head: draft.head,
        changes: draft.changes(),
      },
      deployment: codec.sealing.seal(deploymentAddress, utf8(JSON.stringify(answer))),
      custody: custody.founding(organizationId),
    });
    return outcome === 'committed' ? answer : readAgain();
  }
}
