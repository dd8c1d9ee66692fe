// The frame into which a user types a secret for an import. It leaves the frame only sealed to a target that
// the service signed, so the application that embeds the frame cannot read it.

import { importTargetKey, sealImport } from '../client/bundles.ts';
import { element, type FrameMessage, receiverFor, serveApplication, textIn } from './channel.ts';
import { keyOfText } from './key_formats.ts';
import { applySettings } from './styles.ts';

type ImportTarget = {
  readonly bundle: string;
  readonly organizationId: string;
  readonly userId: string;
};

/** The target of the next import. It is used once. */
let target: ImportTarget | undefined;

const plaintext = element<HTMLTextAreaElement>('plaintext');
const passphrase = element<HTMLInputElement>('passphrase');

async function takeTarget(message: FrameMessage): Promise<boolean> {
  const bundle = textIn(message, 'value');
  const organizationId = textIn(message, 'organizationId');
  const userId = textIn(message, 'userId');
  await importTargetKey(receiverFor(organizationId), bundle, { userId });
  target = { bundle, organizationId, userId };
  return true;
}

async function sealWallet(): Promise<string> {
  // A line break would separate a passphrase.
  const mnemonic = plaintext.value.trim().split(/\s+/).join(' ');
  if (mnemonic === '') throw new Error('no mnemonic was typed');
  const typed = passphrase.value;
  return seal(typed === '' ? mnemonic : `${mnemonic}\n--PASS--\n${typed}`);
}

async function sealKey({ keyFormat }: FrameMessage): Promise<string> {
  const text = plaintext.value.trim();
  if (text === '') throw new Error('no private key was typed');
  const key = await keyOfText(text, keyFormat === undefined ? undefined : String(keyFormat));
  return seal(key).finally(() => key.fill(0));
}

async function seal(secret: string | Uint8Array<ArrayBuffer>): Promise<string> {
  if (target === undefined) throw new Error('the frame has no import bundle');
  const { bundle, organizationId, userId } = target;
  const sealed = await sealImport(receiverFor(organizationId), bundle, secret, { userId });
  target = undefined;
  return sealed;
}

// Clears the clipboard, which would keep the secret. If the browser refuses, the secret stays there.
plaintext.addEventListener('input', (event) => {
  if (event instanceof InputEvent && event.inputType === 'insertFromPaste') {
    navigator.clipboard?.writeText('').catch(() => undefined);
  }
});

serveApplication(() => '', {
  INJECT_IMPORT_BUNDLE: { reply: 'BUNDLE_INJECTED', run: takeTarget },
  EXTRACT_WALLET_ENCRYPTED_BUNDLE: { reply: 'ENCRYPTED_BUNDLE_EXTRACTED', run: sealWallet },
  EXTRACT_KEY_ENCRYPTED_BUNDLE: { reply: 'ENCRYPTED_BUNDLE_EXTRACTED', run: sealKey },
  APPLY_SETTINGS: {
    reply: 'SETTINGS_APPLIED',
    run: (message) => {
      const styled = { styles: 'plaintext', passphraseStyles: 'passphrase' };
      const { enablePassphrase } = applySettings(textIn(message, 'value'), styled);
      if (enablePassphrase === true) element('with-passphrase').hidden = false;
      return true;
    },
  },
});
