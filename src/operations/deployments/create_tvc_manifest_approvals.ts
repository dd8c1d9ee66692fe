import { approveManifest } from '../../core/deployments/deployments.ts';
import { maximumMembers } from '../../core/deployments/operators.ts';
import { answerList, answerText, list, object, text, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const create_tvc_manifest_approvals = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_TVC_MANIFEST_APPROVALS'),
  summary:
    'Stores signatures of operators over a manifest. The deployment becomes live at the threshold if its application has no live one yet.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'UPDATE' },
  authority: 'none',
  parameters: object({
    manifestId: uuid(),
    approvals: list(
      object({
        operatorId: uuid(),
        signature: text({
          minimum: 1,
          maximum: 200,
        }),
      }),
      { minimum: 1, maximum: maximumMembers },
    ),
  }),
  result: object({ approvalIds: answerList(answerText()) }),

  apply: ({ organization, parameters: { manifestId, approvals }, context }) => ({
    approvalIds: approveManifest(manifestId, approvals, organization, context),
  }),
});
