import type { Client } from '../../client/connect.ts';

/**
 * Returns the settings of the organization, and the names of the root quorum's members. An id replaces an
 * unknown name.
 */
export async function rootQuorum(client: Client) {
  const { configs } = await client.query('get_organization_configs');
  const { users } = await client.query('list_users');
  const nameOf = (id: string) => users.find(({ userId }) => userId === id)?.userName ?? id;
  return { configs, members: configs.quorum.userIds.map(nameOf).join(', ') };
}
