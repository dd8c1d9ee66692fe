// Login with a key file: the key in the file registers a new key.

import { apiKey, type Client, connect, NeedsVotes } from '../../client/index.ts';
import { quoted } from '../files/files.ts';
import { readStoredKey } from '../keys/key_file.ts';
import type { SealChoice } from '../keys/new_passphrase.ts';
import { passphraseAsker } from '../keys/passphrases.ts';
import { linesBelow, linesOfWaiting } from '../output/explanations.ts';
import type { PinnedKeys } from '../profiles/pins.ts';
import { loginWithKey } from '../profiles/profiles.ts';
import { boundedFetch, interruptible } from '../service/bounded_fetch.ts';
import { failureOfClient } from '../service/client_failures.ts';
import { apiKeyOf } from '../service/new_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { type LoginKey, loginKey } from './login_key.ts';
import { isUnknownKey, type WhoAmI } from './who.ts';

export type LoginOptions = {
  readonly profileName: string;
  readonly url: string | undefined;
  readonly organization: string | undefined;
  /** Display name and lifetime of the new key. */
  readonly keyName: string;
  readonly seconds: string;
  /** Passphrase options of the new key. */
  readonly seal: SealChoice;
  /** Passphrase file for the key that registers the new key. */
  readonly passphraseFile: string | undefined;
  /** If true, waiting logins print no explanation for people. */
  readonly json: boolean;
  /** Receives the client, which the program needs to explain failures. */
  readonly onConnect: (client: Client) => void;
};

/** A registered key, and its user. */
export type LoggedIn = {
  readonly made: LoginKey;
  readonly who: WhoAmI;
  readonly url: string;
  readonly organizationId: string;
  /** Public keys of the service that the login verified with. */
  readonly pinnedKeys?: PinnedKeys;
};

/**
 * Registers a new key with the key in a file. Throws the errors of the client. If the activity waits for
 * approval, the new key stays stored.
 */
export async function loginWithFile(
  path: string,
  options: LoginOptions,
  terminal: Terminal,
): Promise<LoggedIn> {
  const { environment } = terminal;
  const login = loginWithKey(await readStoredKey(path), path, {
    ...options,
    ask: passphraseAsker(
      options.passphraseFile ?? environment['KEYWRIGHT_KEY_PASSPHRASE_FILE'],
      '--key-passphrase-file',
      terminal,
    ),
  });
  const { url, organizationId } = login;
  const client = connect({
    url,
    organizationId,
    stamp: await apiKey(await login.key()),
    ...interruptible(boundedFetch, terminal.signal),
  });
  options.onConnect(client);
  const who = await client.query('whoami');
  const { userId } = who;
  const target = { baseUrl: url, organizationId, userId };
  const made = await loginKey(terminal, options.profileName, target, options.seal);
  const loggedIn = { made, who, url, organizationId };
  if (await isKnown(made, client)) return loggedIn;
  const { apiPublicKey } = made.key;
  const earlier = made.isFromEarlier ? await waitingFor(apiPublicKey, client) : undefined;
  if (earlier !== undefined) throw await approvalFailure(earlier, made.file, options, client);
  try {
    const apiKeys = [apiKeyOf(apiPublicKey, options.keyName, options.seconds)];
    await client.submit('create_api_keys', { userId, apiKeys });
  } catch (error) {
    if (error instanceof NeedsVotes) throw await approvalFailure(error, made.file, options, client);
    await made.dropUnlessDone(error);
    throw error;
  }
  return loggedIn;
}

type Waiting = Pick<NeedsVotes, 'activityId' | 'fingerprint'>;

/** Returns the waiting activity that registers this key, if there is one. */
async function waitingFor(publicKey: string, client: Client): Promise<Waiting | undefined> {
  const { activities } = await client.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
    paginationOptions: { limit: '100' },
  });
  const own = activities.find(({ intent }) => JSON.stringify(intent ?? {}).includes(publicKey));
  return own === undefined ? undefined : { activityId: own.id, fingerprint: own.fingerprint };
}

/** Returns the failure of a login that waits for approval. The key stays in a temporary file until then. */
async function approvalFailure(
  waiting: NeedsVotes | Waiting,
  file: string,
  { json }: LoginOptions,
  client: Client,
): Promise<Failure> {
  const { activityId, fingerprint } = waiting;
  const isNew = waiting instanceof NeedsVotes;
  const below = json
    ? undefined
    : isNew
      ? await linesBelow(waiting, client)
      : await linesOfWaiting(activityId, client);
  const known = isNew ? failureOfClient(waiting, below) : undefined;
  return new Failure({
    exit: 'waits',
    code: known?.code ?? 'NEEDS_VOTES',
    message: `The new key waits for approval as activity ${activityId}; no profile uses it yet.`,
    next: `An approver types keywright activity approve ${quoted(activityId)} --fingerprint ${quoted(fingerprint)}; then type the same login again.`,
    requestId: known?.requestId,
    activityId,
    details: [...(known?.details ?? below ?? []), `The key is stored in ${file}.new.`],
  });
}

/** Returns true if an earlier login registered the key but received no answer. */
async function isKnown({ key, isFromEarlier }: LoginKey, client: Client): Promise<boolean> {
  if (!isFromEarlier) return false;
  try {
    await client.as(await apiKey(key)).query('whoami');
    return true;
  } catch (error) {
    if (isUnknownKey(error)) return false;
    throw error;
  }
}
