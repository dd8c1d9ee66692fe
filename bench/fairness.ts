// Measures how much other organizations and strangers delay the signatures of one organization: node
// bench/fairness.ts. A child of the first organization signs over one connection, alone and beside each of
// the heaviest requests in a loop. The table shows the latency of its signatures on the real service.
//
// FAIRNESS_SIGNATURES  signatures of one measurement (200)
// FAIRNESS_SERVICE     the top of another checkout, whose service is measured (this one)
// FAIRNESS_ACCOUNTS    accounts of a stranger's sign-up (20)

import { join } from 'node:path';
import { createWallet, newSigner, type Signer, signerOf, signRequests, stamper } from './client.ts';
import { httpRequest, load } from './load.ts';
import type * as ServiceModule from './service.ts';

const signatureCount = Number(process.env['FAIRNESS_SIGNATURES'] ?? 200);
const accountCount = Number(process.env['FAIRNESS_ACCOUNTS'] ?? 20);
const service: typeof ServiceModule = await import(
  join(process.env['FAIRNESS_SERVICE'] ?? join(import.meta.dirname, '..'), 'bench', 'service.ts')
);
const bullyConnections = 8;
/** More than any attacker gets answered during a measurement. */
const bullyRequests = 400;

const bench = await service.startService(service.newDataDirectory(), undefined, {
  KEYWRIGHT_AUTH_PROXY_RATE_LIMIT_SOURCE_PER_SECOND: '0',
  KEYWRIGHT_RATE_LIMIT_SOURCE_PER_SECOND: '0',
  KEYWRIGHT_RATE_LIMIT_ORGANIZATION_PER_SECOND: '0',
});
const root = signerOf(bench.credentials);

/** Sends a request that is not measured. Throws if the answer is not 200. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
async function asked(request: Buffer): Promise<any> {
  const text = request.toString('latin1');
  const [, path = ''] = /^POST (\S+)/.exec(text) ?? [];
  const [, header = ''] = /X-Stamp: (\S+)/.exec(text) ?? [];
  const answer = await fetch(`http://127.0.0.1:${bench.port}${path}`, {
    method: 'POST',
    headers: { 'X-Stamp': header },
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`);
  return JSON.parse(body);
}

const apiKeyOf = ({ publicKeyHex }: Signer) => ({
  apiKeyName: 'Key',
  publicKey: publicKeyHex,
  curveType: 'API_KEY_CURVE_P256',
});

/** Creates a child of the first organization whose only root user has a new key. */
async function newOrganization(name: string): Promise<Signer> {
  const signer = newSigner('');
  const { activity } = await asked(
    stamper(root).submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: name,
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: name, apiKeys: [apiKeyOf(signer)], authenticators: [], oauthProviders: [] },
      ],
    }),
  );
  const { subOrganizationId } = activity.result.createSubOrganizationResultV8;
  return { ...signer, organizationId: subOrganizationId };
}

/** Creates a user without rights of its own, so that policies decide. */
async function newUser(owner: Signer, userName: string): Promise<Signer> {
  const signer = newSigner(owner.organizationId);
  const user = { userName, apiKeys: [apiKeyOf(signer)], authenticators: [], oauthProviders: [] };
  const users = [{ ...user, userTags: [] }];
  await asked(stamper(owner).submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users }));
  return signer;
}

async function allow(owner: Signer, policyName: string, clauses: object): Promise<void> {
  const parameters = { policyName, effect: 'EFFECT_ALLOW', notes: '', ...clauses };
  await asked(stamper(owner).submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', parameters));
}

const taproot = (i: number, path: string) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `${path}/${i}`,
  addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
});

/** Returns typed data in whose numbers a policy searches for each of them. */
function typedData(signer: Signer, signWith: string, serial: number): Buffer {
  const payload = JSON.stringify({
    types: { Message: [{ name: 'values', type: 'uint256[]' }] },
    domain: { name: `Bench ${serial}` },
    primaryType: 'Message',
    message: { values: times(3_000, (i) => i) },
  });
  return stamper(signer).submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith,
    payload,
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
}

