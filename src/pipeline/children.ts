// Which child of a parent a value leads to. Anybody can register the public key of somebody else in an
// organization of their own, so registrations do not count alike: first those that the key has signed
// for, then those that nobody else can do anything with.

import { curveNames } from '../core/base/enums.ts';
import { fail } from '../core/errors/errors.ts';
import { curveOfKeyType, publicKeyValue } from '../core/organization/indexes.ts';
import type { Lead } from '../core/organization/lead.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { clientIdsOf } from '../core/settings/client_ids.ts';
import { apiKeyOfPublicKey } from '../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../core/users/authenticators.ts';
import { isVouchedFor } from '../core/users/oauth_providers.ts';
import type { ChildEntry, ChildIndex } from '../operations/reader.ts';
import type { Ports } from './ports.ts';

/** The living children in which a value is found, in the order of their registrations of it. */
export async function childrenWith(
  parentId: string,
  { index, value }: ChildEntry,
  { repository }: Pick<Ports, 'repository'>,
): Promise<readonly OrganizationState[]> {
  const ids = await repository.childrenWith(parentId, index, value);
  const found = await Promise.all(ids.map((id) => repository.organization(id)));
  return found.flatMap(({ state }) => state ?? []);
}

/** The children that an account at an identity provider leads to: proven ones, or else vouched ones. */
export async function childrenOfIdentity(
  parentId: string,
  value: string,
  ports: Pick<Ports, 'repository'>,
): Promise<readonly OrganizationState[]> {
  const proven = await childrenWith(parentId, { index: 'child_proven_identity', value }, ports);
  if (proven.length > 0) return proven;
  const claimed = await childrenWith(parentId, { index: 'child_identity', value }, ports);
  if (claimed.length === 0) return [];
  const { state: parent } = await ports.repository.organization(parentId);
  const clientIds = parent === undefined ? [] : clientIdsOf(viewOf(parent));
  return claimed.filter((child) => isVouchedFor(viewOf(child), value, clientIds));
}

/**
 * The one child that a value leads to, where nobody has signed with it; `what` names it. Raises
 * `credential_ambiguous`.
 */
export async function childLedTo(
  parentId: string,
  { index, value }: ChildEntry,
  what: string,
  ports: Pick<Ports, 'repository' | 'clock'>,
): Promise<string | undefined> {
  const find: Find = (at, of = value) => childrenWith(parentId, { index: at, value: of }, ports);
  const way = Object.hasOwn(ways, index) ? ways[index] : undefined;
  const found = way === undefined ? find(index) : way(find, value, { parentId, ports });
  const [only, second] = await found;
  if (second !== undefined) fail('credential_ambiguous', { what });
  return only?.id;
}

type Find = (index: ChildIndex, value?: string) => Promise<readonly OrganizationState[]>;
type At = { readonly parentId: string; readonly ports: Pick<Ports, 'repository' | 'clock'> };
type Way = (find: Find, value: string, at: At) => Promise<readonly OrganizationState[]>;

/**
 * Bytes of a wallet's key are often a point of P-256 too. Registered as that, by somebody else, they
 * count only as long as a request is sent that was stamped before.
 */
const maximumAgeUnusedMs = 3_600_000;

/** Of values that somebody else may have registered: the children that come into question. */
const ways: { readonly [Index in ChildIndex]?: Way } = {
  child_public_key: async (find, publicKey, { ports }) => {
    const now = ports.clock();
    const onCurves = async (index: 'child_proven_public_key' | 'child_alone_public_key') => {
      const found = [];
      for (const curve of curveNames)
        found.push(...(await find(index, publicKeyValue(publicKey, curve))));
      return found;
    };
    const proven = await onCurves('child_proven_public_key');
    if (proven.length > 0) return proven;
    const alone = await onCurves('child_alone_public_key');
    return alone.filter((child) => mayBeMeant(child, publicKey, now)).slice(0, 1);
  },
  child_credential_id: async (find, credentialId) => {
    const all = await find('child_credential_id');
    const passkeyIn = (child: OrganizationState) =>
      authenticatorOfCredentialId(viewOf(child), credentialId);
    // Nobody knows a passkey before whoever registers it first; others have its id alone.
    const [first] = all.map(passkeyIn);
    const same = all.filter((child) => passkeyIn(child)?.publicKey === first?.publicKey);
    const leading = (leads: Lead) => same.filter((child) => passkeyIn(child)?.leads === leads);
    const proven = leading('proven');
    return proven.length > 0 ? proven : [...leading('alone'), ...same].slice(0, 1);
  },
  child_identity: (_, value, { parentId, ports }) => childrenOfIdentity(parentId, value, ports),
};

function mayBeMeant(child: OrganizationState, publicKey: string, now: number): boolean {
  const key = apiKeyOfPublicKey(viewOf(child), publicKey);
  if (key === undefined) return false;
  const isOfWallet = curveOfKeyType(key.type) !== 'CURVE_P256';
  return isOfWallet || now - key.createdAtMs < maximumAgeUnusedMs;
}
