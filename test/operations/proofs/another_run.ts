// A second enclave on the database of a test service: another node, or a restart.

import { askOver, stampOf, type TestKey, type TestService } from '../../support/harness.ts';
import { startSecondNode } from '../second_node.ts';
import { walletBody } from './proof_requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
type Shown = any;

/** Starts another enclave on the same database. */
export async function startAnother(service: TestService, name: string) {
  const enclave = await startSecondNode(service, name);
  const ask = askOver(enclave, service.store.port);
  const send = async (
    kind: 'submit' | 'query',
    operation: string,
    body: Uint8Array,
    key: TestKey = service.root.key,
  ): Promise<Shown> => {
    const headers = [stampOf(body, key)];
    const { body: answer } = await ask({
      requestId: 'r',
      kind,
      operation,
      headers,
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
      body,
    });
    return JSON.parse(new TextDecoder().decode(answer));
  };
  const makeWallet = async (walletName: string) => {
    const body = walletBody(service, walletName, { generateAppProofs: true });
    return (await send('submit', 'create_wallet', body)).activity;
  };
  return { send, makeWallet };
}
