// Rules of the tags of private keys. A key names its tags; a tag does not know its keys.

import { fail } from './errors.ts';
import { checkLimit } from './limits.ts';
import type { PrivateKey, Tag } from './model.ts';
import type { OrganizationDraft, OrganizationView } from './organization.ts';

/** The private key tag of an id in any letter case. Raises `resource_not_found`. */
export function requirePrivateKeyTag(organization: OrganizationView, id: string): Tag {
  const tag = organization.get('tag', id.toLowerCase());
  if (tag?.type === 'TAG_TYPE_PRIVATE_KEY') return tag;
  const organizationId = organization.id;
  return fail('resource_not_found', { resource: 'private key tag', id, organizationId });
}

/** The private key tags of an organization, oldest first. */
export function privateKeyTags(organization: OrganizationView): Tag[] {
  return organization.list('tag').filter((tag) => tag.type === 'TAG_TYPE_PRIVATE_KEY');
}

/** Makes a tag that no key has yet. Raises `label_not_unique`, `limit_exceeded`. */
export function createPrivateKeyTag(
  input: { id: string; name: string; now: number },
  organization: OrganizationDraft,
): Tag {
  checkLimit('tags', organization.list('tag').length + 1, organization);
  ensureTagNameFree(input.name, organization);
  const tag: Tag = {
    id: input.id,
    name: input.name,
    type: 'TAG_TYPE_PRIVATE_KEY',
    createdAtMs: input.now,
    updatedAtMs: input.now,
  };
  organization.put('tag', tag);
  return tag;
}

/** Gives a tag another name; its own is allowed. Raises `label_not_unique`. */
export function renamePrivateKeyTag(
  tag: Tag,
  name: string,
  now: number,
  organization: OrganizationDraft,
): void {
  if (name !== tag.name) ensureTagNameFree(name, organization);
  organization.put('tag', { ...tag, name, updatedAtMs: now });
}

/** Tags keys; one that has the tag stays as it is. */
export function tagPrivateKeys(
  keys: readonly PrivateKey[],
  tagId: string,
  now: number,
  organization: OrganizationDraft,
): void {
  for (const key of keys) {
    if (key.tagIds.includes(tagId)) continue;
    const tagIds = [...key.tagIds, tagId];
    organization.put('private_key', { ...key, tagIds, updatedAtMs: now });
  }
}

/** Takes a tag off keys; one that does not have it stays as it is. Gives the keys that had it. */
export function untagPrivateKeys(
  keys: readonly PrivateKey[],
  tagId: string,
  now: number,
  organization: OrganizationDraft,
): PrivateKey[] {
  const tagged = keys.filter((key) => key.tagIds.includes(tagId));
  for (const key of tagged) {
    const tagIds = key.tagIds.filter((id) => id !== tagId);
    organization.put('private_key', { ...key, tagIds, updatedAtMs: now });
  }
  return tagged;
}

function ensureTagNameFree(name: string, organization: OrganizationView): void {
  if (privateKeyTags(organization).some((tag) => tag.name === name)) {
    fail('label_not_unique', { resource: 'private key tag', label: name });
  }
}
