// Every operation of the service, by the last segment of its path.

import { identityQueries } from './identity/index.ts';
import type { ActivityOperation, QueryOperation } from './operation.ts';
import { signingActivities } from './signing/index.ts';
import { walletActivities, walletQueries } from './wallets/index.ts';

/** `POST /public/v1/submit/<name>`. */
export const activityOperations: Readonly<Record<string, ActivityOperation>> = byName({
  ...signingActivities,
  ...walletActivities,
});

/** `POST /public/v1/query/<name>`. */
export const queryOperations: Readonly<Record<string, QueryOperation>> = byName({
  ...identityQueries,
  ...walletQueries,
});

/** Without a prototype, so that a name from a path finds only what was written here. */
function byName<Operation>(operations: Record<string, Operation>): Record<string, Operation> {
  return Object.freeze(Object.assign(Object.create(null), operations));
}
