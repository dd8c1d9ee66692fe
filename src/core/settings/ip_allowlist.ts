// Addresses from which requests are accepted: the organization's list, and lists of single API keys that
// replace it. Implements docs/authentication.md, "IP allowlists".

import type { Context } from '../base/context.ts';
import {
  type IpAddress,
  ipBlockText,
  isInBlock,
  parseIpAddress,
  parseIpBlock,
} from '../base/ip_address.ts';
import { fail, failField } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { IpAllowlist, IpRule } from '../organization/model.ts';
import { failNotFound } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { apiKeyOfPublicKey } from '../users/api_keys.ts';

/** The origin of a request. */
export type Origin = {
  /** Address reported by the gateway; empty if unknown. */
  readonly address: string;
  /** The API key that signed the request, hex in any letter case. Undefined for other signatures. */
  readonly publicKey: string | undefined;
  /** True if the service itself created the request on behalf of a user. */
  readonly isOwn: boolean;
};

/** Maximum number of rules for each IP version in a list. */
const maximumRulesOfFamily = 10;

/** Minimum prefix lengths, in bits. */
const widestPrefix = { IPv4: 20, IPv6: 48 } as const;

/** Key of the organization's own list. */
const wholeOrganization = '';

const byPublicKey = createRowIndex(
  'ip_allowlist',
  (rows) => new Map([...rows].map((list) => [list.publicKey ?? wholeOrganization, list])),
);

/** Returns the list of the organization, or of one of its keys. */
export function ipAllowlistOf(
  organization: Pick<OrganizationView, 'rows'>,
  publicKey: string | undefined,
): IpAllowlist | undefined {
  return byPublicKey(organization).get(publicKey?.toLowerCase() ?? wholeOrganization);
}

/** Rejects a request from an address that is not allowed. Raises `address_not_allowed`. */
export function requireAddress(organization: OrganizationView, origin: Origin): void {
  if (accepts(organization, origin)) return;
  fail('address_not_allowed', {
    address: origin.address,
    organizationId: organization.id,
  });
}

/**
 * Returns true if a request is accepted. Lists apply only if the organization's list exists and is enabled.
 * The key's list decides if it has rules, otherwise the organization's.
 */
function accepts(organization: Pick<OrganizationView, 'rows'>, origin: Origin): boolean {
  const ofAll = ipAllowlistOf(organization, undefined);
  if (origin.isOwn || ofAll?.enabled !== true) return true;
  const ofKey = origin.publicKey && ipAllowlistOf(organization, origin.publicKey);
  const { rules, onEvaluationError } = ofKey && ofKey.rules.length > 0 ? ofKey : ofAll;
  const address = knownAddress(origin.address);
  if (address === undefined) return onEvaluationError === 'ALLOW';
  return rules.some(({ cidr }) => {
    const block = parseIpBlock(cidr);
    return block !== undefined && isInBlock(address, block);
  });
}

/** Parameters of a list. */
type IpAllowlistParameters = {
  readonly publicKey?: string;
  readonly enabled?: boolean;
  readonly rules?: readonly { readonly cidr: string; readonly label?: string }[];
  readonly onEvaluationError?: IpAllowlist['onEvaluationError'];
};

/**
 * Replaces a list. Raises `sub_organization_cannot`, `resource_not_found` for an unknown key,
 * `field_invalid`, `limit_exceeded`, and `address_lockout` if the new list would reject the request that
 * saves it.
 */
export function setIpAllowlist(
  parameters: IpAllowlistParameters,
  organization: OrganizationDraft,
  origin: Origin | undefined,
  { now, newId }: Context,
): void {
  requireParent(organization);
  const publicKey = parameters.publicKey?.toLowerCase();
  if (publicKey !== undefined && apiKeyOfPublicKey(organization, publicKey) === undefined) {
    failNotFound('API key', publicKey, organization);
  }
  if (publicKey !== undefined && parameters.enabled === false) {
    failField('parameters.enabled', 'the list of a key cannot be switched off: remove it');
  }
  const before = ipAllowlistOf(organization, publicKey);
  dropListsOfDeletedKeys(organization);
  const list: IpAllowlist = {
    id: before?.id ?? newId(),
    ...(publicKey === undefined ? {} : { publicKey }),
    enabled: parameters.enabled ?? true,
    rules: rulesOf(parameters.rules ?? [], now),
    onEvaluationError: parameters.onEvaluationError ?? 'DENY',
    createdAtMs: before?.createdAtMs ?? now,
    updatedAtMs: now,
  };
  organization.put('ip_allowlist', list);
  checkLimit('ipAllowlists', organization.rows('ip_allowlist').size, organization);
  refuseLockout(organization, origin);
}

/** Removes a list. Raises `resource_not_found`, and like `setIpAllowlist`. */
export function removeIpAllowlist(
  publicKey: string | undefined,
  organization: OrganizationDraft,
  origin: Origin | undefined,
): void {
  requireParent(organization);
  const list = ipAllowlistOf(organization, publicKey);
  if (list === undefined) {
    const [id, organizationId] = [publicKey ?? 'of the organization', organization.id];
    fail('resource_not_found', { resource: 'IP allowlist', id, organizationId });
  }
  organization.remove('ip_allowlist', list.id);
  refuseLockout(organization, origin);
}

function requireParent({ parentId }: OrganizationView): void {
  if (parentId !== undefined) fail('sub_organization_cannot', { action: 'have IP allowlists' });
}

/** Rejects a list that does not accept its author's address, since the author could not change it again. */
function refuseLockout(organization: OrganizationDraft, origin: Origin | undefined): void {
  if (origin === undefined || accepts(organization, origin)) return;
  fail('address_lockout', { address: origin.address === '' ? 'unknown' : origin.address });
}

/** Removes the lists of deleted keys. */
function dropListsOfDeletedKeys(organization: OrganizationDraft): void {
  for (const { id, publicKey } of organization.list('ip_allowlist')) {
    const isOver =
      publicKey !== undefined && apiKeyOfPublicKey(organization, publicKey) === undefined;
    if (isOver) organization.remove('ip_allowlist', id);
  }
}

function rulesOf(
  described: readonly { readonly cidr: string; readonly label?: string }[],
  now: number,
): readonly IpRule[] {
  const rules = new Map<string, IpRule>();
  const counts = { IPv4: 0, IPv6: 0 };
  for (const [i, { cidr: text, label }] of described.entries()) {
    const field = `parameters.rules.${i}.cidr`;
    const block = parseIpBlock(text);
    const named = `rule ${i} (\`${text}\`)`;
    if (block === undefined) {
      failField(
        field,
        `${named}: expected a block of addresses like 192.0.2.0/24 or 2001:db8::/48`,
      );
    }
    const { family } = block.first;
    if (block.prefix < widestPrefix[family]) {
      failField(
        field,
        `${named}: expected no wider block of ${family} than /${widestPrefix[family]}`,
      );
    }
    const cidr = ipBlockText(block);
    if (rules.has(cidr)) continue;
    counts[family] += 1;
    if (counts[family] > maximumRulesOfFamily) {
      failField(field, `${named}: expected at most ${maximumRulesOfFamily} rules of ${family}`);
    }
    rules.set(cidr, { cidr, ...(label === undefined ? {} : { label }), createdAtMs: now });
  }
  return [...rules.values()];
}

/** Parses an address without its zone (`fe80::1%eth0`), which names an interface of the gateway's machine. */
function knownAddress(text: string): IpAddress | undefined {
  return parseIpAddress(text.replace(/%.*$/, ''));
}
