import { failField } from '../../core/errors/errors.ts';
import { requirePrivateKey } from '../../core/keys/private_keys.ts';
import { privateKeyTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerText, label, list, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const update_private_key_tag = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG'),
  summary: 'Renames a private key tag, adds it to private keys and removes it from others.',
  subject: { resource: 'PRIVATE_KEY', action: 'UPDATE' },
  authority: 'key_labels',
  parameters: object({
    privateKeyTagId: uuid(),
    newPrivateKeyTagName: optional(label()),
    addPrivateKeyIds: list(uuid()),
    removePrivateKeyIds: list(uuid()),
  }),
  result: object({ privateKeyTagId: answerText() }),

  apply: ({ organization, parameters, context: { now } }) => {
    const tag = privateKeyTags.require(organization, parameters.privateKeyTagId);
    const name = parameters.newPrivateKeyTagName;
    if (name !== undefined) privateKeyTags.rename(tag, name, now, organization);
    const added = distinctIds(parameters.addPrivateKeyIds, 'parameters.addPrivateKeyIds');
    const removed = distinctIds(parameters.removePrivateKeyIds, 'parameters.removePrivateKeyIds');
    const inBoth = removed.findIndex((id) => added.includes(id));
    if (inBoth !== -1) {
      failField(`parameters.removePrivateKeyIds.${inBoth}`, 'is also in addPrivateKeyIds');
    }
    const keysOf = (ids: readonly string[]) => ids.map((id) => requirePrivateKey(organization, id));
    privateKeyTags.put(keysOf(added), tag.id, now, organization);
    privateKeyTags.take(keysOf(removed), tag.id, now, organization);
    return { privateKeyTagId: tag.id };
  },
});
