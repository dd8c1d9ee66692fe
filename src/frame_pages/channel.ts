// The channel between a frame and the application that embeds it, in the messages of the public package that
// embeds frames. The browser embeds the page only in configured origins (`frame-ancestors`).

/** A message of the application. Its members are unchecked. */
export type FrameMessage = Readonly<Record<string, unknown>>;

/** Handlers by the type of a message. Each has the type of its reply, and returns the value of the reply. */
type Handlers = Readonly<
  Record<
    string,
    { readonly reply: string; readonly run: (message: FrameMessage) => Promise<unknown> | unknown }
  >
>;

/**
 * Serves the messages of the embedding application one after the other. `begin` returns the public key that
 * the application gets first, which may be empty.
 */
export function serveApplication(
  begin: (message: FrameMessage) => Promise<string> | string,
  handlers: Handlers,
): void {
  let hasChannel = false;
  addEventListener('message', (event) => {
    const [port] = event.ports;
    const isFirst = !hasChannel && typeOf(event.data) === 'TURNKEY_INIT_MESSAGE_CHANNEL';
    if (!isFirst || port === undefined || event.source !== parent || parent === window) return;
    if (event.origin === location.origin) {
      // A page of the same origin could read the secret, so the frame would protect nothing.
      notice('This frame works only in an application of another origin.');
      return;
    }
    hasChannel = true;
    let last: Promise<unknown> = Promise.resolve();
    port.onmessage = ({ data }) => {
      last = last.then(async () => port.postMessage(await replyTo(data, handlers)));
    };
    last = Promise.resolve(begin(Object(event.data))).then((publicKey) =>
      port.postMessage({ type: 'PUBLIC_KEY_READY', value: publicKey }),
    );
  });
  if (parent === window) notice('This page belongs in a frame of an application.');
}

async function replyTo(data: unknown, handlers: Handlers): Promise<FrameMessage> {
  const message: FrameMessage = Object(data);
  const { requestId } = message;
  const type = typeOf(data);
  try {
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (handler === undefined) throw new Error(`this frame does not support ${type.slice(0, 50)}`);
    return { type: handler.reply, value: await handler.run(message), requestId };
  } catch (error) {
    const value = error instanceof Error ? error.message : String(error);
    return { type: 'ERROR', value, requestId };
  }
}

const typeOf = (data: unknown): string => String(Object(data).type);

/** Returns a text member of a message. Throws if it is missing. */
export function textIn(message: FrameMessage, member: string): string {
  const { [member]: value } = message;
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`the message has no ${member}`);
}

/** Returns an element of the page. */
export const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;

/** Shows a sentence to the user, or removes it. */
function notice(sentence: string): void {
  element('notice').textContent = sentence;
}

/** Returns the client of one organization that bundles need, with the keys that this service publishes. */
export const receiverFor = (organizationId: string) => ({ organizationId, serviceKeys });

async function serviceKeys(): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch('/public/v1/discovery/keys');
  if (!answer.ok) throw new Error(`the keys of the service cannot be read (${answer.status})`);
  const { keys }: { readonly keys: readonly ServiceKey[] } = await answer.json();
  return Object.fromEntries(keys.map(({ role, publicKey }) => [role, publicKey]));
}

type ServiceKey = { readonly role: string; readonly publicKey: string };
