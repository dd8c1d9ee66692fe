// The frame that shows an exported secret to the user. The application that embeds it has only the sealed
// bundle, and cannot read the frame.

import { newTarget, openExport, type Target } from '../client/bundles.ts';
import { element, type FrameMessage, receiverFor, serveApplication, textIn } from './channel.ts';
import { textOfKey } from './key_formats.ts';
import { applySettings } from './styles.ts';

/** The target of the next export. It is used once. */
let target: Target | undefined;

async function publicKeyOfTarget(): Promise<string> {
  target ??= await newTarget();
  return target.publicKey;
}

async function openBundle(message: FrameMessage): Promise<Uint8Array<ArrayBuffer>> {
  if (target === undefined) throw new Error('the frame has no key: initialize one');
  const receiver = receiverFor(textIn(message, 'organizationId'));
  const secret = await openExport(receiver, textIn(message, 'value'), target);
  target = undefined;
  return secret;
}

async function showWallet(message: FrameMessage): Promise<boolean> {
  const secret = await openBundle(message);
  const lines = new TextDecoder().decode(secret).split('\n');
  secret.fill(0);
  const [mnemonic = '', ...rest] = lines;
  show(mnemonic, rest.filter((line, at) => at > 0 || line !== '--PASS--').join('\n'));
  return true;
}

async function showKey(message: FrameMessage): Promise<boolean> {
  const { keyFormat } = message;
  const secret = await openBundle(message);
  try {
    show(await textOfKey(secret, keyFormat === undefined ? undefined : String(keyFormat)), '');
  } finally {
    secret.fill(0);
  }
  return true;
}

function show(secret: string, passphrase: string): void {
  element('secret').textContent = secret;
  element('passphrase').textContent = passphrase;
  element('with-passphrase').hidden = passphrase === '';
}

serveApplication(publicKeyOfTarget, {
  INJECT_WALLET_EXPORT_BUNDLE: { reply: 'BUNDLE_INJECTED', run: showWallet },
  INJECT_KEY_EXPORT_BUNDLE: { reply: 'BUNDLE_INJECTED', run: showKey },
  GET_EMBEDDED_PUBLIC_KEY: { reply: 'EMBEDDED_PUBLIC_KEY', run: () => target?.publicKey ?? '' },
  INIT_EMBEDDED_KEY: { reply: 'EMBEDDED_PUBLIC_KEY', run: publicKeyOfTarget },
  RESET_EMBEDDED_KEY: {
    reply: 'EMBEDDED_KEY_RESET',
    run: () => {
      target = undefined;
      return null;
    },
  },
  APPLY_SETTINGS: {
    reply: 'SETTINGS_APPLIED',
    run: (message) => {
      applySettings(textIn(message, 'value'), { styles: 'secret', passphraseStyles: 'passphrase' });
      return true;
    },
  },
});
