// Asks the witnesses for the newest checkpoints that they cosigned, at each start of an enclave. Witnesses
// remember the log even if someone rolls back the database and the files of its anchors together.

import { textOfUtf8 } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { verifyEd25519 } from '../../core/crypto/verify.ts';
import { fail } from '../../core/errors/errors.ts';
import { readCheckpoint, readNote, verifyNote } from '../../core/log/note.ts';
import { meetsQuorum, type PolicyWitness, type TrustPolicy } from '../../core/log/trust_policy.ts';
import { witnessedPath } from '../../core/log/witness.ts';
import type { AnswerOf, GatewayMessages, RequestOf } from '../../ipc/messages.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** Maximum time that a start waits for witnesses, which are asked at the same time. */
const witnessStartTimeoutMs = 5_000;
/** Time without further requests to a witness that did not answer, unless answers are required. */
const silentMs = 60_000;
const maximumAnswerBytes = 16 * 1024;

type Witnessed = AnswerOf<GatewayMessages['witnessed']>['checkpoints'];

type WitnessedOptions = {
  readonly policy: TrustPolicy;
  /** True: a start requires answers of the quorum. False: a missing answer causes a warning. */
  readonly isRequired: boolean;
  readonly send: Outbound['send'];
  /** A monotonic clock, in milliseconds. */
  now(): number;
  readonly log: Log;
};

/**
 * Returns a function that asks all witnesses for the newest checkpoints of logs. Raises
 * `witnesses_unanswered` if the policy's quorum is required and did not answer.
 */
export function createWitnessed({ policy, isRequired, send, now, log }: WitnessedOptions) {
  const silentUntil = new Map<string, number>();

  async function answerOf(name: string, witness: PolicyWitness, origins: readonly string[]) {
    if (!isRequired && now() < (silentUntil.get(name) ?? 0)) return undefined;
    try {
      const asked = origins.map((origin) => checkpointOf(send, witness, origin));
      const notes = await Promise.all(asked);
      return notes.flatMap((note) => (note === undefined ? [] : [{ witness: name, note }]));
    } catch (error) {
      silentUntil.set(name, now() + silentMs);
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', 'a witness did not report its checkpoint at the start', {
        witness: name,
        reason,
      });
      return undefined;
    }
  }

  return async ({
    origins,
  }: RequestOf<GatewayMessages['witnessed']>): Promise<{ checkpoints: Witnessed }> => {
    const answers = await Promise.all(
      [...policy.witnesses].map(async ([name, witness]) => ({
        name,
        checkpoints: await answerOf(name, witness, origins),
      })),
    );
    const answered = answers.filter(({ checkpoints }) => checkpoints !== undefined);
    const names = new Set(answered.map(({ name }) => name));
    if (isRequired && !meetsQuorum(policy, names)) return fail('witnesses_unanswered');
    return { checkpoints: answered.flatMap(({ checkpoints }) => checkpoints ?? []) };
  };
}

/**
 * Returns the newest checkpoint of a log that a witness cosigned; undefined for a log that the witness does
 * not know. Throws an error with the reason for other answers.
 */
async function checkpointOf(
  send: Outbound['send'],
  { key, url }: PolicyWitness,
  origin: string,
): Promise<string | undefined> {
  const answer = await send({
    url: `${url?.replace(/\/$/, '')}${witnessedPath(sha256, origin)}`,
    method: 'GET',
    timeoutMs: witnessStartTimeoutMs,
    maximumBytes: maximumAnswerBytes,
  });
  if ('failure' in answer) throw new Error(`${answer.failure}: ${answer.detail}`);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
  const text = textOfUtf8(answer.body);
  const note = text === undefined ? undefined : readNote(text);
  const isOfLog = note !== undefined && readCheckpoint(note.text)?.origin === origin;
  const cosigned = isOfLog
    ? verifyNote(note, key, (signature, message, publicKey) =>
        verifyEd25519(publicKey, signature, message),
      )
    : 'none';
  if (typeof cosigned === 'string')
    throw new Error('its answer is not a checkpoint that it cosigned');
  return text;
}
