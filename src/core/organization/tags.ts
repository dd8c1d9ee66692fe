// Tags of users and of private keys. Rows contain the IDs of their tags.

import type { TagType } from '../base/enums.ts';
import { fail } from '../errors/errors.ts';
import { checkLimit } from './limits.ts';
import type { PrivateKey, Tag, User } from './model.ts';
import { failNotFound } from './required_record.ts';
import type { OrganizationDraft, OrganizationView } from './state.ts';

type Tagged = {
  readonly id: string;
  readonly tagIds: readonly string[];
  readonly updatedAtMs: number;
};

export const userTags = tagsOf<User>('TAG_TYPE_USER', 'user tag', {
  list: (organization) => organization.list('user'),
  write: (organization, user) => organization.put('user', user),
});
export const privateKeyTags = tagsOf<PrivateKey>('TAG_TYPE_PRIVATE_KEY', 'private key tag', {
  list: (organization) => organization.list('private_key'),
  write: (organization, key) => organization.put('private_key', key),
});

/** Returns the operations on the tags of one type. */
function tagsOf<Row extends Tagged>(
  type: TagType,
  resource: string,
  tagged: {
    readonly list: (organization: OrganizationView) => readonly Row[];
    readonly write: (organization: OrganizationDraft, row: Row) => void;
  },
) {
  function list(organization: OrganizationView): Tag[] {
    return organization.list('tag').filter((tag) => tag.type === type);
  }
  function ensureNameFree(name: string, organization: OrganizationView): void {
    if (list(organization).some((tag) => tag.name === name)) {
      fail('label_not_unique', { resource, label: name });
    }
  }
  /** Finds a tag by its ID in any letter case. Raises `resource_not_found`. */
  function requireTag(organization: OrganizationView, id: string): Tag {
    const tag = organization.get('tag', id.toLowerCase());
    if (tag?.type === type) return tag;
    return failNotFound(resource, id, organization);
  }
  /** Removes a tag from rows, and returns the rows that had it. */
  function take(
    rows: readonly Row[],
    tagId: string,
    now: number,
    organization: OrganizationDraft,
  ): Row[] {
    const had = rows.filter((row) => row.tagIds.includes(tagId));
    for (const row of had) {
      const tagIds = row.tagIds.filter((id) => id !== tagId);
      tagged.write(organization, { ...row, tagIds, updatedAtMs: now });
    }
    return had;
  }

  return {
    /** Returns the tags, oldest first. */
    list,
    require: requireTag,
    /** Creates a tag. Raises `label_not_unique` and `limit_exceeded`. */
    create: (
      input: { readonly id: string; readonly name: string; readonly now: number },
      organization: OrganizationDraft,
    ): Tag => {
      checkLimit('tags', organization.list('tag').length + 1, organization);
      ensureNameFree(input.name, organization);
      const { id, name, now } = input;
      const tag: Tag = { id, name, type, createdAtMs: now, updatedAtMs: now };
      organization.put('tag', tag);
      return tag;
    },
    /** Renames a tag; its current name is allowed. Raises `label_not_unique`. */
    rename: (tag: Tag, name: string, now: number, organization: OrganizationDraft): void => {
      if (name !== tag.name) ensureNameFree(name, organization);
      organization.put('tag', { ...tag, name, updatedAtMs: now });
    },
    /** Tags rows; rows that already have the tag stay unchanged. */
    put: (
      rows: readonly Row[],
      tagId: string,
      now: number,
      organization: OrganizationDraft,
    ): void => {
      for (const row of rows) {
        if (row.tagIds.includes(tagId)) continue;
        tagged.write(organization, { ...row, tagIds: [...row.tagIds, tagId], updatedAtMs: now });
      }
    },
    take,
    /** Deletes tags, and returns the unique IDs of rows that had them. Raises `resource_not_found`. */
    remove: (ids: readonly string[], now: number, organization: OrganizationDraft): string[] => {
      const untagged = new Set<string>();
      for (const id of ids) {
        const tag = requireTag(organization, id);
        for (const row of take(tagged.list(organization), tag.id, now, organization)) {
          untagged.add(row.id);
        }
        organization.remove('tag', tag.id);
      }
      return [...untagged];
    },
  };
}
