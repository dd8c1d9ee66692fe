// Finds the child of a parent by a contact or credential. Strangers can register the public key of another
// person in their own organization. So the child in which the key has signed counts first, then a child in
// which no other person can act. A key of the parent's own user leads to no other child.

import { curveNames } from '../core/base/enums.ts';
import { fail } from '../core/errors/errors.ts';
import { curveOfKeyType, publicKeyValue } from '../core/organization/indexes/indexes.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { clientIdsOf } from '../core/settings/client_ids.ts';
import { apiKeyOfPublicKey, isExpired } from '../core/users/api_keys.ts';
import { authenticatorOfCredentialId } from '../core/users/authenticators.ts';
import { isVouchedFor } from '../core/users/oauth_providers.ts';
import { comesFirst } from '../core/users/sign_in_links.ts';
import type { ChildEntry, ChildIndex } from '../operations/reader.ts';
import { requiredParent } from './parent_of.ts';
import type { Ports } from './ports.ts';

/** Returns the active children that registered a value, oldest registration first. */
export async function childrenWith(
  parentId: string,
  { index, value }: ChildEntry,
  { repository }: Pick<Ports, 'repository'>,
): Promise<readonly OrganizationState[]> {
  const ids = await repository.childrenWith(parentId, index, value);
  const found = await Promise.all(ids.map((id) => repository.organization(id)));
  return found.flatMap(({ state }) => state ?? []);
}

/** Returns the children of an account at an identity provider: proven ones, or else vouched ones. */
export async function childrenOfIdentity(
  parentId: string,
  value: string,
  ports: Pick<Ports, 'repository'>,
): Promise<readonly OrganizationState[]> {
  const proven = await childrenWith(parentId, { index: 'child_proven_identity', value }, ports);
  if (proven.length > 0) return proven;
  const claimed = await childrenWith(parentId, { index: 'child_identity', value }, ports);
  if (claimed.length === 0) return [];
  const clientIds = clientIdsOf(viewOf(await requiredParent(parentId, ports)));
  return claimed.filter((child) => isVouchedFor(viewOf(child), value, clientIds));
}

/**
 * Returns the only child that matches a value without a signature; errors name the value as `what`. Raises
 * `credential_ambiguous`.
 */
export async function findChildByCredential(
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
 * The bytes of a wallet's key are often also a point of P-256. A registration of that point by another user
 * counts only for the maximum age of a stamped request.
 */
const maximumAgeUnusedMs = 3_600_000;

/** Finds candidate children by values that another user may have registered. */
const ways: { readonly [Index in ChildIndex]?: Way } = {
  child_public_key: async (find, publicKey, { parentId, ports }) => {
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
    const [child] = alone.filter((each) => mayBelongToKey(each, publicKey, now));
    if (child === undefined) return [];
    const here = apiKeyOfPublicKey(await viewOfParent(parentId, ports), publicKey);
    const isOfParent =
      here !== undefined &&
      !isExpired(here, now) &&
      comesFirst(here, apiKeyOfPublicKey(viewOf(child), publicKey));
    return isOfParent ? [] : [child];
  },
  child_credential_id: async (find, credentialId, { parentId, ports }) => {
    const all = await find('child_credential_id');
    const passkeyIn = (child: OrganizationState) =>
      authenticatorOfCredentialId(viewOf(child), credentialId);
    // Other people cannot know a passkey's public key before its holder registers it. They know only its id.
    const [oldest] = all;
    const first = oldest && passkeyIn(oldest);
    if (oldest === undefined || first === undefined) return [];
    const proven = all
      .filter((child) => passkeyIn(child)?.publicKey === first.publicKey)
      .filter((child) => passkeyIn(child)?.leads === 'proven');
    if (proven.length > 0) return proven;
    const here = authenticatorOfCredentialId(await viewOfParent(parentId, ports), credentialId);
    return here?.publicKey === first.publicKey && comesFirst(here, first) ? [] : [oldest];
  },
  child_identity: (_, value, { parentId, ports }) => childrenOfIdentity(parentId, value, ports),
};

async function viewOfParent(parentId: string, ports: Pick<Ports, 'repository'>) {
  return viewOf(await requiredParent(parentId, ports));
}

function mayBelongToKey(child: OrganizationState, publicKey: string, now: number): boolean {
  const key = apiKeyOfPublicKey(viewOf(child), publicKey);
  if (key === undefined) return false;
  const isOfWallet = curveOfKeyType(key.type) !== 'CURVE_P256';
  return isOfWallet || now - key.createdAtMs < maximumAgeUnusedMs;
}
