import { requirePrivateKey } from '../../core/keys/private_keys.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { privateKeyView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { privateKeyShape } from './private_key_shape.ts';

export const get_private_key = query({
  summary: 'Returns the public part of a private key.',
  body: object({ privateKeyId: uuid() }),
  response: object({ privateKey: privateKeyShape() }),

  answer: ({ organization, body }) => ({
    privateKey: privateKeyView(requirePrivateKey(organization, body.privateKeyId)),
  }),
});
