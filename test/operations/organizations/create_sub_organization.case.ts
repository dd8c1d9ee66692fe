import { tenantAccount } from '../../hostile/tenants.ts';
import {
  countAccounts,
  countKeys,
  countPasskeys,
  hasUsers,
  hasWallet,
  sameIds,
} from '../../simulation/effect_parts.ts';
import { knownContact, newAccounts, newUser, upTo } from '../../simulation/request_parts.ts';
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
  generate: {
    weight: 1,
    parameters: (world) => ({
      subOrganizationName: `Child ${world.serial}`,
      rootUsers: upTo(2, world, (i) => ({
        ...newUser(world, i),
        ...(i === 0 ? { userEmail: knownContact } : {}),
      })),
      rootQuorumThreshold: 1,
      ...(world.choice.chance(0.7)
        ? { wallet: { walletName: `Wallet ${world.serial}`, accounts: newAccounts(world) } }
        : {}),
    }),
  },
  effect: ({ intent, result, children: [child] }) => ({
    children: 1,
    facts: {
      'the child has its id': child?.id === result.subOrganizationId,
      'the child is new': child?.version === 1,
      'the child has exactly its users':
        child !== undefined &&
        sameIds([...child.rows.user.keys()], result.rootUserIds) &&
        child.rows.api_key.size === countKeys(intent.rootUsers) &&
        child.rows.authenticator.size === countPasskeys(intent.rootUsers) &&
        child.rows.oauth_provider.size === countAccounts(intent.rootUsers) &&
        hasUsers(child, result.rootUserIds, intent.rootUsers),
      'the quorum is of its users':
        child !== undefined &&
        child.head.rootQuorum.threshold === intent.rootQuorumThreshold &&
        sameIds(child.head.rootQuorum.userIds, result.rootUserIds),
      'the wallet has its accounts':
        intent.wallet === undefined ||
        (child !== undefined &&
          result.wallet.addresses.length === intent.wallet.accounts.length &&
          hasWallet(child, result.wallet.walletId, result.wallet.addresses)),
    },
  }),
});
