// The scopes that clauses of policies read: one request, its keys and its voters as values of the language.

import { hex } from '../../base/bytes.ts';
import type { CredentialType } from '../../base/enums.ts';
import { parsePath } from '../../derivation/path.ts';
import { assert } from '../../errors/errors.ts';
import type { PrivateKey, Secret, User, Wallet, WalletAccount } from '../../organization/model.ts';
import type { Vote } from '../../organization/records/activity.ts';
import type { OrganizationView } from '../../organization/state.ts';
import { domainFacts, type TypedData } from '../../payload/eip712.ts';
import type { TypedValue } from '../../payload/eip712_values.ts';
import type { Authorization } from '../../payload/eip7702.ts';
import { type Credential, credentialsOfUser } from '../../users/credentials.ts';
import {
  type AddressBookFacts,
  caselessText,
  type FactStruct,
  type FactValue,
  noAddressBook,
  noControls,
  type Scope,
} from '../language/values.ts';
import type { Facts, ParamValue, Part, Subject } from './access.ts';
import { kindOf } from './activity_kind.ts';
import type { Voter } from './voters.ts';

type DescribedActivity = { readonly type: string; readonly subject: Subject };

/** Returns the scopes that a condition reads, one for each separately decided part, at least one. */
export function conditionScopes(
  activity: DescribedActivity,
  facts: Facts,
  controls: FactStruct = noControls,
  book: AddressBookFacts = noAddressBook,
): readonly Scope[] {
  const common = { ...commonScope(activity, facts, controls), address_book: book.facts };
  const namespaces = (facts.parts ?? []).flatMap((part) => {
    const namespace = partFacts(part);
    if (namespace === undefined) return [];
    const own = part.params && {
      activity: activityFacts(activity, { ...facts.params, ...part.params }),
    };
    return [{ ...signerFacts(part.signer, activity), ...namespace, ...own }];
  });
  return namespaces.length === 0 ? [common] : namespaces.map((part) => ({ ...common, ...part }));
}

/**
 * Returns a key that is equal for requests with the same facts for conditions. Equal `contents` mean equal
 * parameters. Returns undefined if facts rarely repeat, or if the key cannot express them: for secrets, for
 * exported wallet accounts, for signed content without `contents`, and for parameters with integers.
 */
export function conditionKey(
  activity: DescribedActivity,
  facts: Facts,
  contents?: string,
  controls: FactStruct = noControls,
  book: AddressBookFacts = noAddressBook,
): string | undefined {
  const { params = {}, parts = [] } = facts;
  if (parts.some(({ secret }) => secret !== undefined)) return undefined;
  const isSigned = parts.some(
    (part) => (part.typedData ?? part.authorization ?? part.transaction) !== undefined,
  );
  if (isSigned && contents === undefined) return undefined;
  if (Object.values(params).some(holdsNumbers)) return undefined;
  // The indexes of a path are bigints, which JSON does not support.
  if (facts.walletAccount !== undefined && activity.subject.action === 'EXPORT') return undefined;
  const signers = parts.flatMap(({ signer }) =>
    signer === undefined ? [] : [JSON.stringify(signerFacts(signer, activity))],
  );
  const labels = book.key === '' ? [] : [book.key];
  const scope = JSON.stringify(commonScope(activity, facts, controls));
  const common = [scope, ...signers, ...labels].join();
  if (!isSigned) return common;
  // Equal parameters have other facts if an interface was created or deleted, or a node returned other
  // values.
  const interfaces = parts.flatMap((part) => part.interfaces ?? []).join();
  const signed = parts.map(({ signedDigest }) => signedDigest?.() ?? '').join();
  return `${contents}/${interfaces}/${signed}/${common}`;
}

/** Returns true if a value cannot be written as JSON. */
function holdsNumbers(value: ParamValue): boolean {
  if (typeof value === 'string') return false;
  return typeof value === 'bigint' || value.some((item) => typeof item !== 'string');
}

/** Returns the scope that every part of a request has in common. */
function commonScope(activity: DescribedActivity, facts: Facts, controls: FactStruct): Scope {
  const { params = {}, wallets } = facts;
  return {
    activity: activityFacts(activity, params),
    wallets: wallets?.map(walletFacts),
    ...keyFacts(facts, activity.subject.action),
    controls,
  };
}

function activityFacts(
  { type, subject: { resource, action } }: DescribedActivity,
  params: NonNullable<Facts['params']>,
): FactStruct {
  return { type, kind: kindOf(type), resource, action, params };
}

function keyFacts(
  { wallet, walletAccount, privateKey }: NonNullable<Part['signer']>,
  action: Subject['action'],
): Scope {
  return {
    wallet: wallet && walletFacts(wallet),
    wallet_account: walletAccount && accountFacts(walletAccount, action === 'EXPORT'),
    private_key: privateKey && privateKeyFacts(privateKey),
  };
}

/** The key of a part replaces that of the request. */
function signerFacts(signer: Part['signer'], { subject }: DescribedActivity): Scope {
  return signer === undefined ? {} : keyFacts(signer, subject.action);
}

/** Returns a user who votes with one credential. */
export function voterWith(user: User, credential: Credential): Voter {
  return { userId: user.id, user: userFacts(user), credentials: [credentialFacts(credential)] };
}

