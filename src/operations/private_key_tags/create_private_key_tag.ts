import { requirePrivateKey } from '../../core/keys/private_keys.ts';
import { privateKeyTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, label, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const create_private_key_tag = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG'),
  summary: 'Creates a private key tag and adds it to private keys.',
  subject: { resource: 'PRIVATE_KEY', action: 'CREATE' },
  authority: 'key_labels',
  parameters: object({ privateKeyTagName: label(), privateKeyIds: list(uuid()) }),
  result: object({ privateKeyTagId: answerText(), privateKeyIds: answerList(answerText()) }),

  apply: ({ organization, parameters, context }) => {
    const { now } = context;
    const name = parameters.privateKeyTagName;
    const tag = privateKeyTags.create({ id: context.newId(), name, now }, organization);
    const privateKeyIds = distinctIds(parameters.privateKeyIds, 'parameters.privateKeyIds');
    const keys = privateKeyIds.map((id) => requirePrivateKey(organization, id));
    privateKeyTags.put(keys, tag.id, now, organization);
    return { privateKeyTagId: tag.id, privateKeyIds };
  },
});
