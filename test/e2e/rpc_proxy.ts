// A proxy in front of a chain node on loopback, with faults.

import { startLoopbackServer } from '../support/loopback_server.ts';

/** Outcome of a result; `gone`: there is no answer. */
export type Worsening = ((method: string, result: unknown) => unknown) | 'gone' | undefined;

type Answer = { readonly id: number; readonly result?: unknown };

export async function startRpcProxy(url: string) {
  let worsening: Worsening;
  let swallowed: readonly string[] = [];
  let requests = 0;
  const { origin, stop } = await startLoopbackServer(async (request, response) => {
    requests += 1;
    const body = Buffer.concat(await request.toArray());
    if (worsening === 'gone') return request.socket.destroy();
    const headers = { 'content-type': 'application/json' };
    const calls: { id: number; method: string }[] = [JSON.parse(body.toString())].flat();
    if (calls.some(({ method }) => swallowed.includes(method))) return request.socket.destroy();
    const answered = await fetch(url, { method: 'POST', headers, body })
      .then((answer) => answer.json())
      .catch(() => undefined);
    // The node stops before this proxy, which then drops connections like a broken line.
    if (answered === undefined) return request.socket.destroy();
    const worse = (answer: Answer) => {
      const method = calls.find(({ id }) => id === answer.id)?.method ?? '';
      const { result } = answer;
      return typeof worsening === 'function'
        ? { ...answer, result: worsening(method, result) }
        : answer;
    };
    const all = answered as Answer | Answer[];
    response.end(JSON.stringify(Array.isArray(all) ? all.map(worse) : worse(all)));
  });
  return {
    url: origin,
    requests: () => requests,
    /** Drops calls of these methods. */
    swallow: (...methods: readonly string[]) => {
      swallowed = methods;
    },
    is: (next: Worsening) => {
      worsening = next;
    },
    stop,
  };
}
