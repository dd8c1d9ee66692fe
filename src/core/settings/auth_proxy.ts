// Rules of an organization's onboarding proxy: a user outside the root quorum, a key that only the service
// holds, and a policy that lists the user's activities. Browsers act through the proxy, so they can do only
// what that policy allows, and nothing after the user, key or policy is deleted.

import { hex } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { p256 } from '../crypto/p256.ts';
import { assert, fail } from '../errors/errors.ts';
import type { Keyring } from '../keys/keyring.ts';
import { checkLimit } from '../organization/limits.ts';
import type { ApiKey, AuthProxyConfig, User } from '../organization/model.ts';
import type { AuthProxySettings } from '../organization/records/auth_proxy.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { createPolicies, deletePolicies } from '../policy/policies.ts';
import { deleteUsers } from '../users/users.ts';
import { changedSettings } from './auth_proxy_settings.ts';
import { removeFeature, setFeature, webauthnOriginsOf } from './features.ts';

const feature = 'FEATURE_NAME_AUTH_PROXY';

/** Kinds of activities of the proxy's user, which its policy allows. */
const proxyActivityKinds = [
  'CREATE_SUB_ORGANIZATION',
  'INIT_OTP',
  'VERIFY_OTP',
  'OTP_LOGIN',
  'OAUTH_LOGIN',
  'OAUTH2_AUTHENTICATE',
] as const;

/** Returns the configuration of the organization's proxy, if it has one. */
export function authProxyConfigOf(organization: OrganizationView): AuthProxyConfig | undefined {
  return organization.list('auth_proxy_config')[0];
}

/** Returns the configuration. Raises `resource_not_found` if the proxy is not enabled. */
export function requireAuthProxyConfig(organization: OrganizationView): AuthProxyConfig {
  const config = authProxyConfigOf(organization);
  if (config !== undefined) return config;
  const { id: organizationId, head } = organization;
  const id = head.authProxyConfigId ?? '';
  return fail('resource_not_found', { resource: 'auth proxy configuration', id, organizationId });
}

/**
 * Returns why the proxy may not act now; undefined if it may. It is checked first, because refusals are
 * stored and strangers must not fill an organization with them.
 */
export function whyProxyIsOff(
  config: AuthProxyConfig,
  organization: OrganizationView,
): string | undefined {
  if (!organization.head.features.some(({ name }) => name === feature)) {
    return `${feature} is not set`;
  }
  if (organization.get('policy', config.policyId) === undefined) return 'its policy was deleted';
  if (organization.get('user', config.userId) === undefined) return 'its user was deleted';
  const holdsKey = organization
    .list('api_key')
    .some((key) => key.userId === config.userId && key.publicKey === config.publicKey);
  return holdsKey ? undefined : 'its API key was deleted';
}

/**
 * Enables the proxy, with the ID of an earlier proxy if there was one. Raises `sub_organization_cannot`,
 * `already_exists` and `limit_exceeded`.
 */
export function enableAuthProxy(
  organization: OrganizationDraft,
  keyring: Pick<Keyring, 'createHeldKey'>,
  context: Context,
): AuthProxyConfig {
  if (organization.parentId !== undefined) {
    fail('sub_organization_cannot', { action: 'have an onboarding proxy' });
  }
  const existing = authProxyConfigOf(organization);
  if (existing !== undefined) {
    fail('already_exists', { resource: 'auth proxy configuration', what: existing.id });
  }
  const { now } = context;
  const times = { createdAtMs: now, updatedAtMs: now };
  const id = organization.head.authProxyConfigId ?? context.newId();
  const { secret, publicKey: point } = keyring.createHeldKey('auth_proxy', id);
  const compressed = p256.parsePublicKey(point);
  assert(compressed !== undefined, 'a key that was made is a point');
  const publicKey = hex(compressed);

  checkLimit('users', organization.rows('user').size + 1, organization);
  const user: User = { id: context.newId(), name: 'Onboarding proxy', tagIds: [], ...times };
  const apiKey: ApiKey = {
    id: context.newId(),
    userId: user.id,
    name: 'Onboarding proxy',
    publicKey,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    leads: 'proven',
    ...times,
  };
  organization.put('user', user);
  organization.put('api_key', apiKey);
  const [policy] = createPolicies([policyFor(user.id)], organization, context, () => 'parameters');
  assert(policy !== undefined, 'one policy was made');
  const config: AuthProxyConfig = {
    id,
    userId: user.id,
    policyId: policy.id,
    secret,
    publicKey,
    settings: {},
    ...times,
  };
  organization.put('auth_proxy_config', config);
  organization.setHead({ authProxyConfigId: id });
  setFeature({ name: feature, value: '' }, organization, now, 'parameters');
  return config;
}

/**
 * Removes the proxy with its user, key and policy, if they still exist. Raises `resource_not_found`, and
 * `quorum_invalid` if its user has become a member of the root quorum.
 */
export function disableAuthProxy(organization: OrganizationDraft, context: Context): void {
  const { id, userId, policyId } = requireAuthProxyConfig(organization);
  organization.remove('auth_proxy_config', id);
  if (organization.get('user', userId) !== undefined) {
    deleteUsers([userId], organization, 'parameters');
  }
  if (organization.get('policy', policyId) !== undefined) {
    deletePolicies([policyId], organization, context);
  }
  if (organization.head.features.some(({ name }) => name === feature)) {
    removeFeature(feature, organization, context.now);
  }
}

/** Changes the settings. Raises `resource_not_found`, and like `changedSettings`. */
export function updateAuthProxy(
  change: AuthProxySettings,
  organization: OrganizationDraft,
  now: number,
): AuthProxyConfig {
  const before = requireAuthProxyConfig(organization);
  const passkeyOrigins = webauthnOriginsOf(organization) ?? [];
  const settings = changedSettings(before.settings, change, 'parameters', passkeyOrigins);
  const config = { ...before, settings, updatedAtMs: now };
  organization.put('auth_proxy_config', config);
  return config;
}

function policyFor(userId: string) {
  const kinds = proxyActivityKinds.map((kind) => `activity.kind == '${kind}'`);
  return {
    // The ID makes the name unique.
    policyName: `Onboarding proxy ${userId}`,
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${userId}')`,
    condition: kinds.join(' || '),
    notes: 'What the onboarding proxy may do. Without this policy it does nothing.',
  } as const;
}
