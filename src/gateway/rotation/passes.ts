// Passes over all sealed rows of the database, which enclaves open or seal again. While clients send
// requests, a pass takes at most half of the time.

import { epochOf } from '../../core/custody/sealed_form.ts';
import { fail } from '../../core/errors/errors.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import { type CopiedRow, pagesOf } from '../../store/tables/copied_tables.ts';
import type { StoreRotation } from '../../store/tables/rotation.ts';
import { bytesOf } from '../../store/tables/rows.ts';
import { type SealedTable, sealedTables } from '../../store/tables/sealed_columns.ts';
import type { EnclaveCall } from './node_keys.ts';

type Rewriter = Awaited<ReturnType<StoreRotation['rewriter']>>;
type SentRow = RequestOf<EnclaveMessages['resealRows']>['rows'][number];
type ReadRow = { readonly row: CopiedRow; readonly sent: SentRow };

/** Maximum rows and bytes of one message, because a client's request may wait for one message. */
const maximumMessage = { rows: 48, bytes: 512 * 1024 };

export type PassPorts = {
  readonly rewriter: Rewriter;
  /** The running enclaves, which share the work. */
  readonly calls: () => readonly EnclaveCall[];
  readonly clock: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Called after each page with its number of rows. */
  readonly seen: (rows: number) => Promise<void>;
};

/** Opens every row with the current keys. Returns the epochs of the webhook keys among them. */
export async function checkAllRows(ports: PassPorts): Promise<readonly number[]> {
  const epochs = new Set<number>();
  for (const table of sealedTables) {
    await eachPage(table, ports, {
      ask: (rows) => shared(rows, ports, (call, sent) => call('checkRows', { rows: sent })),
      use: async (_, answers) => {
        for (const { webhookEpochs } of answers) {
          for (const epoch of webhookEpochs) epochs.add(epoch);
        }
      },
    });
  }
  return [...epochs];
}

/**
 * Seals rows of earlier epochs again. Returns the number of replaced rows, and of rows that others changed
 * meanwhile.
 */
export async function resealRowsBefore(
  epoch: number,
  ports: PassPorts,
): Promise<{ readonly replaced: number; readonly missed: number }> {
  let replaced = 0;
  let missed = 0;
  for (const table of sealedTables) {
    await eachPage(table, ports, {
      mayAsk: ({ body }) => epochOf(body) < epoch,
      ask: (rows) => shared(rows, ports, (call, sent) => call('resealRows', { rows: sent })),
      use: async (rows, answers) => {
        const bodies = answers.flatMap((answer) => answer.bodies);
        const changes = rows.flatMap(({ row }, i) => {
          const body = bodies[i];
          return body === undefined || body.length === 0 ? [] : [{ row, body }];
        });
        const changed = await ports.rewriter.replace(table.table, table.column, changes);
        replaced += changed;
        missed += changes.length - changed;
      },
    });
  }
  return { replaced, missed };
}

type Work<Answer> = {
  /** Returns false for a row that no enclave needs to see. By default, enclaves see all rows. */
  readonly mayAsk?: (row: SentRow) => boolean;
  /** Sends the rows of a page to the enclaves. */
  readonly ask: (rows: readonly ReadRow[]) => Promise<readonly Answer[]>;
  readonly use: (rows: readonly ReadRow[], answers: readonly Answer[]) => Promise<void>;
};

/** The enclaves work on a page while this process reads the next page and writes the previous one. */
async function eachPage<Answer extends { readonly requests: number }>(
  { table, column, nameOf }: SealedTable,
  { rewriter, clock, pause, seen }: PassPorts,
  { mayAsk = () => true, ask, use }: Work<Answer>,
): Promise<void> {
  let startedMs = clock();
  let before: (() => Promise<number>) | undefined;
  for await (const page of pagesOf(rewriter.inOrder, table)) {
    const rows = page.flatMap((row): ReadRow[] => {
      const name = nameOf(row);
      const sent = name && { ...name, body: bytesOf(row[column]) };
      return sent !== undefined && mayAsk(sent) ? [{ row, sent }] : [];
    });
    const asked = rows.length === 0 ? Promise.resolve([]) : ask(rows);
    // The previous page may fail before this promise is awaited.
    asked.catch(() => undefined);
    // Messages leave at the end of a turn.
    await new Promise(setImmediate);
    const requests = (await before?.()) ?? 0;
    before = async () => {
      const answers = await asked;
      if (rows.length > 0) await use(rows, answers);
      await seen(page.length);
      return Math.max(0, ...answers.map((answer) => answer.requests));
    };
    if (requests > 0) await pause(clock() - startedMs);
    startedMs = clock();
  }
  await before?.();
}

/** Shares rows among the enclaves. Returns their answers in the order of the rows. */
async function shared<Answer>(
  rows: readonly ReadRow[],
  { calls }: PassPorts,
  ask: (call: EnclaveCall, rows: SentRow[]) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const running = calls();
  if (running.length === 0) fail('enclave_unavailable');
  const answers: Answer[] = [];
  const chunks = chunksOf(rows);
  for (let first = 0; first < chunks.length; first += running.length) {
    // Each enclave processes one message at a time.
    const asked = running.flatMap((call, i) => {
      const chunk = chunks[first + i];
      return chunk === undefined ? [] : [ask(call, chunk)];
    });
    answers.push(...(await Promise.all(asked)));
  }
  return answers;
}

function chunksOf(rows: readonly ReadRow[]): SentRow[][] {
  const chunks: SentRow[][] = [];
  let bytes = 0;
  for (const { sent } of rows) {
    const last = chunks.at(-1);
    const isFull =
      last === undefined ||
      last.length === maximumMessage.rows ||
      bytes + sent.body.length > maximumMessage.bytes;
    if (isFull) chunks.push([sent]);
    else last.push(sent);
    bytes = isFull ? sent.body.length : bytes + sent.body.length;
  }
  return chunks;
}
