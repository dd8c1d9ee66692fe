// The pages of the command line and of the recovery tool that use passkeys, in a browser with a virtual
// authenticator.

import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';

/** Opens a browser page with an authenticator that has the PRF extension, or lacks it. */
export async function openAuthenticator(hasPrf = true) {
  const browser = await launchBrowser();
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(60_000);
  const sent: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const session = await page.context().newCDPSession(page);
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
      hasPrf,
    },
  });
  return { browser, page, sent, complaints };
}

/** Opens a page, and types the code that the terminal shows. */
export async function enter(page: Page, url: string, code: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Code in the terminal').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Waits until the page has no more work. */
export const done = (page: Page) => page.getByText('Done. Continue in the terminal').waitFor();

/**
 * Evaluates the PRF of a passkey in the open page of `localhost`. The input is base64, the id base64url.
 * Without an id, the authenticator takes its only passkey.
 */
export async function prfOf(page: Page, salt: string, credentialId?: string): Promise<Uint8Array> {
  const output = await page.evaluate(
    async ([input = '', id]) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
          character.charCodeAt(0),
        );
      const { navigator } = globalThis as unknown as {
        navigator: { credentials: { get(options: object): Promise<unknown> } };
      };
      const found = (await navigator.credentials.get({
        publicKey: {
          challenge: new Uint8Array(32),
          rpId: 'localhost',
          allowCredentials: id === undefined ? [] : [{ type: 'public-key', id: bytes(id) }],
          userVerification: 'required',
          extensions: { prf: { eval: { first: bytes(input) } } },
        },
      })) as {
        getClientExtensionResults(): { prf: { results: { first: ArrayBuffer } } };
      };
      return [...new Uint8Array(found.getClientExtensionResults().prf.results.first)];
    },
    [salt, credentialId] as const,
  );
  return Uint8Array.from(output);
}
