// Lists the paths of the dashboard's screens, below `/dashboard/`. The server serves the page at each path;
// `keywright dashboard verify` fetches them all.

/** A segment that begins with a colon stands for any id. */
export const screenPaths: readonly string[] = [
  '',
  'sign-in',
  'address-book',
  'approvals',
  'activities',
  'activities/:id',
  'wallets',
  'wallets/:id',
  'private-keys',
  'private-keys/:id',
  'secrets',
  'policies',
  'policies/new',
  'policies/:id',
  'webhooks',
  'webhooks/:id',
  'webhooks/:id/:number',
  'users',
  'users/:id',
  'organizations',
  'organizations/:id',
  'settings',
  'api',
  'api/:operation',
  'inbox',
  'pair',
];
