// A server between a command and its service that can withhold or change answers.

import { after } from 'node:test';
import { startLoopbackServer } from '../support/loopback_server.ts';

type Answer = { readonly status: number; readonly text: string };

/**
 * Returns the answer to a request of the command to the operation `name`; `ask` forwards it to the service.
 * A held request gets no answer, and a cut one loses its connection.
 */
export type Forward = (
  name: string,
  ask: () => Promise<Answer>,
) => Promise<Answer | 'held' | 'cut'>;

/** Starts a server in front of the service at `baseUrl` for the tests of one file. Returns its address. */
export async function startForwardingServer(baseUrl: string, forward: Forward): Promise<string> {
  const server = await startLoopbackServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const { url = '', method = 'GET', headers } = request;
    const answer = await forward(url.split('/').at(-1) ?? '', async () => {
      const answer = await fetch(`${baseUrl}${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' ? { body } : {}),
      });
      return { status: answer.status, text: await answer.text() };
    });
    if (answer === 'held') return;
    if (answer === 'cut') response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  });
  after(() => server.stop());
  return server.origin;
}
