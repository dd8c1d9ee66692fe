import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  addCheckpointPath,
  maximumAddCharacters,
  type WitnessAnswer,
} from '../../core/log/witness.ts';
import { command } from '../command_line/command.ts';
import { readSource } from '../files/inputs.ts';
import { untilInterrupted } from '../service/until_interrupted.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

const defaultPort = '7470';
const ofWitness = {
  text: 'text/plain; charset=utf-8',
  /** Content type of responses with status 409: the size of the last cosigned checkpoint. */
  size: 'text/x.tlog.size',
};

export default command({
  summary: 'Serves a witness, which cosigns logs that only grow (C2SP tlog-witness).',
  reach: 'local',
  options: {
    trust: option(
      'FILE',
      'Policy file with the logs to witness; GET /log/policy of a service prints one.',
    ),
    state: option('FILE', 'State of the witness: its key and checkpoints; created if missing.'),
    name: option('NAME', 'Name of the key of a new state, such as example.org/witness.'),
    host: option('ADDRESS', 'Address to listen at. Default: 127.0.0.1.'),
    port: option('PORT', `Port to listen at. Default: ${defaultPort}.`),
  },
  examples: {
    'witness --trust policy.txt --state witness.json --name example.org/witness':
      'Prints the line of the witness for policies, and cosigns until Ctrl-C.',
  },
  run: async ({ options: { trust, state, name, host, port }, output, terminal }) => {
    if (trust === undefined || state === undefined) {
      throw usage('witness needs --trust and --state', 'keywright witness --help');
    }
    const policy = new TextDecoder().decode(await readSource(trust, terminal));
    const { listenOnThisMachine, portOf } = await import('../service/local_http.ts');
    const { createWitness, newWitnessKey } = await import('../../receipts/witness.ts');
    const { openWitnessFile } = await import('../receipts/witness_file.ts');
    const path = resolve(terminal.workingDirectory, state);
    const file = await openWitnessFile(path, () => newWitnessKey(name ?? hostname()));
    try {
      const witness = reported(() => createWitness(file.privateKey, policy, file));
      const server = {
        publicHost: host ?? '127.0.0.1',
        // A character has at most four bytes.
        maximumBodyBytes: 4 * maximumAddCharacters,
        refusal: () => undefined,
        answer: async ({ method, path }: { method: string; path: string }, body: string) => {
          if (method === 'POST' && path === addCheckpointPath) {
            return answerOf(witness.add(body, Math.floor(terminal.clock() / 1000)));
          }
          const note = method === 'GET' ? witness.at(path) : undefined;
          const status = note === undefined ? 404 : 200;
          return { status, body: note ?? 'there is nothing here\n', contentType: ofWitness.text };
        },
      };
      const listener = await listenOnThisMachine(server, portOf(port ?? defaultPort));
      const [keyName = ''] = witness.verifierKey.split('+');
      const line = `witness ${keyName} ${witness.verifierKey} ${listener.origin}`;
      output.thing(
        { Witness: line, State: path },
        { document: { key: witness.verifierKey, url: listener.origin, line }, ids: [line] },
      );
      await untilInterrupted(listener, terminal);
    } finally {
      file.close();
    }
  },
});

const answerOf = ({ status, body }: WitnessAnswer) => ({
  status,
  body,
  contentType: status === 409 ? ofWitness.size : ofWitness.text,
});

function reported<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}
