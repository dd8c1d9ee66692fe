// Measures the longest time for which one request delays all others: npm run stalls. Each operation gets
// bodies that grow up to its limits (test/stalls/), beside an open request of a neighbour. It prints the
// longest piece of work between two turns of the event loop, in processor time, which other load does not
// increase. It ends with 1 if a piece of the enclave takes longer than --limit milliseconds.
//
//   --only TEXT     operations whose name has this text
//   --limit MS      default: 25
//   --goal MS       pieces above it are marked; default: 10
//   --markdown      prints a table for docs/worst_pieces.md, the longest piece first

import { parseArgs } from 'node:util';
import {
  measuredOperations,
  measureOperation,
  measureWritten,
  type Worst,
} from '../test/stalls/operations.ts';
import { writtenRows } from '../test/stalls/written_rows.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '25' },
    goal: { type: 'string', default: '10' },
    markdown: { type: 'boolean', default: false },
  },
});
const [limit, goal] = [Number(values.limit), Number(values.goal)];
const tooLong: string[] = [];
const rows: Worst[] = [];

if (!values.markdown)
  print('operation', 'enclave ms', 'store ms', 'total ms', 'status', 'kB', 'body');
for (const [kind, operation] of measuredOperations) {
  if (operation.includes(values.only)) show(await measureOperation(kind, operation, goal));
}
for (const row of writtenRows) {
  if (row.name.includes(values.only)) show(await measureWritten(row, goal));
}
if (values.markdown) printTable();
for (const name of tooLong) process.stdout.write(`longer than ${limit} ms: ${name}\n`);
process.exit(tooLong.length === 0 ? 0 : 1);

function show(worst: Worst): void {
  rows.push(worst);
  const { operation, enclaveMs, storeMs, totalMs, status, bytes, body } = worst;
  const mark = enclaveMs > goal ? ' *' : '';
  const milliseconds = [enclaveMs, storeMs, totalMs].map((ms) => ms.toFixed(1));
  const [enclave = '', store = '', total = ''] = milliseconds;
  if (!values.markdown)
    print(operation, enclave, store, total, String(status), (bytes / 1000).toFixed(0), body + mark);
  if (enclaveMs > limit) tooLong.push(`${operation}, ${body}`);
}

function printTable(): void {
  process.stdout.write('| request | longest piece, ms | all pieces, ms | status | kB | body |\n');
  process.stdout.write('|---|---|---|---|---|---|\n');
  const sorted = rows.toSorted((a, b) => b.enclaveMs - a.enclaveMs);
  for (const { operation, enclaveMs, totalMs, status, bytes, body } of sorted) {
    const kilobytes = Math.ceil(bytes / 1000);
    const cells = [operation, enclaveMs.toFixed(1), totalMs.toFixed(0), status, kilobytes, body];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

function print(name: string, ...columns: readonly string[]): void {
  const last = columns.at(-1) ?? '';
  const numbers = columns.slice(0, -1).map((text) => text.padStart(11));
  process.stdout.write(`${name.padEnd(64)}${numbers.join('')}  ${last}\n`);
}
