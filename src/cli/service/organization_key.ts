// The organization key of a command, and its holders.

import type { Client } from '../../client/connect.ts';
import type { Queries } from '../../client/generated/operations.ts';
import { Failure } from '../words/failures.ts';

type OrganizationKey = NonNullable<Queries['get_organization_key']['result']['organizationKey']>;
type KeyHolder = OrganizationKey['holders'][number];

/** The consequence of a key, for the question before it is created. */
export const keyWarning =
  'From now on nobody can use the wallets and private keys without the secret of a holder: no operator, no backup, no root key. If all holders lose their secrets, the wallets are lost.';

/** Returns the key of the organization. Throws if it has none. */
export async function organizationKeyOf(client: Pick<Client, 'query'>): Promise<OrganizationKey> {
  const { organizationKey } = await client.query('get_organization_key');
  if (organizationKey !== undefined) return organizationKey;
  throw new Failure({
    exit: 'refused',
    code: 'organization_key_missing',
    message: 'The organization has no key of its own.',
    next: 'keywright org key create gives it one.',
  });
}

/** Returns the holder of a name or id, or the only holder with a passphrase. Throws for any other. */
export function holderNamed({ holders }: OrganizationKey, word: string | undefined): KeyHolder {
  const found = holders.filter(({ holderId, holderName, type }) =>
    word === undefined
      ? type === 'KEY_HOLDER_TYPE_PASSPHRASE'
      : holderName === word || holderId === word.toLowerCase(),
  );
  const [holder] = found;
  if (holder !== undefined && found.length === 1) return holder;
  const names = holders.map(({ holderName }) => holderName).join(', ');
  throw new Failure({
    exit: 'usage',
    code: 'holder_unknown',
    message: `${word ?? 'Without --holder,'} names ${found.length} of the holders: ${names}.`,
    next: 'Name one of them, or give its id from keywright org key show.',
  });
}
