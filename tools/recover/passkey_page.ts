// Serves the page for passkeys at `http://localhost:PORT`, because passkeys of key holders belong to that
// name. Browsers allow passkeys neither for a file nor for a numeric address.

import { createECDH, randomInt, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { openFromPage } from './passkey_secret.ts';

/** The compiled program of the page, which the build inserts. */
declare const passkeyProgram: string;

export type PasskeyTask = {
  /** Distinguishes the tasks of one run. */
  readonly number: number;
  readonly purpose: string;
  /** Creates a new passkey first. */
  readonly create: boolean;
  /** The page offers to continue without a passkey. */
  readonly skippable: boolean;
  /** The accepted passkeys in base64url, each with its input of the PRF in base64. */
  readonly passkeys: readonly { readonly id: string; readonly salt: string }[];
  /** Input of the PRF for any passkey of `localhost`, as text. */
  readonly salt?: string | undefined;
};

export type PasskeySecret = { readonly id: string; readonly secret: Uint8Array };

export type PasskeyPage = {
  /** Asks for a passkey. Returns undefined if the user skips it. */
  ask(task: Omit<PasskeyTask, 'number'>): Promise<PasskeySecret | undefined>;
  /** Ends the work of the page. */
  stop(): Promise<void>;
};

/** Digits and letters that are not read as each other. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 50 bits, so that wrong codes need no limit. */
const codeCharacters = 10;
const maximumBodyBytes = 16 * 1024;
const maximumConnections = 32;
const requestTimeoutMs = 10_000;
const waitMs = 600_000;
/** Time for the last answer. */
const stopMs = 1_000;
/** The machine has no IPv6, so no program can listen at ::1. */
const withoutIpv6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Serves the page on a free port. `show` receives its address and the code that the page requires. */
export async function servePasskeyPage(
  show: (url: string, code: string) => void,
): Promise<PasskeyPage> {
  const code = Array.from({ length: codeCharacters }, () => codeAlphabet[randomInt(32)]).join('');
  const key = createECDH('prime256v1');
  key.generateKeys();
  const tasks = createTasks((body) => openFromPage(body, key));
  let origin = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (`http://${request.headers.host}` !== origin) throw new Refusal(421, 'Wrong host.');
    const file = files[request.url ?? ''];
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, { ...headers, 'content-type': file.type }).end(file.text());
      return;
    }
    if (request.method !== 'POST') throw new Refusal(404, 'No such page.');
    if (request.headers.origin !== origin) throw new Refusal(403, 'Wrong origin.');
    const body = await bodyOf(request);
    if (!equal(body['code'], code)) {
      throw new Refusal(403, 'The code is wrong. Type the code that the terminal shows.');
    }
    if (request.url === '/result') tasks.finish(body);
    else if (request.url !== '/task') throw new Refusal(404, 'No such page.');
    // The answer to a result brings the next task, or the end before the process ends.
    const next = { task: await tasks.next(), receiver: key.getPublicKey('base64url') };
    send(response, 200, next);
  }

  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 400;
      send(response, status, { message: error instanceof Error ? error.message : String(error) });
    });
  });
  server.maxConnections = maximumConnections;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  origin = `http://localhost:${port}`;
  // Browsers try ::1 first, where another user could otherwise listen on the same port.
  const beside = createTcpServer((socket) => server.emit('connection', socket));
  beside.listen({ host: '::1', port, exclusive: true });
  await once(beside, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (withoutIpv6.includes(error.code ?? '')) return;
    server.close();
    throw error;
  });
  show(`${origin}/`, code);
  return {
    ask: (task) => tasks.ask(task),
    stop: async () => {
      tasks.end();
      beside.close();
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), stopMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** The tasks of a run, one after the other. The page waits for the next one. */
function createTasks(open: (body: Body) => PasskeySecret) {
  let count = 0;
  let current: PasskeyTask | undefined;
  let isEnded = false;
  let resolve: (secret: PasskeySecret | undefined) => void = () => undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const each of waiting) each();
    waiting.clear();
  };
  return {
    ask: async (task: Omit<PasskeyTask, 'number'>): Promise<PasskeySecret | undefined> => {
      count += 1;
      current = { ...task, number: count };
      let timer: NodeJS.Timeout | undefined;
      const result = new Promise<PasskeySecret | undefined>((done, fail) => {
        resolve = done;
        const message = 'the page returned no result within ten minutes';
        timer = setTimeout(() => fail(new Error(message)), waitMs);
      });
      wake();
      return await result.finally(() => clearTimeout(timer));
    },
    next: async (): Promise<PasskeyTask | undefined> => {
      while (current === undefined && !isEnded) {
        await new Promise<void>((next) => waiting.add(next));
      }
      return current;
    },
    finish: (body: Body): void => {
      if (current === undefined || body['number'] !== current.number) {
        throw new Refusal(409, 'Another page has this task. Reload the page.');
      }
      if (body['skipped'] === true && !current.skippable) throw new Refusal(400, 'Not optional.');
      const secret = body['skipped'] === true ? undefined : open(body);
      current = undefined;
      resolve(secret);
    },
    end: (): void => {
      current = undefined;
      isEnded = true;
      wake();
    },
  };
}

type Body = Readonly<Record<string, unknown>>;

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > maximumBodyBytes) throw new Refusal(413, 'The body is too long.');
    parts.push(part);
  }
  const parsed: unknown = JSON.parse(Buffer.concat(parts).toString());
  return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
}

function equal(given: unknown, code: string): boolean {
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  return bytes.length === code.length && timingSafeEqual(bytes, Buffer.from(code));
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const type = 'application/json; charset=utf-8';
  // A kept connection would hold the process after the last task.
  response
    .writeHead(status, { ...headers, 'content-type': type, connection: 'close' })
    .end(JSON.stringify(body));
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Recovery · Keywright</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="/program.js"></script>
</head>
<body>
<main>
<h1>Recovery</h1>
<form id="enter">
<label for="code">Code in the terminal</label>
<input id="code" autocapitalize="characters" autocomplete="off" spellcheck="false" maxlength="16" required autofocus>
<button>Continue</button>
</form>
<div id="task" hidden>
<p id="purpose"></p>
<button id="use" type="button"></button>
<button id="skip" type="button">Continue without it</button>
</div>
<p id="status" role="status"></p>
</main>
</body>
</html>
`;

const style = `:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
input, button { display: block; box-sizing: border-box; width: 100%; margin: .5rem 0; padding: .75rem; font: inherit; }
[hidden] { display: none; }
`;

const files: Readonly<Record<string, { readonly type: string; readonly text: () => string }>> = {
  '/': { type: 'text/html; charset=utf-8', text: () => page },
  '/style.css': { type: 'text/css; charset=utf-8', text: () => style },
  '/program.js': { type: 'text/javascript; charset=utf-8', text: () => passkeyProgram },
};
