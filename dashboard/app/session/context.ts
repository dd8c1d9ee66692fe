// The context of every screen: the configuration and the signed-in user.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Config } from './config.ts';
import { type SignedIn, session } from './session.ts';

const ConfigContext = createContext<Config | undefined>(undefined);
export const ConfigProvider = ConfigContext.Provider;

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (config === undefined) throw new Error('there is no configuration yet');
  return config;
}

/** Returns the signed-in user. Call it only in screens that require a sign-in. */
export function useSession(): SignedIn {
  const signedIn = session.value;
  if (signedIn === undefined) throw new Error('nobody is signed in');
  return signedIn;
}
