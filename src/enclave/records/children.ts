// Finds existing children of an organization: all, or by a value.

import {
  indexEntriesOfHead,
  indexEntriesOfRecord,
} from '../../core/organization/indexes/indexes.ts';
import { smallKinds } from '../../core/organization/kinds.ts';
import type { WalletAccount } from '../../core/organization/model.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { ChildEntry, ChildPage, Page } from '../../operations/reader.ts';
import type { PageRequest, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { headAddress } from './change_writer.ts';
import { checkPage, pageOf } from './pages.ts';

/** Maximum number of children that a filter returns. */
const maximumFilteredChildren = 1000;
/** Maximum number of children found by a value. One is meant, and expired keys may add more. */
const maximumChildrenWith = 10;
/** Maximum number of reads for a page of children. After them, the page may be short. */
const maximumReads = 20;
/** Maximum number of children that one of these reads opens to find a verified contact. */
const maximumOpenedChildren = 100;

type IsMeant = (child: OrganizationState) => boolean | Promise<boolean>;

const hasVerifiedContact: IsMeant = ({ records }) =>
  records.user
    .values()
    .some((user) => user.emailVerified === true || user.phoneNumberVerified === true);

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
    if (filter === undefined) return (await scannedPage(parentId, page, page.limit)).ids;
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
    return livingChildren(parentId, cut, (child) => childHolds(child, filter));
  }

  /** Existing children with a user whose contact is verified, in ID order. */
  const verifiedPage = (parentId: string, page: Page): Promise<ChildPage> =>
    scannedPage(parentId, page, maximumOpenedChildren, hasVerifiedContact);

  const scannedPage = (parentId: string, page: Page, rows: number, isMeant?: IsMeant) =>
    scanPage(page, {
      rows,
      read: (request) => store.children({ parentId, page: request }),
      select: (ids) => livingChildren(parentId, ids, isMeant),
    });

  /** IDs of records are in order of creation, so a later registration cannot displace an earlier one. */
  async function childrenWith(parentId: string, filter: ChildEntry): Promise<readonly string[]> {
    const blind = keys.blind(filter.index, parentId, filter.value);
    const limit = maximumFilteredChildren;
    const found = await store.lookup({ index: filter.index, blind, limit });
    const inOrder = found.toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1));
    const ids = new Set(inOrder.map((entry) => entry.organizationId));
    const first = [...ids].slice(0, maximumChildrenWith);
    return livingChildren(parentId, first, (child) => childHolds(child, filter));
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

  async function livingChildren(
    parentId: string,
    ids: readonly string[],
    isMeant: IsMeant = () => true,
  ): Promise<string[]> {
    const found = await Promise.all(
      ids.map(async (id) => {
        const { state } = await organization(id);
        if (state?.parentId !== parentId) return [];
        const counts = state.head.deletedAtMs === undefined;
        return counts && (await isMeant(state)) ? [id] : [];
      }),
    );
    return found.flat();
  }

  const isChild = async (parentId: string, id: string) =>
    (await livingChildren(parentId, [id])).length > 0;

  return { childPage, verifiedPage, childrenWith, isChild };
}

/** Deleted children keep their rows, so a full page may take several reads of `rows` children. */
async function scanPage(
  page: Page,
  of: {
    readonly rows: number;
    readonly read: (request: PageRequest) => Promise<readonly string[]>;
    readonly select: (ids: readonly string[]) => Promise<readonly string[]>;
  },
): Promise<ChildPage> {
  const { rows, read, select } = of;
  const fromEnd = page.before !== undefined && page.after === undefined;
  let found: readonly string[] = [];
  let cursor = { ...page, limit: rows };
  let isEnd = false;
  for (let reads = 0; reads < maximumReads && !isEnd && found.length < page.limit; reads += 1) {
    const ids = await pageOf(cursor, 'ascending', read);
    checkPage(ids, cursor, 'ascending', (id) => headAddress(id, 0));
    const selected = await select(ids);
    found = fromEnd ? [...selected, ...found] : [...found, ...selected];
    isEnd = ids.length < rows;
    cursor = fromEnd ? { ...cursor, before: ids[0] } : { ...cursor, after: ids.at(-1) };
  }
  const ids = fromEnd ? found.slice(-page.limit) : found.slice(0, page.limit);
  const seen = fromEnd ? cursor.before : cursor.after;
  return isEnd || ids.length === page.limit || seen === undefined ? { ids } : { ids, seen };
}
