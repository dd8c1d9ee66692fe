// Changes: a session reads, a passkey writes. For users without a passkey, the session writes.

import { useState } from 'preact/hooks';
import type { Client, SubmitName } from '../../../src/client/connect.ts';
import { type Refused, Unreachable } from '../../../src/client/errors.ts';
import type { Submits } from '../../../src/client/generated/operations.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import { t } from '../../messages/text.ts';
import { useConfig, useSession } from '../session/context.ts';
import { PasskeyError, passkeyStamp } from '../session/passkeys.ts';
import { isSessionOver, isUnknownSession } from '../session/session.ts';
import { announce } from './announcements.ts';
import { readAgain } from './queries.ts';
import { type User, useMe } from './reads.ts';

/** A change that a form sends, or copies for other tools. */
export type Request<N extends SubmitName = SubmitName> = {
  readonly name: N;
  readonly parameters: Submits[N]['parameters'];
};

/** Returns a request; the type of its parameters depends on the name. */
export const requestOf = <N extends SubmitName>(
  name: N,
  parameters: Submits[N]['parameters'],
): Request<N> => ({ name, parameters });

type Writing = {
  readonly isPending: boolean;
  /** The error if the service made no decision. */
  readonly error: Error | undefined;
  readonly refused: Refused | undefined;
};

const idle: Writing = { isPending: false, error: undefined, refused: undefined };

export type Write = {
  readonly writing: Writing;
  /** True if a passkey stamps changes. */
  readonly requiresPasskey: boolean;
  /**
   * Sends one change and announces its outcome; `what` is the sentence for success. Returns undefined if the
   * change was refused or failed, and stores the reason in `writing`.
   */
  readonly send: <R>(
    change: (client: Client) => Promise<Outcome<R>>,
    what: string | ((outcome: Outcome<R>) => string),
  ) => Promise<Outcome<R> | undefined>;
  /** Sends a request of an operation, like `send`. */
  readonly ask: <N extends SubmitName>(
    request: Request<N>,
    what: string | ((outcome: Outcome<Submits[N]['result']>) => string),
  ) => Promise<Outcome<Submits[N]['result']> | undefined>;
  readonly reset: () => void;
};

/** The type of `client.ask` with one generic name, for requests of `requestOf`. */
type Ask = <N extends SubmitName>(
  name: N,
  parameters: Submits[N]['parameters'],
) => Promise<Outcome<Submits[N]['result']>>;

/**
 * Returns the client that stamps changes. It waits until the passkeys of the user are known. If that read
 * fails, it accepts any passkey of this site. Otherwise a script could make the read fail and write with the
 * session.
 */
export function useWriter(): {
  readonly writer: () => Promise<Client>;
  readonly requiresPasskey: boolean;
} {
  const config = useConfig();
  const { client } = useSession();
  const me = useMe();
  const credentialsOf = (user: User | undefined) =>
    user?.authenticators.map(({ credentialId }) => credentialId);
  const needsPasskey = (credentialIds: readonly string[] | undefined): boolean =>
    config.passkeys !== false && credentialIds?.length !== 0;
  const writer = async () => {
    const known = me.data ?? (await me.refetch({ cancelRefetch: false })).data;
    const credentialIds = credentialsOf(known);
    return needsPasskey(credentialIds) ? client.as(passkeyStamp(config, credentialIds)) : client;
  };
  return { writer, requiresPasskey: needsPasskey(credentialsOf(me.data)) };
}

/** Returns the functions with which a form sends changes, and the state of the last change. */
export function useWrite(): Write {
  const { writer, requiresPasskey } = useWriter();
  const [writing, setWriting] = useState(idle);
  const send: Write['send'] = async (change, what) => {
    setWriting({ ...idle, isPending: true });
    try {
      const outcome = await change(await writer());
      void readAgain();
      const text = typeof what === 'string' ? what : what(outcome);
      if (outcome.outcome === 'refused') {
        setWriting({ ...idle, refused: outcome.error });
        return undefined;
      }
      setWriting(idle);
      const isDone = outcome.outcome === 'done';
      announce(t(isDone ? 'state.done' : 'state.waiting', { what: isDone ? text : '' }), {
        activityId: isDone ? undefined : outcome.activity.id,
      });
      return outcome;
    } catch (error) {
      // If a passkey stamped the request, only the passkey may be deleted, and the session still valid.
      if (!requiresPasskey && isUnknownSession(error)) isSessionOver.value = true;
      setWriting({ ...idle, error: asError(error) });
      return undefined;
    }
  };
  return {
    writing,
    requiresPasskey,
    send,
    ask: ({ name, parameters }, what) =>
      send((client) => (client.ask as Ask)(name, parameters), what),
    reset: () => setWriting(idle),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Explains an error to the user: a sentence, the next action, and the request id for the operator. */
export function explainError(error: Error): {
  readonly sentence: string;
  readonly next?: string | undefined;
  readonly requestId?: string | undefined;
} {
  if (error instanceof PasskeyError) return { sentence: error.message };
  if (error instanceof Unreachable) return { sentence: t('state.noAnswer') };
  if (error.name === 'Untrusted') {
    const { next, requestId } = error as Error & { next: string; requestId?: string };
    return { sentence: t('state.untrusted', { reason: error.message }), next, requestId };
  }
  if ('code' in error && 'next' in error) {
    const { next, requestId } = error as Error & { next: string; requestId?: string };
    return { sentence: error.message, next, requestId };
  }
  return { sentence: t('state.unexpected', { reason: error.message }) };
}
