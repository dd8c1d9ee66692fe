// Sends requests with the headers of a browser, to detect servers that answer browsers differently from
// programs.

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** Maximum response body; every file of a build is smaller. */
const maximumFileBytes = 8 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * The client that a request imitates: a program, or a browser that loads a page, a script or a service
 * worker.
 */
export type AsWhom = 'program' | 'page' | 'script' | 'worker';

export type Fetched = {
  readonly status: number;
  /** All values of each header, by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The decoded content. */
  readonly bytes: Uint8Array;
};

const browser = {
  'sec-ch-ua': '"Chromium";v="156", "Not)A;Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-US,en;q=0.9',
};

const headersOf: Readonly<Record<AsWhom, Readonly<Record<string, string>>>> = {
  program: { accept: '*/*' },
  page: {
    ...browser,
    'upgrade-insecure-requests': '1',
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'sec-fetch-dest': 'document',
  },
  script: {
    ...browser,
    accept: '*/*',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'script',
  },
  worker: {
    ...browser,
    accept: '*/*',
    'service-worker': 'script',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'same-origin',
    'sec-fetch-dest': 'serviceworker',
  },
};

/**
 * Returns a function that sends requests over persistent connections, without following redirects, and a
 * function that closes them.
 */
export function fetcher(signal: AbortSignal) {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  return {
    fetched: async (url: URL, as: AsWhom): Promise<Fetched> => {
      const isSecure = url.protocol === 'https:';
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const options = { headers: headersOf[as], signal: ends };
      const sent = isSecure
        ? requestHttps(url, { ...options, agent: agents['https:'] })
        : requestHttp(url, { ...options, agent: agents['http:'] });
      const answered = Promise.withResolvers<IncomingMessage>();
      sent.once('response', answered.resolve).once('error', answered.reject).end();
      const answer = await answered.promise;
      const headers = valuesOf(answer.rawHeaders);
      const encoding = headers.get('content-encoding')?.join(', ') ?? 'identity';
      const bytes = await decoded(await contentOf(answer, url), encoding);
      return { status: answer.statusCode ?? 0, headers, bytes };
    },
    end: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function valuesOf(raw: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    values.set(name, [...(values.get(name) ?? []), raw[i + 1] ?? '']);
  }
  return values;
}

async function contentOf(answer: IncomingMessage, { pathname }: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > maximumFileBytes) throw new Error(`${pathname} has no end`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const bound = { maxOutputLength: maximumFileBytes };

async function decoded(bytes: Buffer, encoding: string): Promise<Uint8Array> {
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (encoding === 'br') return promisify(brotliDecompress)(bytes, bound);
  if (encoding === 'gzip') return promisify(gunzip)(bytes, bound);
  if (encoding === 'deflate') return promisify(inflate)(bytes, bound);
  throw new Error(`the encoding ${encoding} was not requested`);
}
