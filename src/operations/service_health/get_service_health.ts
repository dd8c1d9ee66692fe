import { timestampObject } from '../../core/base/compatibility.ts';
import {
  answerList,
  answerText,
  object,
  oneOf,
  optional,
  timestamp,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_service_health = query({
  summary:
    'Returns the chains of the service and whether their nodes answer; to the root quorum, the last backup too.',
  body: object({}),
  response: object({
    chains: answerList(object({ caip2: answerText(), nodeState: oneOf(['ANSWERS', 'SILENT']) })),
    lastBackupAt: optional(timestamp()),
  }),

  answer: async ({ organization, caller, services: { deployment, external } }) => {
    const { answering, lastBackupAtMs } = await external.serviceHealth();
    // Members of the first organization's root quorum operate the service; all other users only use it.
    const operates =
      organization.parentId === undefined &&
      organization.head.rootQuorum.userIds.includes(caller.user.id);
    return {
      chains: deployment.chains.map(({ caip2 }) => ({
        caip2,
        nodeState: answering.has(caip2) ? ('ANSWERS' as const) : ('SILENT' as const),
      })),
      ...(operates && lastBackupAtMs !== undefined
        ? { lastBackupAt: timestampObject(lastBackupAtMs) }
        : {}),
    };
  },
});