/** Returns a user who might vote with any of its credentials. */
export function possibleVoter(user: User, organization: OrganizationView): Voter {
  const credentials = credentialsOfUser(organization, user.id).map(credentialFacts);
  return { userId: user.id, user: userFacts(user), credentials };
}

/** Returns a user as of its vote; undefined if the vote's credential is not disclosed. */
export function voterAsGiven(vote: Vote): Voter | undefined {
  const { user: was, userId, emailClaimed } = vote;
  const credential = credentialAsGiven(vote);
  if (credential === undefined) return undefined;
  const email = emailClaimed === true ? undefined : was.userEmail;
  const user = { id: userId, tags: was.userTags, email: email ?? '', alias: was.userName };
  return { userId, user, credentials: [credential] };
}

function credentialAsGiven({ user, userId, credentialId: id, publicKey }: Vote) {
  const of = (type: CredentialType, key: string, credentialId = ''): FactStruct => ({
    id,
    user_id: userId,
    type,
    public_key: key,
    credential_id: credentialId,
  });
  const key = user.apiKeys.find(({ apiKeyId }) => apiKeyId === id);
  if (key !== undefined) return of(key.credential.type, key.credential.publicKey);
  const passkey = user.authenticators.find(({ authenticatorId }) => authenticatorId === id);
  if (passkey !== undefined) {
    const { type, publicKey: coseKey } = passkey.credential;
    return of(type, coseKey, passkey.credentialId);
  }
  const isProvider = user.oauthProviders.some(({ providerId }) => providerId === id);
  if (isProvider) return of('CREDENTIAL_TYPE_OAUTH_KEY_P256', publicKey);
  // A contact proven by a one-time code has its kind and value as ID.
  return id.startsWith('OTP_TYPE_')
    ? of('CREDENTIAL_TYPE_OTP_AUTH_KEY_P256', publicKey)
    : undefined;
}

function userFacts({ id, tagIds, email, emailClaimed, name }: User): FactStruct {
  // Policies ignore an address that a stranger claimed.
  const counting = emailClaimed === true ? undefined : email;
  return { id, tags: tagIds, email: counting ?? '', alias: name };
}

function credentialFacts(credential: Credential): FactStruct {
  const { id, userId, type, publicKey, credentialId } = credential;
  return { id, user_id: userId, type, public_key: publicKey, credential_id: credentialId };
}

function walletFacts({ id, imported, exported, name }: Wallet): FactStruct {
  return { id, imported, exported, label: name };
}

/** The derivation of an account is a fact of its export only. */
function accountFacts(account: WalletAccount, isExported: boolean): FactStruct {
  const { address, path, walletId, curve, addressFormat } = account;
  if (!isExported) return { address };
  const segments = parsePath(path);
  assert(segments !== undefined, 'a stored path is a path');
  return {
    address,
    path_indexes: segments.map(({ index }) => BigInt(index)),
    path_hardened: segments.map(({ hardened }) => hardened),
    wallet_id: walletId,
    curve,
    address_format: addressFormat,
  };
}

function privateKeyFacts({ id, tagIds, imported, exported, name }: PrivateKey): FactStruct {
  return { id, tags: tagIds, imported, exported, label: name };
}

function partFacts({ typedData, authorization, secret, transaction }: Part): Scope | undefined {
  if (transaction !== undefined) return transaction;
  if (typedData !== undefined) return { eth: { eip_712: typedDataFacts(typedData) } };
  if (authorization !== undefined) {
    return { eth: { eip_7702_authorization: authorizationFacts(authorization) } };
  }
  return secret && { secret: secretFacts(secret) };
}

function secretFacts({ staticProperties }: Secret): FactStruct {
  return { static_properties: new Map(staticProperties.map(({ key, value }) => [key, value])) };
}

/** Members that the domain lacks are empty texts; a missing chain ID is absent. */
function typedDataFacts(typedData: TypedData): FactStruct {
  const found = domainFacts(typedData);
  const { name = '', version = '', chainId, verifyingContract, verifyingContractText } = found;
  return {
    primary_type: typedData.primaryType,
    domain: {
      name,
      version,
      chain_id: chainId,
      verifying_contract:
        verifyingContract === undefined
          ? (verifyingContractText ?? caselessText(''))
          : hexFact(verifyingContract),
    },
    message: typedValueFacts(typedData.message),
  };
}

function authorizationFacts({ address, chainId, nonce }: Authorization): FactStruct {
  return { address: hexFact(address), chain_id: chainId, nonce };
}

/** Integers written as strings are compared as strings of decimal digits. */
function typedValueFacts(value: TypedValue): FactValue {
  switch (value.kind) {
    case 'integer':
      return value.written === 'number' ? value.value : String(value.value);
    case 'address':
    case 'bytes':
      return hexFact(value.value);
    case 'list':
      return value.items.map(typedValueFacts);
    case 'struct':
      return new Map([...value.members].map(([name, member]) => [name, typedValueFacts(member)]));
    default:
      return value.value;
  }
}

/** Returns bytes that equal any spelling: letter case, as in checksums of addresses, is ignored. */
function hexFact(bytes: Uint8Array): FactValue {
  return caselessText(`0x${hex(bytes)}`);
}
