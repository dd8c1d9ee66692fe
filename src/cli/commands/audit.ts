import { setTimeout as timer } from 'node:timers/promises';
import { command } from '../command_line/command.ts';
import { readSource } from '../files/inputs.ts';
import { failVerification, showVerified } from '../output/verified.ts';
import { auditOrganization, createAuditReader, readEarlier } from '../receipts/audit_reader.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Verifies that the log has every activity of the organization in order.',
  reach: 'reads',
  options: {
    trust: option('FILE', 'Policy file with the trusted logs and witnesses; see docs/receipts.md.'),
    since: option('FILE', 'Output of an earlier audit --json; the log must continue it.'),
  },
  examples: {
    'audit --trust policy.txt': 'Audits the whole log; exits with 9 if a check fails.',
    'audit --trust policy.txt --since audit.json': 'Also detects a replaced log.',
  },
  run: async ({ options: { trust, since }, output, terminal, service }) => {
    if (trust === undefined) {
      throw usage('--trust needs a policy file', 'keywright audit --help');
    }
    const policy = new TextDecoder().decode(await readSource(trust, terminal));
    const earlier = since === undefined ? undefined : await readEarlier(since, terminal);
    const { client, login } = await service();
    const { organizationId, url } = login;
    const reader = createAuditReader(client, url);
    const asked = { organizationId, policy, earlier };
    const world = { pause: timer, clock: terminal.clock };
    const audited = await auditOrganization(reader, asked, world).catch((error) => {
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      return failVerification(output, 'AUDIT_FAILED', error.message);
    });
    const { log, size, root, witnesses, state, entries, ...counts } = audited;
    const { activities, withoutEntry, archived } = counts;
    showVerified(
      output,
      {
        Organization: state.organizationId,
        Entries: `${entries.length}, complete`,
        Version: state.version,
        Activities: `${activities}, of which ${withoutEntry} are older or newer than the entries`,
        Archived: `${archived} further activities, according to the service alone`,
        Log: `${log}, ${size} entries`,
        Witnesses: witnesses.length === 0 ? 'none' : witnesses.join(' '),
      },
      { log, size, root: root.toBase64(), witnesses, entries: entries.length, archived },
    );
  },
});
