// Resources of an activity: its submitter and voters, and all resources whose ID or address its parameters or
// result contain.

import { signingSpellings } from '../../core/address/normalization.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { isUuid } from '../../core/schema/formats.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Reader } from '../reader.ts';

/** Accounts of a wallet whose addresses count as names of it. */
const maximumNamedAccounts = 1_000;
const accountsOfRead = 100;

export const maximumNameCharacters = 256;

/** Returns true if a user submitted an activity, or voted on it. */
export function concernsUser(activity: Activity, userId: string): boolean {
  const { submitterId, votes, decisions = [] } = activity;
  return submitterId === userId || [...votes, ...decisions].some((each) => each.userId === userId);
}

/** The stored form of texts that name a resource, in lower case if letter case has no meaning. */
type Names = { readonly exact: ReadonlySet<string>; readonly caseless: ReadonlySet<string> };

/** Returns true if parameters or result hold one of these names. */
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
 * The texts by which activities name a resource: of a wallet its id and the addresses of its accounts,
 * of an account or a private key its id and addresses, of anything else the id or the text itself.
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
    // A page may be shorter: deleted accounts are left out of it.
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
