import { fail } from '../../core/errors/errors.ts';
import { maximumDroppedAccounts } from '../../core/keys/wallets.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, boolean, object, optional } from '../../core/schema/schema.ts';
import { sendsUnderWay } from '../../core/sends/nonces.ts';
import { deleteSubOrganization } from '../../core/settings/sub_organizations.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_sub_organization = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION'),
  summary: 'Deletes the sub-organization that the request names, with everything in it.',
  subject: { resource: 'ORGANIZATION', action: 'DELETE' },
  authority: 'root',
  parameters: object({ deleteWithoutExport: optional(boolean()) }),
  result: object({ subOrganizationUuid: answerText() }),

  access: rootQuorumOnly(),

  load: async ({ organization, read }) => ({
    accounts: await read.walletAccountPage(undefined, {
      limit: maximumDroppedAccounts,
      before: undefined,
      after: undefined,
    }),
    // Transactions that nodes already have may still land; they are not sent again.
    sends: await read.sends(sendsUnderWay(organization)),
  }),
  facts: ({ organization }) => ({
    unreadKeyIds: (['wallet', 'private_key'] as const).flatMap((kind) =>
      organization.list(kind).map(({ id }) => id),
    ),
  }),
  apply: ({ organization, parameters, loaded: { accounts, sends }, context }) => {
    if (organization.parentId === undefined) {
      fail('parent_organization_cannot', { action: 'be deleted' });
    }
    const withoutExport = parameters.deleteWithoutExport ?? false;
    deleteSubOrganization(organization, accounts, withoutExport, context.now);
    for (const send of sends.values()) organization.drop('send', send);
    return { subOrganizationUuid: organization.id };
  },
});
