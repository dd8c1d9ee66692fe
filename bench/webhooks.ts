// Starts a webhook receiver on loopback, and subscribes it to the activities of an organization.

import { startLoopbackServer } from '../test/support/loopback_server.ts';
import { type Signer, stamper } from './client.ts';

/** Starts a receiver on loopback that answers 200 and counts requests. */
export async function startReceiver() {
  let count = 0;
  const { origin, stop } = await startLoopbackServer((request, response) => {
    count += 1;
    request.resume();
    request.once('end', () => response.end());
  });
  return {
    url: `${origin}/`,
    count: () => count,
    close: stop,
  };
}

/** Subscribes a receiver to the activities of the signer's organization. */
export async function subscribe(port: number, signer: Signer, url: string): Promise<void> {
  await submitOnce(port, signer, 'create_webhook_endpoint', {
    url,
    name: 'bench',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
}

async function submitOnce(
  port: number,
  signer: Signer,
  operation: string,
  parameters: object,
): Promise<void> {
  const type = `ACTIVITY_TYPE_${operation.toUpperCase()}`;
  const text = stamper(signer).submit(operation, type, parameters).toString('latin1');
  const [, header = ''] = /X-Stamp: (\S+)/.exec(text) ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}/public/v1/submit/${operation}`, {
    method: 'POST',
    headers: { 'X-Stamp': header },
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  });
  if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`);
}
