import { command } from '../command_line/command.ts';
import { collectEvidence } from '../evidence/collect.ts';
import { type Selection, sha256Of } from '../evidence/manifest.ts';
import { tarOf } from '../evidence/tar.ts';
import { requestTimestamp, timestampName } from '../evidence/timestamp.ts';
import { reservePrivateFile } from '../files/files.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { Failure, usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Exports activities with their votes, decisions and receipts into one archive.',
  reach: 'reads',
  options: {
    activity: option('ID', 'The activity.'),
    from: option('TIME', 'Begin of the period, as 2026-01-31.'),
    to: option('TIME', 'End of the period, exclusive. Default: now.'),
    out: option('FILE', 'The archive, a new file.'),
    'timestamp-server': option('URL', 'Server that stamps the archive with the time (RFC 3161).'),
  },
  examples: {
    'evidence --activity 01890f3e-3b5c-7cc0-98c4-dc0c0c07398f --out evidence.tar':
      'Writes the evidence of one activity.',
    'evidence --from 2026-01-01 --to 2026-02-01 --out january.tar':
      'Writes the evidence of a month.',
  },
  run: async ({ options, output, terminal, service }) => {
    const { out, 'timestamp-server': server } = options;
    if (out === undefined) throw usage('--out names the archive', 'keywright evidence --help');
    const selection = selectionOf(options, terminal.clock());
    const { client, login } = await service();
    const file = await reservePrivateFile(out);
    try {
      const now = terminal.clock();
      const files = await collectEvidence(client, login.organizationId, selection, now);
      const [manifest] = files;
      const stamp = server === undefined ? undefined : await stampOf(server, manifest.bytes);
      const stamps = stamp === undefined ? [] : [{ name: timestampName, bytes: stamp }];
      await file.write(tarOf([...files, ...stamps], Math.floor(now / 1000)));
      const digest = sha256Of(manifest.bytes);
      output.thing(
        { Archive: out, Files: files.length, Manifest: `sha256 ${digest}` },
        { document: { archive: out, files: files.length, manifest: digest }, ids: [digest] },
      );
    } finally {
      await file.release();
    }
  },
});

async function stampOf(server: string, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await requestTimestamp(fetchDocument, server, bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure({ exit: 'unreachable', message: `No time stamp: ${message}.` });
  }
}

function selectionOf(
  { activity, from, to }: { readonly [name in 'activity' | 'from' | 'to']?: string | undefined },
  nowMs: number,
): Selection {
  if ((activity === undefined) === (from === undefined)) {
    throw usage('--activity or --from selects the activities', 'keywright evidence --help');
  }
  if (activity !== undefined) {
    if (to !== undefined) throw usage('--to needs --from');
    return { activityId: activity };
  }
  const [begin, end] = [instantOf(from ?? ''), to === undefined ? nowMs : instantOf(to)];
  if (begin >= end) throw usage('--from is not before --to');
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}

function instantOf(text: string): number {
  const ms = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(ms)) throw usage(`${text} is not a time`);
  return ms;
}
