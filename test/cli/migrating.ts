// Two services and their organizations, for tests of migrations.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { newP256KeyPair } from '../../src/gateway/base/p256_key_pair.ts';
import { startService, temporaryDirectory } from '../e2e/service.ts';
import { commandsOfThisFile } from './running_service.ts';

/** An organization with the key of one of its users in a file. */
export type Member = {
  readonly file: string;
  readonly baseUrl: string;
  readonly organizationId: string;
};

const newPair = () => newP256KeyPair((length) => randomBytes(length));

/** Starts two services: `source` to move from, `target` to move to. */
export async function twoServices() {
  const { service, run, json } = await commandsOfThisFile();
  const other = await startService({ dataDirectory: temporaryDirectory() });
  after(() => other.stop());

  const rootOf = (folder: string): Member => {
    const file = join(folder, 'root-credentials.json');
    return { file, ...JSON.parse(readFileSync(file, 'utf8')) };
  };
  const flags = ({ file, baseUrl, organizationId }: Member) =>
    `--credentials ${file} --url ${baseUrl} --organization ${organizationId}`;
  /** Calls an operation as a member. */
  const api = (member: Member, name: string, parameters: object = {}) =>
    json(`api ${name} --params - ${flags(member)}`, { input: JSON.stringify(parameters) });

  let files = 0;
  const newMember = ({ baseUrl, organizationId }: Omit<Member, 'file'>) => {
    const pair = newPair();
    files += 1;
    const file = join(service.dataDirectory, `member-${files}.json`);
    writeFileSync(file, JSON.stringify({ ...pair, baseUrl, organizationId }), { mode: 0o600 });
    const apiKey = {
      apiKeyName: 'key',
      publicKey: pair.apiPublicKey,
      curveType: 'API_KEY_CURVE_P256',
    };
    return { file, apiKey, member: { file, baseUrl, organizationId } };
  };
  const userWith = (userName: string, apiKey: object) => ({
    userName,
    apiKeys: [apiKey],
    authenticators: [],
    oauthProviders: [],
  });
  /** Creates a user with a key, and returns the member. */
  const addUser = async (by: Member, userName: string): Promise<Member> => {
    const { apiKey, member } = newMember(by);
    await api(by, 'create_users', { users: [{ ...userWith(userName, apiKey), userTags: [] }] });
    return member;
  };
  /** Creates a sub-organization with one root user, and returns the member. */
  const addOrganization = async (parent: Member, subOrganizationName: string): Promise<Member> => {
    const { apiKey, member } = newMember(parent);
    const { subOrganizationId } = await api(parent, 'create_sub_organization', {
      subOrganizationName,
      rootUsers: [userWith('owner', apiKey)],
      rootQuorumThreshold: 1,
    });
    return { ...member, organizationId: subOrganizationId };
  };
  /** Stores a profile of a member, at another address if given. */
  const login = async ({ file, baseUrl, organizationId }: Member, name: string, url = baseUrl) => {
    const at = `--url ${url} --organization ${organizationId}`;
    const { code, err } = await run(`login --with ${file} --profile ${name} ${at}`);
    assert.equal(code, 0, err);
  };
  return {
    run,
    json,
    runReviewed: reviewedRun({ run, json }),
    api,
    flags,
    addUser,
    addOrganization,
    login,
    folder: service.dataDirectory,
    source: rootOf(other.dataDirectory),
    target: rootOf(service.dataDirectory),
  };
}

type Commands = Pick<Awaited<ReturnType<typeof commandsOfThisFile>>, 'run' | 'json'>;

/** Runs a migration by its current plan. */
export const reviewedRun =
  ({ run, json }: Commands) =>
  async (words: string) => {
    const { sourceDigest } = await json(`migrate plan ${words}`);
    return await run(`migrate run ${words} --reviewed ${sourceDigest}`);
  };

/** Rows of a plan by kind and name. */
export const rowsByName = ({ rows }: { rows: readonly Record<string, string>[] }) =>
  Object.fromEntries(rows.map((row) => [`${row['kind']} ${row['name']}`, row]));

/** Accounts at unusual paths, on each curve. */
export const oddAccounts = [
  account('CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'),
  account('CURVE_SECP256K1', "m/44'/60'/7'/1/2147483647", 'ADDRESS_FORMAT_ETHEREUM'),
  account('CURVE_SECP256K1', 'm/0', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'),
  account('CURVE_ED25519', "m/44'/501'/3'/0'/9'", 'ADDRESS_FORMAT_SOLANA'),
  account('CURVE_P256', "m/12381'/0/5", 'ADDRESS_FORMAT_COMPRESSED'),
];

function account(curve: string, path: string, addressFormat: string) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat };
}

/** Address formats of a private key on each curve. */
export const keyKinds = {
  CURVE_SECP256K1: ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_TRON'],
  CURVE_ED25519: ['ADDRESS_FORMAT_SOLANA'],
  CURVE_P256: ['ADDRESS_FORMAT_COMPRESSED'],
} as const;
