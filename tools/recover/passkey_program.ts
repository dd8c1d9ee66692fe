// The program of the page for passkeys, which recover.mjs serves on this machine. It evaluates the PRF
// extension of a passkey, and returns the output encrypted to the process that served the page.

import type { PasskeyTask } from './passkey_page.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const relyingParty = 'localhost';
const secretBytes = 32;
/** ES256, EdDSA, and RS256 for older devices. */
const algorithms = [-7, -8, -257];

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const status = element('status');
const form = element<HTMLFormElement>('enter');
const task = element('task');
const use = element<HTMLButtonElement>('use');
const skip = element<HTMLButtonElement>('skip');

const randomBytes = (): Bytes => crypto.getRandomValues(new Uint8Array(32));

const base64urlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const bytesOf = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/** Sends JSON to the process. Throws an error with the message of a refusal. */
async function post<Result>(path: string, body: object): Promise<Result> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const document = await answer.json();
  if (!answer.ok) throw new Error(String(document.message));
  return document;
}

/** Creates a passkey that the authenticator finds again without its id. */
async function createPasskey(): Promise<Bytes> {
  const name = 'Keywright archives';
  const created = await navigator.credentials.create({
    publicKey: {
      challenge: randomBytes(),
      rp: { name, id: relyingParty },
      // A new id for each passkey, because an authenticator replaces a passkey of the same user.
      user: { id: randomBytes(), name, displayName: name },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      extensions: { prf: {} },
    },
  });
  const credential = created as PublicKeyCredential;
  if (credential.getClientExtensionResults().prf?.enabled !== true) {
    throw new Error('This authenticator lacks the PRF extension. Delete the passkey, use another.');
  }
  return new Uint8Array(credential.rawId);
}

/** Evaluates the PRF of one of the passkeys, or of any passkey of `localhost` if there are none. */
async function evaluate({ passkeys, salt }: PasskeyTask, created: Bytes | undefined) {
  const named = passkeys.map(({ id, salt: own }) => [id, { first: bytesOf(own) }] as const);
  const ids = created === undefined ? passkeys.map(({ id }) => bytesOf(id)) : [created];
  const prf =
    salt === undefined
      ? { evalByCredential: Object.fromEntries(named) }
      : { eval: { first: new TextEncoder().encode(salt) } };
  const found = await navigator.credentials.get({
    publicKey: {
      challenge: randomBytes(),
      rpId: relyingParty,
      allowCredentials: ids.map((id) => ({ type: 'public-key', id })),
      // Without user verification an authenticator evaluates another PRF.
      userVerification: 'required',
      extensions: { prf },
    },
  });
  const credential = found as PublicKeyCredential;
  const { first } = credential.getClientExtensionResults().prf?.results ?? {};
  const secret = first instanceof ArrayBuffer ? new Uint8Array(first) : undefined;
  if (secret?.length !== secretBytes) {
    throw new Error('The passkey returned no secret of the PRF extension.');
  }
  return { id: base64urlOf(new Uint8Array(credential.rawId)), secret };
}

/** Encrypts to the process: another process that takes over its port cannot read the secret. */
async function encrypt(secret: Bytes, receiver: string) {
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const own = await crypto.subtle.generateKey(curve, false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    {
      name: 'ECDH',
      public: await crypto.subtle.importKey('raw', bytesOf(receiver), curve, false, []),
    },
    own.privateKey,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  );
  // Each key encrypts once, so the nonce is constant.
  const options = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(options, key, secret));
  const sender = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey));
  return { sender: base64urlOf(sender), ciphertext: base64urlOf(ciphertext) };
}

/** Shows a task until it has a result, and returns the result. */
function resultOf(current: PasskeyTask, receiver: string): Promise<object> {
  element('purpose').textContent = current.purpose;
  use.textContent = current.create ? 'Create the passkey' : 'Use the passkey';
  skip.hidden = !current.skippable;
  task.hidden = false;
  use.focus();
  let created: Bytes | undefined;
  return new Promise((resolve) => {
    skip.onclick = () => resolve({ skipped: true });
    use.onclick = async () => {
      use.disabled = true;
      status.textContent = '';
      try {
        if (current.create && created === undefined) {
          created = await createPasskey();
          use.textContent = 'Use the passkey for the first time';
          return;
        }
        const { id, secret } = await evaluate(current, created);
        const sealed = await encrypt(secret, receiver).finally(() => secret.fill(0));
        resolve({ id, ...sealed });
      } catch (error) {
        status.textContent = messageOf(error);
      } finally {
        use.disabled = false;
      }
    };
  });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

type Next = { readonly task?: PasskeyTask; readonly receiver: string };

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = '';
  const code = element<HTMLInputElement>('code').value.toUpperCase().replaceAll(/\W/g, '');
  try {
    let next = await post<Next>('/task', { code });
    form.hidden = true;
    while (next.task !== undefined) {
      const { number } = next.task;
      const result = await resultOf(next.task, next.receiver);
      task.hidden = true;
      next = await post<Next>('/result', { code, number, ...result });
    }
    status.textContent = 'Done. Continue in the terminal, and close this page.';
  } catch (error) {
    status.textContent = messageOf(error);
  }
});
