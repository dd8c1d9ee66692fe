// The program of the page for passkeys. It runs in a browser, served by serve.ts. The secret is the output of
// the PRF extension of a passkey. It leaves the page only sealed to the receiver of the task.

import { base64urlOf, bytesOfBase64 } from '../client/bytes.ts';
import { sealSecret } from '../client/sealed_secret.ts';
import type { NewPasskey, PasskeyTask } from './serve.ts';

const relyingParty = 'localhost';
const secretBytes = 32;
/** ES256, EdDSA, and RS256 for older devices. */
const algorithms = [-7, -8, -257];

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const status = element('status');
const code = element<HTMLInputElement>('code');
const form = element<HTMLFormElement>('enter');
const act = element<HTMLButtonElement>('act');
const shown = element('task');

/** Sends JSON to the command. Throws an error with the message of a refusal. */
async function post(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const document = await answer.json();
  if (!answer.ok) throw new Error(String(document.message));
  return document;
}

/** Shows a button, and runs work at each click until the work succeeds. */
async function afterClick<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  act.textContent = label;
  act.hidden = false;
  act.focus();
  for (;;) {
    await new Promise((resolve) => act.addEventListener('click', resolve, { once: true }));
    act.disabled = true;
    status.textContent = '';
    try {
      const result = await work();
      act.hidden = true;
      return result;
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      act.disabled = false;
    }
  }
}

/** Creates a passkey, and returns its id. */
async function createPasskey({ name, isDiscoverable }: NewPasskey): Promise<Bytes> {
  const created = await navigator.credentials.create({
    publicKey: {
      challenge: randomBytes(),
      rp: { name: 'Keywright', id: relyingParty },
      // A new id for each passkey, because an authenticator replaces a passkey of the same user.
      user: { id: randomBytes(), name, displayName: name },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: {
        residentKey: isDiscoverable ? 'required' : 'preferred',
        userVerification: 'required',
      },
      extensions: { prf: {} },
    },
  });
  const credential = created as PublicKeyCredential;
  if (credential.getClientExtensionResults().prf?.enabled !== true) {
    throw new Error('This authenticator lacks the PRF extension. Delete the passkey, use another.');
  }
  return new Uint8Array(credential.rawId);
}

type Evaluated = { readonly id: Bytes; readonly secret: Bytes };

/**
 * Evaluates the PRF of the passkey with an id, or else of the one that the user chooses. The caller wipes the
 * secret.
 */
async function evaluate(id: Bytes | undefined, salt: Bytes): Promise<Evaluated> {
  const found = await navigator.credentials.get({
    publicKey: {
      challenge: randomBytes(),
      rpId: relyingParty,
      allowCredentials: id === undefined ? [] : [{ type: 'public-key', id }],
      // Without user verification an authenticator evaluates another PRF.
      userVerification: 'required',
      extensions: { prf: { eval: { first: salt } } },
    },
  });
  const credential = found as PublicKeyCredential;
  const { first } = credential.getClientExtensionResults().prf?.results ?? {};
  const secret = first instanceof ArrayBuffer ? new Uint8Array(first) : undefined;
  if (secret?.length !== secretBytes) {
    throw new Error('The passkey returned no secret of the PRF extension.');
  }
  return { id: new Uint8Array(credential.rawId), secret };
}

type Bytes = Uint8Array<ArrayBuffer>;

const randomBytes = (): Bytes => crypto.getRandomValues(new Uint8Array(32));

async function run(task: PasskeyTask, typed: string): Promise<void> {
  const { about, passkey, salt } = task;
  for (const [title, text] of Object.entries(about)) {
    for (const [name, content] of [['dt', title] as const, ['dd', text] as const]) {
      shown.append(Object.assign(document.createElement(name), { textContent: content }));
    }
  }
  shown.hidden = false;
  const id = await idOf(passkey);
  const isNew = typeof passkey === 'object' && 'name' in passkey;
  await afterClick(isNew ? 'Use the passkey for the first time' : 'Use the passkey', async () => {
    const { id: used, secret } = await evaluate(id, bytesOfBase64(salt));
    const sealed = await sealSecret(secret, task).finally(() => secret.fill(0));
    const result = { credentialId: base64urlOf(used), encryptedSecret: sealed };
    await post('/result', { code: typed, ...result });
  });
  status.textContent = 'Done. Continue in the terminal, and close this page.';
}

/** Returns the id of the passkey, which it creates if the task says so; undefined for any passkey. */
async function idOf(passkey: PasskeyTask['passkey']): Promise<Bytes | undefined> {
  if (passkey === 'any') return undefined;
  if ('id' in passkey) return bytesOfBase64(passkey.id);
  return await afterClick('Create the passkey', () => createPasskey(passkey));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = '';
  const typed = code.value.toUpperCase().replaceAll(/\W/g, '');
  try {
    const task = (await post('/task', { code: typed })) as PasskeyTask;
    form.hidden = true;
    await run(task, typed);
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
  }
});
