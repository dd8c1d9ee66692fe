// The loads that compare versions. Each prepares its requests in advance.

import { createHash } from 'node:crypto';
import {
  batchRequests,
  ethereumAccount,
  newSigner,
  type Signer,
  signRequests,
  stamper,
  transferRequests,
} from './client.ts';
import { make } from './compare.ts';
import { load } from './load.ts';

/** A service under load: its port, and the signer and address of its first organization. */
export type Target = { readonly port: number; readonly signer: Signer; readonly address: string };

export type Row = {
  readonly connections: number;
  /** The number of requests in a round of the usual length. */
  readonly requests: number;
  /** Each request is one signature of a raw payload. */
  readonly isSigning?: true;
  /** The number of signatures, or other operations, in one request. */
  readonly operations: number;
  /** Prepares a target; returns the function that creates the requests of one round. */
  readonly prepare: (target: Target) => Promise<(count: number) => Promise<readonly Buffer[]>>;
};

const single =
  (requests: (signer: Signer, address: string) => () => Buffer): Row['prepare'] =>
  async ({ signer, address }) => {
    const request = requests(signer, address);
    return async (count) => make(count, request);
  };

const signing = (connections: number, requests: number): Row => ({
  connections,
  requests,
  isSigning: true,
  operations: 1,
  prepare: single(signRequests),
});

export const rows: Readonly<Record<string, Row>> = {
  '1': signing(1, 600),
  '8': signing(8, 2_000),
  '32': signing(32, 3_000),
  '128': signing(128, 3_000),
  batches: {
    connections: 8,
    requests: 40,
    operations: 100,
    prepare: single((signer, address) => batchRequests(signer, address, 100)),
  },
  queries: {
    connections: 32,
    requests: 4_000,
    operations: 1,
    prepare: single((signer) => {
      const stamp = stamper(signer);
      return () => stamp.query('whoami', {});
    }),
  },
  transactions: {
    connections: 32,
    requests: 2_000,
    operations: 1,
    prepare: single(transferRequests),
  },
  // Few enough for the limit on waiting activities of one user.
  votes: { connections: 32, requests: 500, operations: 1, prepare: prepareVotes },
};

/**
 * Prepares an organization whose two root users must agree: one proposes in advance, the other approves.
 */
async function prepareVotes({ port, signer }: Target): ReturnType<Row['prepare']> {
  const { organizationId, address, members } = await organizationOfTwo(port, signer);
  const [first, second] = members.map((member) => ({ ...member, organizationId }));
  if (first === undefined || second === undefined) throw new Error('two root users');
  const propose = signRequests(first, address);
  const { submit } = stamper(second);
  return async (count) => {
    const proposals = make(count, propose);
    const { refused } = await load(port, 32, proposals);
    if (refused.size > 0) throw new Error(`refused: ${JSON.stringify([...refused])}`);
    return proposals.map((proposal) =>
      submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
        fingerprint: `sha256:${createHash('sha256').update(bodyOf(proposal)).digest('hex')}`,
      }),
    );
  };
}

async function organizationOfTwo(port: number, signer: Signer) {
  const members = [newSigner(''), newSigner('')];
  const request = stamper(signer).submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: 'Two',
      rootQuorumThreshold: 2,
      rootUsers: members.map(({ publicKeyHex }, i) => ({
        userName: `Root ${i}`,
        apiKeys: [{ apiKeyName: 'Key', publicKey: publicKeyHex, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
      })),
      wallet: { walletName: 'Wallet', accounts: [ethereumAccount] },
    },
  );
  const { activity } = (await answerTo(port, request)) as {
    activity: {
      result: {
        createSubOrganizationResultV8: {
          subOrganizationId: string;
          wallet: { addresses: string[] };
        };
      };
    };
  };
  const { subOrganizationId, wallet } = activity.result.createSubOrganizationResultV8;
  const [address] = wallet.addresses;
  if (address === undefined) throw new Error('no address');
  return { organizationId: subOrganizationId, address, members };
}

async function answerTo(port: number, request: Buffer): Promise<unknown> {
  const text = request.toString('latin1');
  const [, path = ''] = /^POST (\S+)/.exec(text) ?? [];
  const [, header = ''] = /X-Stamp: (\S+)/.exec(text) ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'X-Stamp': header },
    body: bodyOf(request),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`);
  return JSON.parse(body);
}

const bodyOf = (request: Buffer): Buffer<ArrayBuffer> =>
  Buffer.from(request.subarray(request.indexOf('\r\n\r\n') + 4));
