// In the browser: a React application with the provider of the wallet kit, whose window signs users up
// and in.

import { TurnkeyProvider, type TurnkeyProviderConfig, useTurnkey } from '@turnkey/react-wallet-kit';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

type Addresses = Pick<
  TurnkeyProviderConfig,
  | 'apiBaseUrl'
  | 'authProxyUrl'
  | 'authProxyConfigId'
  | 'organizationId'
  | 'exportIframeUrl'
  | 'importIframeUrl'
>;
type Kit = ReturnType<typeof useTurnkey>;

let latest: Kit | undefined;

/** Types of the messages that frames sent to the application. */
const frameMessages: string[] = [];
globalThis.MessageChannel = class extends MessageChannel {
  constructor() {
    super();
    this.port1.addEventListener('message', ({ data }) => frameMessages.push(String(data?.type)));
  }
};

/** The component of the application. It keeps the values of the provider at its last rendering. */
function Application() {
  latest = useTurnkey();
  return null;
}

/** Renders the application. */
export function start(addresses: Addresses): void {
  const config: TurnkeyProviderConfig = {
    ...addresses,
    passkeyConfig: { rpId: 'localhost' },
    ui: { authModal: { methods: { passkeyAuthEnabled: true } }, supressMissingStylesError: true },
  };
  const root = document.body.appendChild(document.createElement('div'));
  createRoot(root).render(
    createElement(TurnkeyProvider, { config, children: createElement(Application) }),
  );
}

/** Returns the values of the last rendering: the states, the user and the wallets. */
export function state() {
  const { clientState, authState, session, user, wallets } = kit();
  return {
    clientState,
    authState,
    organizationId: session?.organizationId,
    userName: user?.userName,
    passkeys: user?.authenticators.length,
    wallets: wallets.map(({ walletName, accounts }) => ({
      walletName,
      addresses: accounts.map(({ address }) => address),
    })),
  };
}

/** Opens the window of the kit that signs users in and up. */
export const openLogin = () => kit().handleLogin();

/** Opens the window of the kit that exports the first wallet. */
export function openExport(): void {
  const wallet = kit().wallets[0];
  if (wallet === undefined) throw new Error('the user has no wallet');
  kit()
    .handleExportWallet({ walletId: wallet.walletId })
    .catch(() => undefined);
}

/** Opens the window of the kit that imports a wallet of this name. */
export function openImport(walletName: string): void {
  const defaultWalletAccounts = ['ADDRESS_FORMAT_ETHEREUM' as const];
  kit()
    .handleImportWallet({ walletName, defaultWalletAccounts })
    .catch(() => undefined);
}

/** Returns true if the window has styled its frame, after which it uses the frame. */
export async function frameIsReady(): Promise<boolean> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return frameMessages.at(-1) === 'SETTINGS_APPLIED';
}

export const isShown = (button: string): boolean => buttonNamed(button) !== null;

export function press(button: string): void {
  const element = buttonNamed(button);
  if (element === null) throw new Error(`the window has no button ${button}`);
  element.click();
}

const buttonNamed = (name: string) =>
  document.querySelector<HTMLButtonElement>(`[data-testid="${name}"]`);

export const createWallet = (walletName: string) =>
  kit().createWallet({ walletName, accounts: ['ADDRESS_FORMAT_ETHEREUM'] });

/** Signs by the first account, with the prefix of EIP-191. */
export async function signMessage(message: string): Promise<{ r: string; s: string; v: string }> {
  const account = kit().wallets[0]?.accounts[0];
  if (account === undefined) throw new Error('the user has no account');
  const { r, s, v } = await kit().signMessage({
    message,
    walletAccount: account,
    addEthereumPrefix: true,
  });
  return { r, s, v };
}

export const refreshSession = async () => {
  await kit().refreshSession();
};

export const logout = () => kit().logout();

function kit(): Kit {
  if (latest === undefined) throw new Error('the application was not rendered');
  return latest;
}
