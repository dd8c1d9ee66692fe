import {
  answerList,
  answerText,
  boolean,
  object,
  optional,
  timestamps,
} from '../../core/schema/schema.ts';
import { address, curve } from '../shapes.ts';

export const privateKeyShape = () =>
  object({
    privateKeyId: answerText(),
    publicKey: answerText(),
    privateKeyName: answerText(),
    curve: curve(),
    addresses: answerList(address()),
    privateKeyTags: answerList(answerText()),
    ...timestamps(),
    exported: boolean(),
    imported: boolean(),
    heldBy: optional(answerText()),
  });
