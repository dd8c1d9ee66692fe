// Screens whose code comes when they are first shown. While the service is away they wait for it.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isAway, watchedFetch } from '../app/session/reach.ts';
import { Loading, Problem } from './states.tsx';

type ScreenProps = { readonly path?: string };
type Module<Props> = { readonly default: ComponentType<Props> };

const pauseMs = 1_000;

/** A screen or dialog that is fetched when it is shown. */
export function later<Props extends object = ScreenProps>(
  load: () => Promise<Module<Props>>,
): ComponentType<Props> {
  let known: Module<Props> | undefined;
  return function Later(props: Props) {
    const [found, setFound] = useState(known);
    const [error, setError] = useState<Error>();
    const fetched = async () => {
      try {
        known = await loadedOnceThere(load);
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

/** Tries again for as long as nothing answers. Raises why a module is not run that was answered. */
async function loadedOnceThere<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      // A module that was altered fails while the service answers.
      await watchedFetch('/dashboard/config.json').catch(() => undefined);
      if (!isAway.value) return await load().catch(() => Promise.reject(error));
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
