import {
  answerList,
  answerText,
  boolean,
  object,
  optional,
  timestamp,
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
    createdAt: timestamp(),
    updatedAt: timestamp(),
    exported: boolean(),
    imported: boolean(),
    heldBy: optional(answerText()),
  });
