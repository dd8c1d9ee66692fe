// A Tron node with one block, which accepts all transactions of TronWeb.

import { startLoopbackServer } from '../support/loopback_server.ts';

/** The origin of the node, the broadcast transactions in hex, and its stop. */
export async function startTronNode() {
  const broadcast: string[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const answer = answerTo(request.url ?? '', Buffer.concat(parts).toString(), broadcast);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  return { ...server, broadcast };
}

const block = {
  blockID: '000000000345a1b2aa9485967dc7a64f00112233445566778899aabbccddeeff',
  block_header: { raw_data: { number: 0x345a1b2, timestamp: 1_900_000_000_000 } },
};

function answerTo(path: string, body: string, broadcast: string[]): object | undefined {
  if (path === '/wallet/getblock') return block;
  if (path !== '/wallet/broadcasthex') return undefined;
  const { transaction }: { transaction: string } = JSON.parse(body);
  broadcast.push(transaction);
  return { result: true, code: 'SUCCESS', message: '', transaction: '{}' };
}
