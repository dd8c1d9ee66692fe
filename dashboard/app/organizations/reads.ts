import type { Queries } from '../../../src/client/generated/operations.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

export type Organization = Queries['get_organization']['result']['organizationData'];

/** Search criteria for sub-organizations. `isVerified`: the contact must be verified. */
export const searches = {
  NAME: { filterType: 'NAME', isVerified: false },
  USERNAME: { filterType: 'USERNAME', isVerified: false },
  EMAIL: { filterType: 'EMAIL', isVerified: false },
  VERIFIED_EMAIL: { filterType: 'EMAIL', isVerified: true },
  PHONE_NUMBER: { filterType: 'PHONE_NUMBER', isVerified: false },
  VERIFIED_PHONE_NUMBER: { filterType: 'PHONE_NUMBER', isVerified: true },
  PUBLIC_KEY: { filterType: 'PUBLIC_KEY', isVerified: false },
  CREDENTIAL_ID: { filterType: 'CREDENTIAL_ID', isVerified: false },
  WALLET_ACCOUNT_ADDRESS: { filterType: 'WALLET_ACCOUNT_ADDRESS', isVerified: false },
} as const;

export type Search = { readonly by: keyof typeof searches; readonly value: string };

/** Reads the first sub-organizations that match the search, oldest first. Default: all match. */
export function useSuborganizations(search: Search | undefined, count: number) {
  const { client } = useSession();
  return useRead(
    ['suborganizations', search, count],
    async (signal) => {
      const ids: string[] = [];
      for await (const id of pages(search)) {
        ids.push(id);
        if (ids.length > count) break;
      }
      return { ids: ids.slice(0, count), hasMore: ids.length > count };

      function pages(search: Search | undefined): AsyncGenerator<string, void> {
        if (search === undefined) return client.pages('list_suborgs', {}, { signal });
        const { filterType, isVerified } = searches[search.by];
        const filter = { filterType, filterValue: search.value };
        // The service has an operation of its own for verified contacts.
        return isVerified
          ? client.pages(
              'list_verified_suborgs',
              filter as { filterType: 'EMAIL'; filterValue: string },
              { signal },
            )
          : client.pages('list_suborgs', filter, { signal });
      }
    },
    { keepsPrevious: true },
  );
}

/** Reads a sub-organization with the rights of its parent. */
export function useOrganization(id: string): Read<Organization> {
  const { client } = useSession();
  return useRead(['organization', id], async (signal) => {
    const child = client.within(id);
    const { organizationData } = await child.query('get_organization', {}, { signal });
    return organizationData;
  });
}
