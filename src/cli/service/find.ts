// Finds wallets, keys, users and other resources by the name or id that people type.

import type { Client } from '../../client/connect.ts';
import { nearestName } from '../../core/base/edit_distance.ts';
import { visible } from '../output/output.ts';
import { Failure, usage } from '../words/failures.ts';
import { allRows } from '../words/rows.ts';

/** Something with an id and a name. Names need not be unique. */
export type Named = { readonly id: string; readonly name: string };

/**
 * Returns the thing with this id, else with this name. Throws `not_found` with the nearest name, and `usage`
 * with the candidates if several have the name. `list`: the command that lists them.
 */
export function findByName<T extends Named>(
  kind: string,
  word: string,
  all: readonly T[],
  list = `keywright ${kind} list`,
): T {
  const byId = all.find(({ id }) => id === word.toLowerCase());
  if (byId !== undefined) return byId;
  const named = all.filter(({ name }) => name === word);
  const [only, ...others] = named;
  if (only === undefined) throw missing(kind, word, all, list);
  if (others.length > 0) {
    throw usage(
      `${named.length} of kind ${kind} are named ${visible(word)}: ${named.map(({ id }) => id).join(', ')}`,
      'Give one of the ids.',
    );
  }
  return only;
}

/** Finds a wallet by name or id. Throws `not_found`, and `usage` if several have the name. */
export async function findWallet(client: Client, word: string) {
  const { wallets } = await client.query('list_wallets');
  const all = wallets.map((wallet) => ({
    ...wallet,
    id: wallet.walletId,
    name: wallet.walletName,
  }));
  return findByName('wallet', word, all);
}

/** Finds a private key by name or id. Throws like `findWallet`. */
export async function findKey(client: Client, word: string) {
  const { privateKeys } = await client.query('list_private_keys');
  const all = privateKeys.map((key) => ({
    ...key,
    id: key.privateKeyId,
    name: key.privateKeyName,
  }));
  return findByName('key', word, all);
}

/** Returns the labels of the address book. */
export async function addressLabelsOf(client: Client) {
  const { addressLabels } = await client.query('list_address_labels');
  return addressLabels.map((row) => ({ ...row, id: row.addressLabelId, name: row.label }));
}

/** Finds a label by name or id. Throws like `findWallet`. */
export const findAddressLabel = async (client: Client, word: string) =>
  findByName('address', word, await addressLabelsOf(client));

/** Returns all secrets without their texts. The id replaces a missing name. */
export async function secretsOf(client: Client) {
  const secrets = await allRows(client.pages('list_secrets'));
  return secrets.map((secret) => ({ ...secret, name: secret.name ?? secret.secretId }));
}

/** Finds a secret by name or id. Throws like `findWallet`. */
export async function findSecret(client: Client, word: string) {
  const all = (await secretsOf(client)).map((secret) => ({ ...secret, id: secret.secretId }));
  return findByName('secret', word, all);
}

/** Finds a user by name or id. Throws like `findWallet`. */
export async function findUser(client: Client, word: string) {
  const { users } = await client.query('list_users');
  const all = users.map((user) => ({ ...user, id: user.userId, name: user.userName }));
  return findByName('user', word, all);
}

/** Finds a webhook endpoint by name or id. Throws like `findWallet`. */
export async function findEndpoint(client: Client, word: string) {
  return findByName('webhook', word, await endpointsOf(client));
}

/**
 * Returns the only webhook endpoint. Throws `not_found` if there is none, and `usage` if there are several.
 */
export async function onlyEndpoint(client: Client) {
  const all = await endpointsOf(client);
  const [only, ...others] = all;
  if (only === undefined) {
    throw new Failure({
      exit: 'not_found',
      message: 'There is no webhook in this organization.',
      next: 'keywright webhook create --help',
    });
  }
  if (others.length > 0) {
    throw usage(
      `This organization has ${all.length} webhooks: ${all.map(({ name }) => visible(name)).join(', ')}`,
      'Name one with --endpoint',
    );
  }
  return only;
}

async function endpointsOf(client: Client) {
  const { webhookEndpoints } = await client.query('list_webhook_endpoints');
  return webhookEndpoints.map((endpoint) => ({ ...endpoint, id: endpoint.endpointId }));
}

/** Finds a policy by name or id. Throws like `findWallet`. */
export async function findPolicy(client: Client, word: string) {
  const { policies } = await client.query('list_policies');
  const all = policies.map((policy) => ({
    ...policy,
    id: policy.policyId,
    name: policy.policyName,
  }));
  return findByName('policy', word, all);
}

/** Returns the ids of user tags, found by name or id. */
export async function findTags(
  client: Client,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length === 0) return [];
  const { userTags } = await client.query('list_user_tags');
  const all = userTags.map(({ tagId, tagName }) => ({ id: tagId, name: tagName }));
  return words.map((word) => findByName('user tag', word, all, 'keywright api list_user_tags').id);
}

/** Returns a function from the id of a user tag to its name. */
export async function tagNames(client: Client): Promise<(id: string) => string> {
  const { userTags } = await client.query('list_user_tags');
  const names = new Map(userTags.map(({ tagId, tagName }) => [tagId, tagName]));
  return (id) => names.get(id) ?? id;
}

function missing(kind: string, word: string, all: readonly Named[], list: string): Failure {
  const near = nearestName(
    word,
    all.map(({ name }) => name),
  );
  return new Failure({
    exit: 'not_found',
    message: `There is no ${kind} ${visible(word)} in this organization.`,
    next: near === undefined ? list : `Did you mean ${visible(near)}?`,
  });
}
