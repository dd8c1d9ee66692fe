// Screens and dialogs that load their code on demand, and wait for it while the service is unreachable.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isAway, watchedFetch } from '../app/session/reach.ts';
import { fetchScreenTexts } from '../messages/text.ts';
import { Loading, Problem } from './states.tsx';

type ScreenProps = { readonly path?: string };
type Module<Props> = { readonly default: ComponentType<Props> };

const pauseMs = 1_000;

/** Returns a component that loads its module when it is first shown. */
export function later<Props extends object = ScreenProps>(
  load: () => Promise<Module<Props>>,
): ComponentType<Props> {
  let known: Module<Props> | undefined;
  return function Later(props: Props) {
    const [found, setFound] = useState(known);
    const [error, setError] = useState<Error>();
    const fetched = async () => {
      try {
        known = await loadWithRetries(async () => {
          await fetchScreenTexts();
          return load();
        });
        setFound(known);
        setError(undefined);
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
      }
    };
    useEffect(() => {
      if (found === undefined) void fetched();
    }, []);
    if (error !== undefined) return <Problem error={error} onAgain={() => void fetched()} />;
    return found === undefined ? <Loading /> : <found.default {...props} />;
  };
}

/**
 * Retries while the service is unreachable. Throws the error of a module that fails although the service
 * answers.
 */
async function loadWithRetries<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      // If the service answers, the module itself fails, for example because its integrity check failed.
      await watchedFetch('/dashboard/config.json').catch(() => undefined);
      if (!isAway.value) return await load().catch(() => Promise.reject(error));
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
