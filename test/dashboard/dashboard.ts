// Drives the dashboard like a user: `keywright dev`, headless Chromium and a virtual authenticator. Tests
// find elements by role and name. Every page is checked for errors and policy violations.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchBrowser, missingBrowser } from '../e2e/browser/browser.ts';
import { type DevService, startDevWith } from '../e2e/dev_service.ts';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { dashboardBuild } from './build.ts';

const axe = readFileSync(
  join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'),
  'utf8',
);
/** The folder for pictures of every screen. Default: no pictures. */
export const pictures = process.env['DASHBOARD_PICTURES'] || undefined;
/** Width of the narrowest supported page, in pixels. */
export const narrow = 320;
/** Width of a phone, in pixels. Pictures use it instead of the narrowest width. */
export const phoneWidth = 390;
/** Longer than any action takes on a busy machine. */
const timeoutMs = 60_000;

export const { test, before, beforeEach, afterEach } = testsThatNeed(missingBrowser);

export type Opening = {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** True for pages whose errors the test causes on purpose. */
  readonly isHostile?: boolean;
  /** Relative to `/dashboard/`. Default: the start page. */
  readonly path?: string;
};

export type Dashboard = {
  readonly service: () => DevService;
  /** The origin of the page. */
  readonly origin: () => string;
  /**
   * Opens a page in a new browser profile with its own authenticator. Within a test, the page closes at its
   * end.
   */
  readonly open: (opening?: Opening) => Promise<Page>;
  /** Like `open`, and signs in as this person. */
  readonly openAs: (name: string, opening?: Opening) => Promise<Page>;
  /**
   * Returns a page that the tests of a file share, signed in as this person. Each call loads the overview, or
   * the given path. Only for tests that leave nothing in the browser profile.
   */
  readonly shared: (name: string, path?: string) => Promise<Page>;
};

/**
 * Starts a service with the demo and a browser for the tests of one file. Both end with the tests. The
 * service gets `variables` as additional environment variables.
 */
export async function dashboardOfThisFile(
  variables: Readonly<Record<string, string>> = {},
): Promise<Dashboard> {
  let service: DevService | undefined;
  let browser: Browser | undefined;
  if (missingBrowser === undefined) {
    const build = await dashboardBuild();
    const folder = temporaryDirectory();
    [service, browser] = await Promise.all([
      startDevWith(variables, folder, '--dashboard-dir', build),
      launchBrowser(),
    ]);
  }
  const wrong: string[] = [];
  after(async () => {
    await closeAll(browser?.contexts() ?? []);
    await browser?.close();
    assert.deepEqual(wrong, [], 'no errors, no violations, no foreign requests');
  });
  // An open page fetches its lists again after each activity, so pages close with the test that opened them.
  let isInTest = false;
  const ofThisTest: BrowserContext[] = [];
  beforeEach(() => {
    isInTest = true;
  });
  afterEach(async () => {
    isInTest = false;
    await closeAll(ofThisTest.splice(0));
  });
  const running = () => service ?? assert.fail('the service was started');
  const origin = () => running().baseUrl.replace('127.0.0.1', 'localhost');
  const open = async (opening: Opening = {}): Promise<Page> => {
    const { width = 1280, theme = 'light', path, isHostile = false } = opening;
    assert(browser !== undefined, 'a browser was started');
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    if (isInTest) ofThisTest.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    await watch(page, origin(), isHostile ? [] : wrong);
    await addAuthenticator(context, page);
    await page.goto(`${origin()}/${path === undefined ? '' : `dashboard/${path}`}`);
    return page;
  };
  const openAs = async (name: string, opening?: Opening): Promise<Page> => {
    const page = await open(opening);
    await signInAs(page, name);
    return page;
  };
  const pages = new Map<string, Promise<Page>>();
  const shared = async (name: string, path = ''): Promise<Page> => {
    const isFirst = !pages.has(name);
    const page = await pages.getOrInsertComputed(name, async () => {
      const opened = await openAs(name, { path });
      ofThisTest.splice(ofThisTest.indexOf(opened.context()), 1);
      return opened;
    });
    if (isFirst) return page;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${origin()}/dashboard/${path}`);
    await signedIn(page);
    return page;
  };
  return { service: running, origin, open, openAs, shared };
}

async function closeAll(contexts: readonly BrowserContext[]): Promise<void> {
  // Answers to altered requests must not fail when the page closes.
  const pages = contexts.flatMap((context) => context.pages());
  await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await Promise.all(contexts.map((context) => context.close()));
}

/** Signs in as one of the demo people. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Sign in as ${name}` }).click();
  await signedIn(page);
}

/** Waits until a page shows the banner of a signed-in user. */
async function signedIn(page: Page): Promise<void> {
  // Exact, because other buttons contain the word, such as "New account".
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
}

/** Opens a screen by the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  // The menu of the page depends on the sign-in.
  await signedIn(page);
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Waits until a dialog is open and its content is loaded. */
export async function dialogOpened(page: Page): Promise<void> {
  await page.locator('dialog[open]').waitFor();
  await page.locator('dialog[open] .loading').first().waitFor({ state: 'detached' });
}

/** Presses "Load more" below the table until all rows are loaded. */
export async function loadMore(page: Page): Promise<void> {
  // Runs inside the page, because thousands of rows are slow to inspect from outside.
  await page.evaluate(
    `(async () => {
      const button = () => document.querySelector('main table ~ p button');
      const rows = () => document.querySelectorAll('main tbody tr').length;
      while (button() !== null) {
        const before = rows();
        button().click();
        while (button() !== null && rows() === before) await new Promise(requestAnimationFrame);
      }
    })()`,
  );
}

