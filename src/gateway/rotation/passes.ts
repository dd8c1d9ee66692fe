// Passes over all sealed rows of the database, which enclaves open or seal again. While clients send
// requests, a pass takes at most half of the time.

import { epochOf } from '../../core/custody/sealed_form.ts';
import { fail } from '../../core/errors/errors.ts';
import type { EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { StoreRotation } from '../../store/tables/rotation.ts';
import { type SealedTable, sealedTables } from '../../store/tables/sealed_columns.ts';
import { type SealedRow, sealedPagesOf } from '../../store/tables/sealed_pages.ts';
import type { EnclaveCall } from './node_keys.ts';

type Rewriter = Awaited<ReturnType<StoreRotation['rewriter']>>;
type SentRows = RequestOf<EnclaveMessages['resealRows']>;

/** Maximum rows and bytes of one message, because a client's request may wait for one message. */
const maximumMessage = { rows: 48, bytes: 512 * 1024 };
/** Maximum messages that an enclave has at once, within the maximum bytes of one message together. */
const maximumAtOnce = 6;

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
      ask: (rows) => shared(table, rows, ports, (call, sent) => call('checkRows', sent)),
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
      before: epoch,
      ask: (rows) => shared(table, rows, ports, (call, sent) => call('resealRows', sent)),
      use: async (rows, answers) => {
        const bodies = answers.flatMap((answer) => answer.bodies);
        const changes = rows.flatMap((row, i) => {
          const body = bodies[i];
          return body === undefined || body.length === 0 ? [] : [{ row, body }];
        });
        const changed = await ports.rewriter.replace(table, changes);
        replaced += changed;
        missed += changes.length - changed;
      },
    });
  }
  return { replaced, missed };
}

type Work<Answer> = {
  /** Limits the work to rows of earlier epochs. */
  readonly before?: number;
  /** Sends the rows of a page to the enclaves. */
  readonly ask: (rows: readonly SealedRow[]) => Promise<readonly Answer[]>;
  readonly use: (rows: readonly SealedRow[], answers: readonly Answer[]) => Promise<void>;
};

/** The enclaves work on a page while this process reads the next page and writes the previous one. */
async function eachPage<Answer extends { readonly requests: number }>(
  table: SealedTable,
  { rewriter, clock, pause, seen }: PassPorts,
  { before: epoch, ask, use }: Work<Answer>,
): Promise<void> {
  let startedMs = clock();
  let before: (() => Promise<number>) | undefined;
  for await (const page of sealedPagesOf(rewriter.sealedPage, table, epoch)) {
    const rows =
      epoch === undefined ? page.rows : page.rows.filter(({ body }) => epochOf(body) < epoch);
    const asked = rows.length === 0 ? Promise.resolve([]) : ask(rows);
    // The previous page may fail before this promise is awaited.
    asked.catch(() => undefined);
    // Messages leave at the end of a turn.
    await new Promise(setImmediate);
    const requests = (await before?.()) ?? 0;
    before = async () => {
      const answers = await asked;
      if (rows.length > 0) await use(rows, answers);
      await seen(page.seen);
      return Math.max(0, ...answers.map((answer) => answer.requests));
    };
    if (requests > 0) await pause(clock() - startedMs);
    startedMs = clock();
  }
  await before?.();
}

/** Shares rows among the enclaves. Returns their answers in the order of the rows. */
async function shared<Answer>(
  { table }: SealedTable,
  rows: readonly SealedRow[],
  { calls }: PassPorts,
  ask: (call: EnclaveCall, sent: SentRows) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const running = calls();
  if (running.length === 0) fail('enclave_unavailable');
  const chunks = chunksOf(rows);
  const answers: Answer[] = [];
  let next = 0;
  const sendRest = async (call: EnclaveCall): Promise<void> => {
    for (;;) {
      const at = next;
      const chunk = chunks[at];
      if (chunk === undefined) return;
      next += 1;
      answers[at] = await ask(call, { table: table.name, rows: chunk.rows });
    }
  };
  const atOnce = messagesAtOnce(chunks);
  await Promise.all(
    running.flatMap((call) => Array.from({ length: atOnce }, () => sendRest(call))),
  );
  return answers;
}

/**
 * Returns the number of messages that an enclave has at once. It then has work while this process writes a
 * page, and takes each message in its turn among requests. Large messages would delay the bytes of requests.
 */
function messagesAtOnce(chunks: readonly Chunk[]): number {
  const largest = Math.max(1, ...chunks.map(({ bytes }) => bytes));
  const fitting = Math.floor(maximumMessage.bytes / largest);
  return Math.max(1, Math.min(maximumAtOnce, fitting));
}

type Chunk = { readonly rows: SealedRow[]; bytes: number };

function chunksOf(rows: readonly SealedRow[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (const row of rows) {
    const last = chunks.at(-1);
    const isFull =
      last === undefined ||
      last.rows.length === maximumMessage.rows ||
      last.bytes + row.body.length > maximumMessage.bytes;
    if (isFull) chunks.push({ rows: [row], bytes: row.body.length });
    else {
      last.rows.push(row);
      last.bytes += row.body.length;
    }
  }
  return chunks;
}
