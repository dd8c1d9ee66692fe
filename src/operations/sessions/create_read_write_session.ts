import { maximumTargetKeyCharacters, parseTargetKey } from '../../core/bundles/target_key.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { contactOf } from '../../core/organization/indexes/contacts.ts';
import type { User } from '../../core/organization/model.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { ownUserOrRootQuorum } from '../../core/policy/decision/access.ts';
import {
  answerText,
  boolean,
  label,
  object,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import { startBundledSession } from '../../core/users/bundled_sessions.ts';
import { requireUser } from '../../core/users/users.ts';
import { apiKeyLife, email } from '../credential_shapes.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';

/** Owner of the session: the named user, or the caller. */
type Named = { readonly userId?: string; readonly email?: string };

const targetPublicKey = () => text({ maximum: maximumTargetKeyCharacters });

export const create_read_write_session = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION'),
      parameters: object({
        targetPublicKey: targetPublicKey(),
        email: email(),
        apiKeyName: optional(label()),
        expirationSeconds: optional(apiKeyLife()),
      }),
      upgrade: (parameters) => parameters,
    }),
  ],
  summary:
    'Starts a session whose key the service creates and encrypts to the target key of the request.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'credential',
  parameters: object({
    targetPublicKey: targetPublicKey(),
    userId: optional(uuid()),
    email: optional(email()),
    apiKeyName: optional(label()),
    expirationSeconds: optional(apiKeyLife()),
    invalidateExisting: optional(boolean()),
  }),
  result: object({
    organizationId: answerText(),
    organizationName: answerText(),
    userId: answerText(),
    username: answerText(),
    apiKeyId: answerText(),
    credentialBundle: answerText(),
  }),

  // The holder of the bundle can act as that user.
  access: ownUserOrRootQuorum(({ userId, email }: Named, submitter) => {
    if (userId !== undefined) return userId.toLowerCase();
    return email === undefined || isOf(submitter, email) ? submitter.id : email;
  }),
  findsChild: true,

  apply: ({ organization, parameters, submitter, context, services }) => {
    const user = userOf(parameters, submitter, organization);
    const { apiKeyName: name, expirationSeconds, invalidateExisting } = parameters;
    const { key, credentialBundle } = startBundledSession(
      {
        kind: 'read_write',
        user,
        targetPublicKey: parseTargetKey(parameters.targetPublicKey, 'parameters.targetPublicKey'),
        name,
        expirationSeconds,
        invalidateExisting,
      },
      organization,
      context,
      services.random,
    );
    return {
      organizationId: organization.id,
      organizationName: organization.head.name,
      userId: user.id,
      username: user.name,
      apiKeyId: key.id,
      credentialBundle,
    };
  },
});

function userOf({ userId, email }: Named, submitter: User, organization: OrganizationView): User {
  if (userId !== undefined && email !== undefined) {
    failField('parameters.email', 'expected a user to be named once');
  }
  if (userId !== undefined) return requireUser(organization, userId);
  if (email === undefined) return submitter;
  const [user, second] = organization.list('user').filter((each) => isOf(each, email));
  const organizationId = organization.id;
  if (user === undefined)
    fail('resource_not_found', { resource: 'user', id: email, organizationId });
  if (second !== undefined)
    failField('parameters.email', 'several users have it: expected `userId`');
  return user;
}

function isOf(user: User, address: string): boolean {
  return contactOf(user, 'OTP_TYPE_EMAIL') === address.toLowerCase();
}
