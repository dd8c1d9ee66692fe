import { featureNames } from '../../core/base/enums.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerList, object, oneOf } from '../../core/schema/schema.ts';
import { isLoginOn, removeFeature } from '../../core/settings/features.ts';
import { endMailedLogins } from '../../core/users/mailed_keys.ts';
import { sessionKinds } from '../../core/users/sessions.ts';
import { activity, wireOf } from '../operation.ts';
import { featureShape } from '../shapes.ts';

/** Logins by mail, with the types of their keys. */
const mailedLogins = [
  { login: 'email_auth', type: sessionKinds.email_auth.type },
  { login: 'email_recovery', type: sessionKinds.recovery.type },
] as const;

export const remove_organization_feature = activity({
  wire: wireOf('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'),
  summary: 'Removes a feature of the organization, which switches off its effect.',
  subject: { resource: 'ORGANIZATION', action: 'UPDATE' },
  authority: 'root',
  parameters: object({ name: oneOf(featureNames) }),
  result: object({ features: answerList(featureShape()) }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { name }, context }) => {
    removeFeature(name, organization, context.now);
    for (const { login, type } of mailedLogins) {
      if (!isLoginOn(login, organization)) endMailedLogins(type, organization);
    }
    return { features: organization.head.features };
  },
});
