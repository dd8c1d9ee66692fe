// A real browser for end-to-end tests: headless Chromium with a virtual authenticator, on pages that the test
// serves from http://localhost.
//
// A page runs a program, a module in `pages/`, bundled with the unmodified packages that it imports. The test
// calls the exported functions by name:
//
//   const { openPage, servePage } = await browserOfThisFile();
//   const site = await servePage('passkeys.ts');
//   const page = await openPage<typeof import('./pages/passkeys.ts')>(site);
//   await page.call('whoami', { baseUrl, organizationId });
//
// Arguments and results are JSON. An error of the page is thrown in the test, with its name, code and
// details.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

/** Pages of one origin with the same program. */
export type Site = { readonly origin: string };

type Program = Readonly<Record<string, unknown>>;
type Arguments<Value> = Value extends (...values: infer A) => unknown ? A : never;
type Result<Value> = Value extends (...values: never[]) => infer R ? Awaited<R> : never;

/** A page with its own authenticator. Its passkeys stay when the page opens another site. */
export type TestPage<P> = {
  /** Calls an exported function of the program, and throws its errors. */
  call<Name extends keyof P & string>(
    name: Name,
    ...values: Arguments<P[Name]>
  ): Promise<Result<P[Name]>>;
  /** Returns the shown text of an element in the only frame of the page; waits until it is not empty. */
  shownInFrame(selector: string): Promise<string>;
  /** Types a text into an element in the only frame of the page, in place of its text. */
  typeInFrame(selector: string, text: string): Promise<void>;
  /** Returns a property of the computed style of an element in the frame. */
  styleInFrame(selector: string, property: string): Promise<string>;
  /** Returns the address of the only frame of the page, or that of the error in its place. */
  frameUrl(): string;
  /** Opens the page of another site, or reloads its own. The storage of the browser stays. */
  goTo(site: Site): Promise<void>;
  /** Returns the passkeys of its authenticator. */
  passkeys(): Promise<readonly Passkey[]>;
  /** Deletes the passkeys, as on a new device. */
  forgetPasskeys(): Promise<void>;
};

export type AuthenticatorKind = {
  /** True for a security key without user verification and without resident passkeys. */
  readonly isSimpleKey?: boolean;
};

export type Passkey = { readonly credentialId: string; readonly rpId?: string };

/** The headless shell comes first, because it takes a third less processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell';

export const chromiumPath =
  process.env['CHROMIUM'] ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');

/** The reason why no browser can start on this machine, as a sentence; undefined if one can. */
export const missingBrowser: string | undefined = existsSync(chromiumPath)
  ? undefined
  : `needs Chromium, and there is none at ${chromiumPath}: install it (on Debian: apt-get install chromium-headless-shell), or name its path in the variable CHROMIUM`;

const timeoutMs = 60_000;

/** Starts a browser for the tests of one file. It closes with its sites after the last test. */
export async function browserOfThisFile() {
  const browser = missingBrowser === undefined ? await launchBrowser() : undefined;
  const servers: Server[] = [];
  after(async () => {
    await browser?.close();
    for (const server of servers) server.close();
  });
  return {
    /** Serves a page with a program of `pages/` from its own origin. */
    servePage: async (program: string): Promise<Site> => {
      const server = await serve(await bundle(join(import.meta.dirname, 'pages', program)));
      servers.push(server);
      // A server on a port has an address of this form.
      const { port } = server.address() as AddressInfo;
      return { origin: `http://localhost:${port}` };
    },
    openPage: <P = Program>(site: Site, authenticator: AuthenticatorKind = {}) => {
      assert(browser !== undefined, 'a browser was started');
      return openPage<P>(browser, site, authenticator);
    },
  };
}

/** Starts a browser. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    // Chromium has no sandbox for root, the user of containers.
    args: ['--no-sandbox'],
    timeout: timeoutMs,
  });
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/program.js';
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return server;
}

const page = '<!doctype html><title>Test</title><script src="/program.js"></script>';

async function bundle(path: string): Promise<string> {
  // Tests of the dashboard start a browser without such a page.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const [file] = outputFiles;
  assert(file !== undefined, 'a program is one file');
  return file.text;
}

async function openPage<P>(
  browser: Browser,
  site: Site,
  kind: AuthenticatorKind,
): Promise<TestPage<P>> {
  const context = await browser.newContext();
  const opened = await context.newPage();
  opened.setDefaultTimeout(timeoutMs);
  const uncaught: Error[] = [];
  opened.on('pageerror', (error) => uncaught.push(error));
  const session = await context.newCDPSession(opened);
  const authenticatorId = await addAuthenticator(session, kind);
  const goTo = async ({ origin }: Site) => {
    await opened.goto(origin);
    assert.deepEqual(uncaught, [], 'the program starts');
  };
  await goTo(site);
  return {
    call: async (name, ...values) => (await callIn(opened, name, values)) as Result<P[typeof name]>,
    shownInFrame: async (selector) => {
      const shown = opened.frameLocator('iframe').locator(`${selector}:not(:empty)`);
      return await shown.innerText();
    },
    typeInFrame: (selector, text) => opened.frameLocator('iframe').locator(selector).fill(text),
    styleInFrame: (selector, property) =>
      opened
        .frameLocator('iframe')
        .locator(selector)
        .evaluate((found, name) => getComputedStyle(found).getPropertyValue(name), property),
    frameUrl: () => opened.frames().at(-1)?.url() ?? '',
    goTo,
    passkeys: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.map(({ credentialId, rpId }) => ({
        credentialId: Buffer.from(credentialId, 'base64').toString('base64url'),
        ...(rpId === undefined ? {} : { rpId }),
      }));
    },
    forgetPasskeys: async () => {
      await session.send('WebAuthn.clearCredentials', { authenticatorId });
    },
  };
}

/** Adds an authenticator, which confirms every prompt. Default: a platform authenticator. */
async function addAuthenticator(
  session: CDPSession,
  { isSimpleKey = false }: AuthenticatorKind,
): Promise<string> {
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: isSimpleKey ? 'usb' : 'internal',
      hasResidentKey: !isSimpleKey,
      hasUserVerification: !isSimpleKey,
      isUserVerified: !isSimpleKey,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

type Outcome =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string } };

async function callIn(opened: Page, name: string, values: readonly unknown[]): Promise<unknown> {
  // This function runs in the page, so it cannot use this file.
  const inPage = async ([called, given]: readonly [string, readonly unknown[]]) => {
    try {
      const { program } = globalThis as unknown as {
        program: Record<string, (...values: readonly unknown[]) => unknown>;
      };
      return { value: await program[called]?.(...given) };
    } catch (error) {
      if (!(error instanceof Error)) return { error: { name: 'Error', message: String(error) } };
      // Spreading copies additional members of the error, such as a code.
      const { name, message } = error;
      return { error: JSON.parse(JSON.stringify({ ...error, name, message })) };
    }
  };
  const outcome: Outcome = await opened.evaluate(inPage, [name, values] as const);
  if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
  return outcome.value;
}
