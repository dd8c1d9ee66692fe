// Shapes that several operations share, as the specification names them.

import { addressFormats } from '../core/address/index.ts';
import { curveNames, featureNames, pathFormats, tagTypes } from '../core/base/enums.ts';
import { namesOf } from '../core/base/table.ts';
import {
  answerList,
  answerText,
  boolean,
  decimal,
  integer,
  label,
  list,
  maximumListItems,
  object,
  oneOf,
  optional,
  optionalOrEmpty,
  text,
  timestamps,
  uuid,
} from '../core/schema/schema.ts';

/** No derivation path is longer than the deepest, fully hardened one. */
const maximumPathCharacters = 400;

/** A derivation path, which core/derivation/path.ts checks. */
export const accountPath = () => text({ minimum: 1, maximum: maximumPathCharacters });

export const addressFormat = () => oneOf(namesOf(addressFormats));
export const curve = () => oneOf(curveNames);

/** One wallet account to derive. */
export const walletAccountParameters = () =>
  object({
    curve: curve(),
    pathFormat: oneOf(pathFormats),
    path: accountPath(),
    addressFormat: addressFormat(),
    name: optional(label()),
  });

/** Accounts that one request may derive. */
export const walletAccountList = () => list(walletAccountParameters());

/** 12 (default), 15, 18, 21 or 24; core/keys/wallets.ts has the rule. */
export const mnemonicLength = () => decimal({ minimum: 0, maximum: 1000 });

/** A wallet to create together with another resource. */
export const walletParameters = (maximumAccounts = maximumListItems) =>
  object({
    walletName: label(),
    accounts: list(walletAccountParameters(), { maximum: maximumAccounts }),
    mnemonicLength: optional(mnemonicLength()),
  });

/** Private keys to create. */
export const privateKeyList = (minimum = 0) => list(object(privateKeyToMake()), { minimum });

export const privateKeyToMake = () => ({
  privateKeyName: label(),
  curve: curve(),
  privateKeyTags: list(uuid()),
  addressFormats: list(addressFormat()),
});

/** A created private key. */
export const privateKeyResult = () =>
  object({ privateKeyId: answerText(), addresses: answerList(address()) });

export const walletResult = () =>
  object({ walletId: answerText(), addresses: answerList(answerText()) });

/** List parameters: `limit` 1 to 100 (default 10); `before` and `after` are exclusive ids. */
export const pagination = () =>
  optional(
    object({
      limit: optionalOrEmpty(decimal({ minimum: 1, maximum: 100 })),
      before: optionalOrEmpty(uuid()),
      after: optionalOrEmpty(uuid()),
    }),
  );

export const address = () =>
  object({ format: optional(addressFormat()), address: optional(answerText()) });

/** Notes that users write about a resource. */
export const notes = () => text({ maximum: 2_000 });

export const featureShape = () =>
  object({ name: oneOf(featureNames), value: optional(answerText()) });

export const tagShape = () =>
  object({
    tagId: answerText(),
    tagName: answerText(),
    tagType: oneOf(tagTypes),
    ...timestamps(),
  });

export const walletShape = () =>
  object({
    walletId: answerText(),
    walletName: answerText(),
    ...timestamps(),
    exported: boolean(),
    imported: boolean(),
  });

export const walletAccountShape = () =>
  object({
    walletAccountId: answerText(),
    organizationId: answerText(),
    walletId: answerText(),
    curve: curve(),
    pathFormat: oneOf(pathFormats),
    path: answerText(),
    addressFormat: addressFormat(),
    address: answerText(),
    ...timestamps(),
    publicKey: optional(answerText()),
    walletDetails: optional(walletShape()),
    name: optional(answerText()),
    caip2Prefix: optional(answerText()),
  });

/** A small integer in answers and requests. */
export const threshold = () => integer({ minimum: 0, maximum: 100 });
