import { tenantAccount } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label, newApiKey } from '../case_parts.ts';

export default activityCase({
  types:
    'CREATE_SUB_ORGANIZATION_V8 CREATE_SUB_ORGANIZATION_V7 CREATE_SUB_ORGANIZATION_V6 CREATE_SUB_ORGANIZATION_V5 CREATE_SUB_ORGANIZATION_V4 CREATE_SUB_ORGANIZATION_V3 CREATE_SUB_ORGANIZATION_V2 CREATE_SUB_ORGANIZATION',
  subject: 'ORGANIZATION CREATE',
  rule: 'policies',
  calls: [
    {
      by: 'parent',
      parameters: () => ({
        subOrganizationName: label,
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: label,
            apiKeys: [newApiKey('new root')],
            authenticators: [],
            oauthProviders: [],
          },
        ],
        wallet: { walletName: label, accounts: [tenantAccount()] },
      }),
    },
  ],
});
