// In the browser: an application that embeds the frames with the unmodified stamper of frames.

import { IframeStamper } from '@turnkey/sdk-browser';

let stamper: IframeStamper | undefined;

/** Embeds a frame, and returns its public key. */
export async function embed(iframeUrl: string): Promise<string> {
  stamper?.clear();
  const iframeContainer = document.body;
  stamper = new IframeStamper({ iframeUrl, iframeElementId: 'frame', iframeContainer });
  return stamper.init();
}

/** Embeds a frame that the browser must not show. */
export async function embedInVain(iframeUrl: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.src = iframeUrl;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
}

export const injectWalletExportBundle = (bundle: string, organizationId: string) =>
  embedded().injectWalletExportBundle(bundle, organizationId);

export const injectKeyExportBundle = (bundle: string, organizationId: string, format: string) =>
  embedded().injectKeyExportBundle(bundle, organizationId, format as never);

export const injectImportBundle = (bundle: string, organizationId: string, userId: string) =>
  embedded().injectImportBundle(bundle, organizationId, userId);

export const extractWalletEncryptedBundle = () => embedded().extractWalletEncryptedBundle();

export const extractKeyEncryptedBundle = (format: string) =>
  embedded().extractKeyEncryptedBundle(format as never);

export const applySettings = (settings: object) => embedded().applySettings(settings);

export const getEmbeddedPublicKey = () => embedded().getEmbeddedPublicKey();

export const initEmbeddedKey = () => embedded().initEmbeddedKey();

export const clearEmbeddedKey = () => embedded().clearEmbeddedKey();

export const stamp = (payload: string) => embedded().stamp(payload);

function embedded(): IframeStamper {
  if (stamper === undefined) throw new Error('the page has no frame');
  return stamper;
}
