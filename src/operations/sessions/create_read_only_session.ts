import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { answerBearer, answerText, object } from '../../core/schema/schema.ts';
import {
  type ReadOnlySession,
  readOnlySessionSeconds,
} from '../../core/users/read_only_session.ts';
import { activity, wireOf } from '../operation.ts';

export const create_read_only_session = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION'),
  summary: 'Starts a session of one hour that can read, sent in the header `X-Session`.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'proven_login',
  parameters: object({}),
  result: object({
    organizationId: answerText(),
    organizationName: answerText(),
    userId: answerText(),
    username: answerText(),
    session: answerBearer(),
    sessionExpiry: answerText(),
  }),

  access: policyOrOwnUser((_, submitter) => submitter.id),
  findsChild: true,

  apply: ({ organization, submitter, submitterCredentialId, context, services }) => {
    const expiresAtSeconds = Math.floor(context.now / 1000) + readOnlySessionSeconds;
    const session: ReadOnlySession = {
      organizationId: organization.id,
      userId: submitter.id,
      credentialId: submitterCredentialId,
      expiresAtMs: expiresAtSeconds * 1000,
    };
    return {
      organizationId: organization.id,
      organizationName: organization.head.name,
      userId: submitter.id,
      username: submitter.name,
      session: services.serviceKeys.sealToken(session),
      sessionExpiry: String(expiresAtSeconds),
    };
  },
});
