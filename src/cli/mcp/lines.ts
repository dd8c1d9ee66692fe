// The transport over standard input and output: one message per line.

import type { RpcServer } from '../service/json_rpc.ts';

const maximumLineBytes = 1024 * 1024;
/** Maximum concurrent calls. The server reads the next line when a call ends. */
const maximumCalls = 8;

/**
 * Answers the messages of a stream until it ends, several at a time. Rejects for a line over 1 MiB and for
 * internal errors.
 */
export async function serveLines(
  input: AsyncIterable<Uint8Array>,
  write: (text: string) => void,
  server: RpcServer,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failed: { readonly error: unknown } | undefined;
  const serve = async (line: string): Promise<void> => {
    const answer = await server.answer(line);
    if (answer !== undefined) write(`${answer}\n`);
  };
  for await (const line of linesOf(input)) {
    const call: Promise<void> = serve(line)
      .catch((error) => {
        failed ??= { error };
      })
      .finally(() => running.delete(call));
    running.add(call);
    if (running.size >= maximumCalls) await Promise.race(running);
    if (failed !== undefined) break;
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed.error;
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of input) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, end).toString().trim();
      if (line !== '') yield line;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maximumLineBytes) {
      throw new Error(`a message has more than ${maximumLineBytes} bytes`);
    }
  }
}

const newline = 0x0a;
