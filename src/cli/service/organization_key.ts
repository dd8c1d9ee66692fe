// The organization key and its holders, for commands.

import type { Client } from '../../client/connect.ts';
import type { OrganizationKey } from '../../client/key_holders.ts';
import { Failure } from '../words/failures.ts';

type KeyHolder = OrganizationKey['holders'][number];

/** The warning of the prompt before a key is created. */
export const keyWarning =
  'From now on, the wallets and private keys can only be used with the secret of a holder: the operator, a backup and the root key cannot open them. If all holders lose their secrets, the wallets are lost.';

/** Returns the key of the organization. Throws if it has none. */
export async function organizationKeyOf(client: Pick<Client, 'query'>): Promise<OrganizationKey> {
  const { organizationKey } = await client.query('get_organization_key');
  if (organizationKey !== undefined) return organizationKey;
  throw new Failure({
    exit: 'refused',
    code: 'organization_key_missing',
    message: 'The organization has no key of its own.',
    next: 'Create a key: keywright org key create HOLDER',
  });
}

/**
 * Returns the holder with a name or id. Default: the only holder, or the only passphrase holder. Throws if no
 * holder or several holders match.
 */
export function holderNamed({ holders }: OrganizationKey, word: string | undefined): KeyHolder {
  const found = holders.filter(({ holderId, holderName, type }) =>
    word === undefined
      ? holders.length === 1 || type === 'KEY_HOLDER_TYPE_PASSPHRASE'
      : holderName === word || holderId === word.toLowerCase(),
  );
  const [holder] = found;
  if (holder !== undefined && found.length === 1) return holder;
  const names = holders.map(({ holderName }) => holderName).join(', ');
  throw new Failure({
    exit: 'usage',
    code: 'holder_unknown',
    message: `${word ?? 'The default'} matches ${found.length} of the holders: ${names}.`,
    next: 'Name one holder, or give its id: keywright org key show --json prints the ids.',
  });
}
