import type { Client } from '../../client/connect.ts';

/** Returns the organization's settings and the root quorum's names; an id for an unknown name. */
export async function rootQuorum(client: Client) {
  const { configs } = await client.query('get_organization_configs');
  const { users } = await client.query('list_users');
  const nameOf = (id: string) => users.find(({ userId }) => userId === id)?.userName ?? id;
  return { configs, members: configs.quorum.userIds.map(nameOf).join(', ') };
}
