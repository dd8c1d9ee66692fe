// The root quorum, with the names of its members.

import type { Client } from '../../client/connect.ts';

/** The settings of the organization, and the members of its root quorum: names, or ids without one. */
export async function rootQuorum(client: Client) {
  const { configs } = await client.query('get_organization_configs');
  const { users } = await client.query('list_users');
  const nameOf = (id: string) => users.find(({ userId }) => userId === id)?.userName ?? id;
  return { configs, members: configs.quorum.userIds.map(nameOf).join(', ') };
}
