import { apiKey, connect } from '../../client/index.ts';
import { command } from '../command_line/command.ts';
import { type CheckResult, checks, type Patient, verdictOf } from '../doctor/checks.ts';
import { probe } from '../doctor/probe.ts';
import { resolveLogin } from '../profiles/profiles.ts';
import { boundedFetch, interruptible } from '../service/bounded_fetch.ts';
import { Failure } from '../words/failures.ts';

type Row = CheckResult & { readonly name: string };

export default command({
  words: 'doctor',
  summary: 'Checks profile, key, service, transport, clock, credential and pinned keys.',
  reach: 'reads',
  examples: [{ type: 'doctor', does: 'Says for each whether it works, or what to do.' }],
  run: async ({ common, output, terminal }) => {
    const rows: Row[] = [];
    const look = async (name: string, what: () => Promise<CheckResult>) => {
      const row = { name, ...(await verdictOf(what)) };
      rows.push(row);
      return row;
    };
    const found: { -readonly [Name in keyof Patient]?: Patient[Name] } = { terminal };
    const first: readonly [string, () => Promise<CheckResult>][] = [
      [
        'Profile',
        async () => {
          found.way = await resolveLogin(common, terminal);
          const { profileName, url, organizationId } = found.way;
          const named = profileName === undefined ? 'No profile' : `Profile ${profileName}`;
          return { state: 'ok', says: `${named}: ${url}, organization ${organizationId}.` };
        },
      ],
      [
        'Key',
        async () => {
          const way = required(found.way);
          found.key = await way.key();
          return { state: 'ok', says: `${way.keySource} is readable by its owner alone.` };
        },
      ],
      [
        'Service',
        async () => {
          const way = required(found.way);
          found.probed = await probe(way.url, '/health/live', terminal);
          return { state: 'ok', says: `${way.url} answers.` };
        },
      ],
    ];
    for (const [name, what] of first) {
      // Each check needs the findings of the earlier checks.
      if (rows.every(({ state }) => state === 'ok')) await look(name, what);
    }
    const { way, key, probed } = found;
    if (way !== undefined && key !== undefined && probed !== undefined) {
      const stamp = await apiKey(key);
      const { url, organizationId } = way;
      const client = connect({
        url,
        organizationId,
        stamp,
        ...interruptible(boundedFetch, terminal.signal),
      });
      for (const check of checks) {
        await look(check.name, () => check.look({ terminal, way, key, probed, client }));
      }
    }
    output.list(
      rows.map(({ name, state, says, next }) => ({
        Check: name,
        State: state,
        Finding: says,
        Next: next ?? '',
      })),
      {
        document: { checks: rows.map(({ exit: _exit, ...row }) => row) },
        ids: rows.map(({ name }) => name),
      },
    );
    const broken = rows.find(({ state }) => state === 'failed');
    if (broken !== undefined) {
      throw new Failure({
        exit: broken.exit ?? 'unexpected',
        code: 'unwell',
        message: `${broken.name}: ${broken.says}`,
        next: broken.next,
      });
    }
  },
});

/** Returns the finding of an earlier check. A check only runs after the checks that it needs. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a check ran before the one that it rests on');
  return value;
}
