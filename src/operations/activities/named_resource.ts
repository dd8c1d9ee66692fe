// Resources of an activity: its submitter and voters, and all resources whose ID or address its parameters or
// result contain.

import { signingSpellings } from '../../core/address/normalization.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { isUuid } from '../../core/schema/formats.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Reader } from '../reader.ts';

/** Maximum accounts of a wallet whose addresses are searched. */
const maximumNamedAccounts = 1_000;
const accountsOfRead = 100;

export const maximumNameCharacters = 256;

/** Returns true if a user submitted an activity, or voted on it. */
export function concernsUser(activity: Activity, userId: string): boolean {
  const { submitterId, votes, decisions = [] } = activity;
  return submitterId === userId || [...votes, ...decisions].some((each) => each.userId === userId);
}

/** The stored form of texts that name a resource; in lower case if letter case does not matter. */
type Names = { readonly exact: ReadonlySet<string>; readonly caseless: ReadonlySet<string> };

/** Returns true if the parameters or the result contain one of these names. */
export function namesOneOf({ intent, result }: Activity, { exact, caseless }: Names): boolean {
  const holds = (value: Json | undefined): boolean => {
    if (typeof value === 'string') {
      if (value.length > maximumNameCharacters) return false;
      return exact.has(value) || caseless.has(value.toLowerCase());
    }
    if (typeof value !== 'object' || value === null) return false;
    return Object.values(value).some(holds);
  };
  return holds(intent) || holds(result);
}

/**
 * Returns the texts by which activities name a resource: the id and the account addresses of a wallet, the id
 * and addresses of an account or private key, and the id or text of any other resource.
 */
export async function namesOf(
  resource: string,
  organization: OrganizationView,
  read: Reader,
): Promise<Names> {
  if (!isUuid(resource)) return spellingsOf([resource]);
  const id = resource.toLowerCase();
  const privateKey = organization.get('private_key', id);
  if (privateKey !== undefined) {
    return spellingsOf([id, ...privateKey.addresses.map(({ address }) => address)]);
  }
  const accounts =
    organization.get('wallet', id) === undefined
      ? await read.walletAccounts([id])
      : await accountsOfWallet(id, read);
  return spellingsOf([id, ...accounts.map(({ address }) => address)]);
}

async function accountsOfWallet(walletId: string, read: Reader) {
  const accounts = [];
  for (let after: string | undefined; accounts.length < maximumNamedAccounts; ) {
    const page = { limit: accountsOfRead, before: undefined, after };
    const rows = await read.walletAccountPage(walletId, page);
    accounts.push(...rows);
    // Deleted accounts are omitted, so a short page may not be the last.
    after = rows.at(-1)?.id;
    if (after === undefined) break;
  }
  return accounts;
}

function spellingsOf(texts: readonly string[]): Names {
  const exact = texts.map(signingSpellings);
  const isCaseless = (stored: string) =>
    isUuid(stored) || signingSpellings(stored.toUpperCase()) === stored;
  const caseless = exact.filter(isCaseless).map((stored) => stored.toLowerCase());
  return { exact: new Set(exact), caseless: new Set(caseless) };
}
