// An SSH agent (draft-ietf-sshm-ssh-agent) whose keys stay in the service. It lists keys and signs; all other
// requests fail.

import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Identity, RawSignature } from './identities.ts';
import { uint32, wireReader, wireString } from './wire.ts';

/** Message numbers. */
const failure = 5;
const requestIdentities = 11;
const identitiesAnswer = 12;
const signRequest = 13;
const signResponse = 14;

/** Maximum agent message length in OpenSSH. */
export const maximumMessageBytes = 256 * 1024;

export type AgentParts = {
  readonly identities: readonly Identity[];
  /** Requests a signature from the service. Resolves with undefined if the service refuses. */
  readonly sign: (identity: Identity, data: Uint8Array) => Promise<RawSignature | undefined>;
};

/** Returns the answer to a message, without its length prefix. */
export async function agentAnswer(message: Uint8Array, parts: AgentParts): Promise<Uint8Array> {
  const read = wireReader(message);
  const number = read.byte();
  if (number === requestIdentities) return identitiesOf(parts.identities);
  if (number !== signRequest) return Buffer.of(failure);
  const [blob, data, flags] = [read.string(), read.string(), read.uint32()];
  if (blob === undefined || data === undefined || flags === undefined) return Buffer.of(failure);
  const identity = parts.identities.find((each) => Buffer.compare(each.blob, blob) === 0);
  const signed = identity && (await parts.sign(identity, data));
  if (identity === undefined || signed === undefined) return Buffer.of(failure);
  return Buffer.concat([Buffer.of(signResponse), wireString(identity.signature(signed))]);
}

function identitiesOf(identities: readonly Identity[]): Uint8Array {
  const rows = identities.flatMap(({ blob, signer }) => [
    wireString(blob),
    wireString(signer.typed),
  ]);
  return Buffer.concat([Buffer.of(identitiesAnswer), uint32(identities.length), ...rows]);
}

/**
 * Answers the messages of a connection one after another, until it ends or sends a malformed length. Calls
 * `noteUse` with true before each answer, and with false once the client has taken it.
 */
export async function serveConnection(
  socket: Duplex,
  parts: AgentParts,
  noteUse: (isBusy: boolean) => void = () => undefined,
): Promise<void> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (let length = lengthOf(rest); length !== undefined; length = lengthOf(rest)) {
      if (length > maximumMessageBytes) {
        socket.destroy();
        return;
      }
      if (rest.length < 4 + length) break;
      noteUse(true);
      const answer = await agentAnswer(rest.subarray(4, 4 + length), parts);
      rest = rest.subarray(4 + length);
      // A host to which the user forwards the agent may send requests without taking answers.
      if (!socket.write(wireString(answer)) && !(await isTaken(socket))) return;
      noteUse(false);
    }
  }
}

/** Waits until a client has taken its answers. Resolves with false if the connection ends before. */
async function isTaken(socket: Duplex): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ends = ['drain', 'close'].map((event) => once(socket, event, { signal }));
  try {
    if (!socket.destroyed) await Promise.race(ends);
  } finally {
    waiting.abort();
    await Promise.allSettled(ends);
  }
  return !socket.destroyed;
}

const lengthOf = (bytes: Uint8Array): number | undefined => wireReader(bytes).uint32();
