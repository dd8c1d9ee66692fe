import { addPrivateKeys, drawPrivateKeysInParts } from '../../core/keys/private_keys.ts';
import {
  answerList,
  answerText,
  list,
  object,
  type ValueOfSchema,
} from '../../core/schema/schema.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { privateKeyResult, privateKeyToMake } from '../shapes.ts';
import { externalSignerPubkey, provenKeys } from '../signing/external_keys.ts';

const privateKey = object({
  ...privateKeyToMake(),
  externalSignerPubkey: externalSignerPubkey(),
});
const parameters = object({ privateKeys: list(privateKey, { minimum: 1 }) });

const field = 'parameters.privateKeys';

const result = object({ privateKeys: answerList(privateKeyResult()) });

export const create_private_keys = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS'),
      parameters,
      result: object({ privateKeyIds: answerList(answerText()) }),
      upgrade: ({ privateKeys }) => ({ privateKeys }),
      downgrade: ({ privateKeys }: ValueOfSchema<typeof result>) => ({
        privateKeyIds: privateKeys.map(({ privateKeyId }) => privateKeyId),
      }),
    }),
  ],
  summary:
    'Creates random private keys with their addresses, or registers external keys, all or none.',
  subject: { resource: 'PRIVATE_KEY', action: 'CREATE' },
  authority: 'none',
  parameters,
  result,

  callsExternal: ({ privateKeys }) => privateKeys.some((each) => each.externalSignerPubkey),

  obtain: async (input) => {
    const { parameters, keyring, context, services } = input;
    const { once, pause } = services;
    const { privateKeys } = parameters;
    const proven = await provenKeys(privateKeys, field, input);
    return once('keys', () =>
      drawPrivateKeysInParts(privateKeys, keyring, { ...context, field, proven }, pause),
    );
  },
  apply: ({ organization, context, obtained }) => {
    const created = addPrivateKeys(obtained, organization, { ...context, field });
    return { privateKeys: created.map(({ id, addresses }) => ({ privateKeyId: id, addresses })) };
  },
});