/** Closes the open dialog, and waits until it is gone. */
export async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').first().waitFor({ state: 'detached' });
}

/** Waits until an element has the focus, which moves after a visible change. */
export async function focused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Opens the dialog "Go to" by its shortcut. Returns it once its field has the focus. */
export async function openGoTo(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  await focused(dialog.getByRole('combobox'));
  return dialog;
}

/** Waits until the text of a field matches, and returns it. */
export async function textIn(field: Locator, wanted: RegExp): Promise<string> {
  let value = '';
  await until(`${field} holds ${wanted}`, async () => {
    value = await field.inputValue();
    return wanted.test(value);
  });
  return value;
}

/**
 * Waits until the clipboard matches, and returns its text. A notice of an earlier copy may still be visible.
 */
export async function copied(page: Page, wanted: RegExp): Promise<string> {
  let text = '';
  await until(`${wanted} is copied`, async () => {
    text = String(await page.evaluate('navigator.clipboard.readText()'));
    return wanted.test(text);
  });
  return text;
}

/**
 * Waits until the loaded content of the page lacks an element. Lists have no rows while they load, so an
 * element that is only detached may come back.
 */
export async function missing(page: Page, element: Locator): Promise<void> {
  await page
    .locator('main')
    .filter({ hasNot: page.locator('.loading') })
    .filter({ hasNot: element })
    .waitFor();
}

/** Registers a passkey on the screen "Overview". */
export async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('status').filter({ hasText: /^Done/ }).waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor({ state: 'detached' });
}

/**
 * Options for fetching answers to alter: without Playwright's timeout, and with retries, because the service
 * may close the kept-alive connection at the same time. Browsers retry too.
 */
export const patiently = { timeout: 0, maxRetries: 3 } as const;

/** A request whose answer a test may alter. `body` is JSON. */
export type AlteredRequest = {
  readonly body: string;
  readonly isWaitingForNews: boolean;
  /** The status of the original answer. */
  readonly status: number;
};

/**
 * Alters answers of the gateway: `alter` changes the answer, or returns another one. Uses the debugger, so
 * that the browser still sends the request and uses its cache; routes of Playwright would disable the cache.
 * Returns a function that stops the alteration.
 */
export async function alterAnswers<Answer>(
  page: Page,
  path: string,
  alter: (answer: Answer, request: AlteredRequest) => unknown,
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', async (paused) => {
    const { requestId, request, responseStatusCode, responseHeaders = [] } = paused;
    const isAnswered = responseStatusCode !== undefined && request.method !== 'OPTIONS';
    const headers = Object.keys(request.headers).map((name) => name.toLowerCase());
    try {
      if (!isAnswered) {
        await session.send('Fetch.continueRequest', { requestId });
        return;
      }
      const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
      const answer: Answer = JSON.parse(
        base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
      );
      const alteredRequest = {
        body: request.postData ?? '',
        isWaitingForNews: headers.includes('prefer'),
        status: responseStatusCode,
      };
      const altered = JSON.stringify(alter(answer, alteredRequest) ?? answer);
      await session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: responseStatusCode,
        // The altered body is uncompressed and has another length.
        responseHeaders: responseHeaders.filter(
          ({ name }) => !/^content-(length|encoding)$|^transfer-encoding$/i.test(name),
        ),
        body: Buffer.from(altered).toString('base64'),
      });
    } catch (error) {
      // A page that navigates cancels its requests.
      if (!(error instanceof Error) || !/InterceptionId|closed|detached/.test(error.message)) {
        throw error;
      }
    }
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: `*/public/v1/${path}`, requestStage: 'Response' }],
  });
  return () => session.detach();
}

/** Waits for the next frame. By then, a previous render has moved the focus. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next)))');

/** Asserts that axe reports no violations on the page. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Uses the debugger, because the content security policy blocks injected scripts. The script stays until
  // the page reloads.
  const loaded = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (loaded.result.value === 'undefined') {
    await session.send('Runtime.evaluate', { expression: axe });
  }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression:
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => [target.join(" "), failureSummary]) }))))',
    awaitPromise: true,
  });
  assert.equal(exceptionDetails, undefined);
  assert.deepEqual(JSON.parse(String(result.value)), [], `axe: ${what}`);
  await session.detach();
}

/** Asserts that nothing is wider than the page. */
export async function assertNotWider(page: Page, what: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  const scrolled = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert(scrolled <= width, `${what} scrolls sideways: ${scrolled} > ${width}`);
}

/**
 * Takes a picture of the page if pictures are requested. The file name contains width and theme. Widens a
 * page of the narrowest width to a phone.
 */
export async function takePicture(page: Page, what: string): Promise<void> {
  if (pictures === undefined) return;
  if (page.viewportSize()?.width === narrow) {
    await page.setViewportSize({ width: phoneWidth, height: 900 });
  }
  const { width = 0 } = page.viewportSize() ?? {};
  const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches');
  mkdirSync(pictures, { recursive: true });
  const name = `${what}-${width}-${isDark === true ? 'dark' : 'light'}.png`.replaceAll(' ', '_');
  await page.screenshot({ path: join(pictures, name), fullPage: true });
}

/** Records errors and violations of a page. */
async function watch(page: Page, origin: string, wrong: string[]): Promise<void> {
  page.on('pageerror', (error) => wrong.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // Chromium logs each failed response, and an unreachable service.
    const isOfNetwork = message.text().startsWith('Failed to load resource');
    const isBad = ['error', 'warning'].includes(message.type());
    if (isBad && !isOfNetwork) wrong.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) wrong.push(`requested ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => wrong.push(`policy: ${text}`));
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI));`,
  );
}

/** Adds a virtual platform authenticator, which confirms every prompt. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