/** Creates policies with ten times the length of a typical clause. */
async function makeHeavyPolicies(owner: Signer, clauses: object): Promise<void> {
  const values = "eth.eip_712.message['values']";
  const condition = `${values}.all(x, ${values}.contains(x)) && activity.action == 'SIGN'`;
  for (let i = 0; i < 10; i += 1) await allow(owner, `Heavy ${i}`, { condition, ...clauses });
}

/** Attackers by name; each returns requests of maximum cost. */
const bullies: Readonly<Record<string, () => Promise<readonly Buffer[]>>> = {
  'strangers who sign up': async () =>
    times(bullyRequests, (n) => {
      const body = {
        userName: `Stranger ${n}`,
        apiKeys: [apiKeyOf(newSigner(''))],
        authenticators: [],
        oauthProviders: [],
        wallet: {
          walletName: 'Wallet',
          accounts: times(accountCount, (i) => taproot(i, "m/86'/0'/0'/0")),
        },
      };
      const headers = [`X-Auth-Proxy-Config-Id: ${bench.credentials.authProxyConfigId}`];
      return httpRequest('/v1/signup_v2', headers, Buffer.from(JSON.stringify(body)));
    }),
  'wallets of 100 accounts': async () => {
    const stamp = stamper(await newOrganization('Wallets'));
    return times(90, (n) =>
      stamp.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
        walletName: `Wallet ${n}`,
        accounts: times(100, (i) => taproot(i, "m/86'/0'/0'/0")),
      }),
    );
  },
  'batches of 250 signatures': async () => {
    const owner = await newOrganization('Batches');
    const signWith = await createWallet(bench.port, owner);
    const stamp = stamper(owner);
    return times(bullyRequests, (n) =>
      stamp.submit('sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
        signWith,
        payloads: times(250, (i) => (n * 250 + i).toString(16).padStart(64, '0')),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      }),
    );
  },
  'heavy policies over typed data': async () => {
    const owner = await newOrganization('Heavy');
    const signWith = await createWallet(bench.port, owner);
    const user = await newUser(owner, 'User');
    await makeHeavyPolicies(owner, {});
    await allow(owner, 'All', {});
    return times(bullyRequests, (n) => typedData(user, signWith, n));
  },
  'pages of 100 waiting activities': async () => {
    const owner = await newOrganization('Waiting');
    const signWith = await createWallet(bench.port, owner);
    const [user, reader] = [await newUser(owner, 'User'), await newUser(owner, 'Reader')];
    await makeHeavyPolicies(owner, { consensus: 'approvers.count() >= 2' });
    await allow(owner, 'All', { consensus: 'approvers.count() >= 2' });
    for (let n = 0; n < 100; n += 1) await asked(typedData(user, signWith, n));
    const stamp = stamper(reader);
    return times(bullyRequests, () =>
      stamp.query('list_activities', { paginationOptions: { limit: '100' } }),
    );
  },
};

try {
  const other = await newOrganization('Other');
  const address = await createWallet(bench.port, other);
  const sign = signRequests(other, address);
  await load(bench.port, 8, times(3_000, sign));
  print(
    'beside                                            p50 ms    p99 ms    the others per second',
  );
  await measure('nobody', []);
  for (const [name, prepare] of Object.entries(bullies)) {
    const requests = await prepare();
    // A warm-up, so that the first compilation of code is not measured.
    await load(bench.port, 1, requests.slice(0, 2));
    await measure(name, requests.slice(2));
  }

  async function measure(name: string, requests: readonly Buffer[]): Promise<void> {
    let isOver = false;
    const bully = load(bench.port, bullyConnections, requests, () => isOver);
    const signed = await load(bench.port, 1, times(signatureCount, sign));
    isOver = true;
    const { perSecond, refused } = await bully;
    if (signed.refused.size > 0) throw new Error(`refused: ${JSON.stringify([...signed.refused])}`);
    const refusals = refused.size > 0 ? `, refused: ${JSON.stringify([...refused])}` : '';
    const rate = requests.length === 0 ? '' : perSecond.toFixed(0) + refusals;
    print(`${name.padEnd(46)} ${column(signed.p50Ms)} ${column(signed.p99Ms)}    ${rate}`);
  }
} finally {
  await bench.stop();
}

function column(ms: number): string {
  return ms.toFixed(2).padStart(9);
}

function times<Item>(count: number, make: (i: number) => Item): Item[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
