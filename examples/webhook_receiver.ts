// A receiver of webhooks that answers first, verifies before it parses, and processes each event once. Run it
// against a running service: `node examples/webhook_receiver.ts`. KEYWRIGHT_URL names another address than
// port 8080, and KEYWRIGHT_ORGANIZATION_ID limits the events to one organization.

import { createServer } from 'node:http';
import { Untrusted } from '../src/client/index.ts';
import { verifyWebhook, webhookKeys } from '../src/client/webhooks.ts';

/**
 * All organizations of a service share its keys. Without this check, any of them could send events here.
 */
const own = process.env['KEYWRIGHT_ORGANIZATION_ID'];
const keys = webhookKeys(process.env['KEYWRIGHT_URL'] ?? 'http://localhost:8080');
/** Store this in your database, together with the effect of each event. */
const taken = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const delivery = { headers: request.headers, body: Buffer.concat(chunks) };
    const { eventId, event } = await verifyWebhook(delivery, keys, {
      accepts: (organizationId) => own === undefined || organizationId === own,
    });
    const isNew = !taken.has(eventId);
    taken.add(eventId);
    response.writeHead(200).end();
    if (isNew) process.stdout.write(`${event['type']} ${event['status']}\n`);
  } catch (error) {
    // The service gives up a delivery that is refused with 403, and repeats it after any other status.
    const status = error instanceof Untrusted ? 403 : 500;
    response.writeHead(status).end();
    process.stderr.write(`refused: ${error instanceof Error ? error.message : error}\n`);
  }
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`listening at ${JSON.stringify(server.address())}\n`);
});
