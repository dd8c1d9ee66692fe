// The proof of a new sub-organization. It lists every user and credential with access, so that the user can
// detect an additional one.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { RecordChange } from '../organization/changes.ts';
import { identityValue } from '../organization/indexes/indexes.ts';
import type {
  ApiKey,
  Authenticator,
  OauthProvider,
  OrganizationHead,
  User,
} from '../organization/model.ts';
import type { JsonObject } from '../schema/json.ts';

/** A new organization with its written rows. */
export type WrittenChild = {
  readonly organizationId: string;
  readonly parentId: string;
  readonly head: OrganizationHead;
  readonly changes: readonly RecordChange[];
};

/** Returns the member `subOrganizationProof`: contacts and identities as digests, all else as plain text. */
export function subOrganizationProof(child: WrittenChild): JsonObject {
  const { organizationId, parentId, head, changes } = child;
  const rows = <Row>(kind: RecordChange['kind']): readonly Row[] =>
    changes.flatMap((change) => (change.kind === kind ? [change.after as Row] : []));
  const ofUser = <Row extends { readonly userId: string }>(
    kind: RecordChange['kind'],
    id: string,
  ) => rows<Row>(kind).filter(({ userId }) => userId === id);
  return {
    organizationId,
    parentOrganizationId: parentId,
    organizationName: head.name,
    rootQuorum: { threshold: head.rootQuorum.threshold, userIds: head.rootQuorum.userIds },
    features: head.features.map(({ name }) => name),
    users: rows<User>('user').map((user) => ({
      userId: user.id,
      userName: user.name,
      contacts: contactsOf(user),
      apiKeys: ofUser<ApiKey>('api_key', user.id).map(
        ({ publicKey, type, expirationSeconds = 0 }) => ({
          publicKey: publicKey.toLowerCase(),
          type,
          expirationSeconds: String(expirationSeconds),
        }),
      ),
      authenticators: ofUser<Authenticator>('authenticator', user.id).map(
        ({ credentialId, publicKey }) => ({ credentialId, publicKey }),
      ),
      oauthProviders: ofUser<OauthProvider>('oauth_provider', user.id).map((provider) =>
        digestOfText(identityValue(provider)),
      ),
    })),
    addresses: rows<{ readonly address: string }>('wallet_account').map(({ address }) => address),
  };
}

function contactsOf(user: User): readonly JsonObject[] {
  const { email, phoneNumber } = user;
  return [
    ...(email === undefined
      ? []
      : [
          {
            type: 'OTP_TYPE_EMAIL',
            digest: digestOfText(email.toLowerCase()),
            verified: user.emailVerified === true,
          },
        ]),
    ...(phoneNumber === undefined
      ? []
      : [
          {
            type: 'OTP_TYPE_SMS',
            digest: digestOfText(phoneNumber),
            verified: user.phoneNumberVerified === true,
          },
        ]),
  ];
}

const digestOfText = (text: string): string => hex(sha256(utf8(text)));
