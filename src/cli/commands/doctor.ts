import { apiKey, connect } from '../../client/index.ts';
import { command } from '../command_line/command.ts';
import { type CheckContext, type CheckResult, checks, verdictOf } from '../doctor/checks.ts';
import { probe } from '../doctor/probe.ts';
import { resolveLogin } from '../profiles/profiles.ts';
import { boundedFetch, interruptible } from '../service/bounded_fetch.ts';
import { Failure } from '../words/failures.ts';

type Row = CheckResult & { readonly name: string };

export default command({
  summary: 'Checks profile, key, service, transport, clock, credential and pinned keys.',
  reach: 'reads',
  examples: { doctor: 'Reports for each check that it passed, or the next step.' },
  run: async ({ common, output, terminal }) => {
    const rows: Row[] = [];
    const runCheck = async (name: string, what: () => Promise<CheckResult>) => {
      const row = { name, ...(await verdictOf(what)) };
      rows.push(row);
      return row;
    };
    const found: { -readonly [Name in keyof CheckContext]?: CheckContext[Name] } = { terminal };
    const first: readonly [string, () => Promise<CheckResult>][] = [
      [
        'Profile',
        async () => {
          found.login = await resolveLogin(common, terminal);
          const { profileName, url, organizationId } = found.login;
          const named = profileName === undefined ? 'No profile' : `Profile ${profileName}`;
          return { state: 'ok', says: `${named}: ${url}, organization ${organizationId}.` };
        },
      ],
      [
        'Key',
        async () => {
          const login = required(found.login);
          found.key = await login.key();
          return { state: 'ok', says: `${login.keySource} is readable only by its owner.` };
        },
      ],
      [
        'Service',
        async () => {
          const login = required(found.login);
          found.probed = await probe(login.url, '/health/live', terminal);
          return { state: 'ok', says: `${login.url} answers.` };
        },
      ],
    ];
    for (const [name, what] of first) {
      // Each check needs the findings of the earlier checks.
      if (rows.every(({ state }) => state === 'ok')) await runCheck(name, what);
    }
    const { login, key, probed } = found;
    if (login !== undefined && key !== undefined && probed !== undefined) {
      const stamp = await apiKey(key);
      const { url, organizationId } = login;
      const client = connect({
        url,
        organizationId,
        stamp,
        ...interruptible(boundedFetch, terminal.signal),
      });
      for (const check of checks) {
        await runCheck(check.name, () => check.run({ terminal, login, key, probed, client }));
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
