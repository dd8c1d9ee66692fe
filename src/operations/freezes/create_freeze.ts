import { checkFreeze, createFreeze } from '../../core/freezes/freezes.ts';
import { freezeTypes } from '../../core/organization/records/freeze.ts';
import { answerText, object, oneOf, optional, text, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { maximumReasonCharacters } from './freeze_shape.ts';

export const create_freeze = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_FREEZE'),
  summary:
    'Creates a freeze, which immediately stops signatures, exports and sends of its subject. Returns the existing freeze if there is one.',
  subject: { resource: 'FREEZE', action: 'CREATE' },
  authority: 'freeze',
  parameters: object({
    type: oneOf(freezeTypes),
    resourceId: optional(uuid()),
    reason: optional(text({ minimum: 1, maximum: maximumReasonCharacters })),
  }),
  result: object({ freezeId: answerText() }),

  load: ({ organization, parameters, read }) => checkFreeze(parameters, organization, read.isChild),
  facts: ({ organization, loaded: { type, resourceId = '' } }) => {
    const wallet = organization.get('wallet', resourceId);
    const privateKey = organization.get('private_key', resourceId);
    const isUser = type === 'FREEZE_TYPE_USER';
    return {
      params: { type, ...(isUser ? { user_id: resourceId } : {}) },
      ...(wallet === undefined ? {} : { wallet }),
      ...(privateKey === undefined ? {} : { privateKey }),
    };
  },
  apply: ({ organization, submitter, context, loaded }) => ({
    freezeId: createFreeze(loaded, organization, submitter.id, context).id,
  }),
});
