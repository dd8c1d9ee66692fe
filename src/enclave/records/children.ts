// Existing children of an organization: all, or those found by a value.

import {
  indexEntriesOfHead,
  indexEntriesOfRecord,
} from '../../core/organization/indexes/indexes.ts';
import { smallKinds, type WalletAccount } from '../../core/organization/model.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { ChildEntry, Page } from '../../operations/reader.ts';
import type { StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { headAddress } from './change_writer.ts';
import { checkPage, pageOf } from './pages.ts';

/** Maximum number of children that a filter returns. */
const maximumFilteredChildren = 1000;
/** Children found by a value: one is meant, and expired keys may add more. */
const maximumChildrenWith = 10;
/** Reads after which a page of children stays short, however many deleted ones lie between. */
const maximumReads = 20;

/** Finds children, each of which is opened and holds the value itself. */
export function createChildren(ports: {
  store: Pick<StorePort, 'lookup' | 'children'>;
  keys: RootKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  accountsIn: (child: OrganizationState, address: string) => Promise<readonly WalletAccount[]>;
}) {
  const { store, keys, organization, accountsIn } = ports;

  /** Existing children in ID order: all, or those found by a value. */
  async function childPage(
    parentId: string,
    filter: ChildEntry | undefined,
    page: Page,
  ): Promise<readonly string[]> {
    if (filter === undefined) return allChildrenPage(parentId, page);
    const blind = keys.blind(filter.index, parentId, filter.value);
    const limit = maximumFilteredChildren;
    const found = await store.lookup({ index: filter.index, blind, limit });
    const ids = [...new Set(found.map((entry) => entry.organizationId))].sort();
    const { after, before } = page;
    const inRange = ids.filter(
      (id) => (after === undefined || id > after) && (before === undefined || id < before),
    );
    const fromEnd = before !== undefined && after === undefined;
    const cut = fromEnd ? inRange.slice(-page.limit) : inRange.slice(0, page.limit);
    return livingChildren(parentId, cut, filter);
  }

  /** IDs of records are in order of creation, so a later registration cannot displace an earlier one. */
  async function childrenWith(parentId: string, filter: ChildEntry): Promise<readonly string[]> {
    const blind = keys.blind(filter.index, parentId, filter.value);
    const limit = maximumFilteredChildren;
    const found = await store.lookup({ index: filter.index, blind, limit });
    const inOrder = found.toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1));
    const ids = new Set(inOrder.map((entry) => entry.organizationId));
    return livingChildren(parentId, [...ids].slice(0, maximumChildrenWith), filter);
  }

  /** An entry is only a hint: the child itself says whether it holds the value. */
  async function childHolds(child: OrganizationState, filter: ChildEntry): Promise<boolean> {
    const { index, value } = filter;
    if (index === 'child_account_address') {
      return (await accountsIn(child, value)).length > 0;
    }
    const owner = { organizationId: child.id, parentId: child.parentId };
    const entries = smallKinds.flatMap((kind) =>
      [...child.records[kind].values()].flatMap((row) => indexEntriesOfRecord(kind, row, owner)),
    );
    return [...indexEntriesOfHead(child.head, owner), ...entries].some(
      (entry) => entry.index === index && entry.value === value,
    );
  }

  /** Deleted children keep their rows, so a full page may take several reads. */
  async function allChildrenPage(parentId: string, page: Page): Promise<readonly string[]> {
    const fromEnd = page.before !== undefined && page.after === undefined;
    let living: string[] = [];
    let cursor = page;
    for (let reads = 0; reads < maximumReads && living.length < page.limit; reads += 1) {
      const ids = await pageOf(cursor, 'ascending', (request) =>
        store.children({ parentId, page: request }),
      );
      checkPage(ids, cursor, 'ascending', (id) => headAddress(id, 0));
      const found = await livingChildren(parentId, ids);
      living = fromEnd ? [...found, ...living] : [...living, ...found];
      if (ids.length < page.limit) break;
      cursor = fromEnd ? { ...cursor, before: ids[0] } : { ...cursor, after: ids.at(-1) };
    }
    return fromEnd ? living.slice(-page.limit) : living.slice(0, page.limit);
  }

  async function livingChildren(
    parentId: string,
    ids: readonly string[],
    filter?: ChildEntry,
  ): Promise<string[]> {
    const found = await Promise.all(
      ids.map(async (id) => {
        const { state } = await organization(id);
        if (state?.parentId !== parentId) return [];
        const counts = state.head.deletedAtMs === undefined;
        return counts && (filter === undefined || (await childHolds(state, filter))) ? [id] : [];
      }),
    );
    return found.flat();
  }

  const isChild = async (parentId: string, id: string) =>
    (await livingChildren(parentId, [id])).length > 0;

  return { childPage, childrenWith, isChild };
}
