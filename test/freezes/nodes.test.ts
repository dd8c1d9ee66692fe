// Two nodes over one store: a freeze of the organization or of its parent, and answers that were prepared
// before it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { changeOf } from '../../src/store/addition.ts';
import { activityBody } from '../enclave/service_over.ts';
import { lift, makeFreeze, makeKeys } from '../operations/freezes/freeze_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import { startSecondNode } from '../operations/second_node.ts';
import { exported, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { type Sender, stampOf, startTestService } from '../support/harness.ts';

type Node = Awaited<ReturnType<typeof startSecondNode>>;

/** Starts a service with a second node, and a key of the organization that sends. */
async function startNodes(isChild: boolean) {
  const service = await startTestService();
  const second = await startSecondNode(service);
  const root = { organizationId: service.root.organizationId, key: service.root.key };
  const as: Required<Sender> = isChild ? await addChild(service) : root;
  const [signWith] = await makeKeys(service, 1, as);
  const requestOf = (payload: string) => {
    service.advance(1);
    const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
    const parameters = { signWith, payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' };
    const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
    const body = activityBody(type, as.organizationId, parameters, service.now());
    return {
      requestId: payload,
      kind: 'submit' as const,
      operation: 'sign_raw_payload',
      headers: [stampOf(body, as.key)],
      body,
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
    };
  };
  /** Prepares an answer. Afterwards the node has both organizations in memory. */
  const prepared = async (node: Node, payload: string) => {
    const request = requestOf(payload);
    await node.request(requestOf(`${payload}, before`));
    const { addition } = await node.prepare(request);
    assert(addition !== undefined, 'the node prepares the signature');
    return { request, commit: () => service.store.port.commit(changeOf(addition)) };
  };
  return { service, second, as, signWith, requestOf, prepared };
}

const codeOf = ({ errorCode }: { readonly errorCode: string | undefined }) => errorCode;

for (const isChild of [false, true]) {
  const whose = isChild ? 'a sub-organization' : 'an organization';
  const types = isChild
    ? ['ORGANIZATION', 'PRIVATE_KEY', 'SUB_ORGANIZATION', 'DEPLOYMENT']
    : ['ORGANIZATION', 'PRIVATE_KEY', 'USER', 'DEPLOYMENT'];
  describe(`a signature of ${whose} that another node prepared`, () => {
    for (const type of types) {
      test(`is not committed after a freeze of the type ${type}, and is refused`, async (t) => {
        const { service, second, as, signWith, requestOf, prepared } = await startNodes(isChild);
        t.after(() => service.close());
        const nodes = [service.enclave, second];
        const underWay = await Promise.all(nodes.map((node, i) => prepared(node, `${i}`)));
        const isOfParent = ['SUB_ORGANIZATION', 'DEPLOYMENT'].includes(type);
        const ids: Readonly<Record<string, string>> = {
          PRIVATE_KEY: signWith,
          SUB_ORGANIZATION: as.organizationId,
        };
        // The root user of the first organization would freeze itself.
        const user = type === 'USER' ? service.root.userId : undefined;
        const freezer = isOfParent ? {} : as;
        const freezeId = await makeFreeze(service, type, user ?? ids[type], freezer);
        for (const [i, { request, commit }] of underWay.entries()) {
          assert.equal(await commit(), 'conflict');
          const answer = await (nodes[i] ?? assert.fail()).request(request);
          assert.equal(codeOf(answer), 'frozen', textOfUtf8(answer.body) ?? '');
        }
        // The other node prepares nothing from its outdated memory that could be committed.
        const late = requestOf('late');
        const { addition, answer } = await second.prepare(late);
        assert(addition === undefined);
        assert.equal(codeOf(answer), 'frozen');
        await lift(service, freezeId, freezer);
        for (const { request } of underWay) {
          const done = await second.request(request);
          assert.equal(codeOf(done), undefined, textOfUtf8(done.body) ?? '');
        }
      });
    }
  });
}

test('a freeze that the other node committed stops exports, by two organizations', async (t) => {
  for (const isChild of [false, true]) {
    const { service, second, as, signWith, requestOf } = await startNodes(isChild);
    t.after(() => service.close());
    await exported(service, 'private_key', { privateKeyId: signWith }, as);
    await second.request(requestOf('known'));
    await makeFreeze(service, 'DEPLOYMENT');
    service.advance(1);
    const type = 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY';
    const parameters = { privateKeyId: signWith, targetPublicKey };
    const body = activityBody(type, as.organizationId, parameters, service.now());
    const answer = await second.request({
      ...requestOf('export'),
      operation: 'export_private_key',
      headers: [stampOf(body, as.key)],
      body,
    });
    assert.equal(codeOf(answer), 'frozen', textOfUtf8(answer.body) ?? '');
  }
});
