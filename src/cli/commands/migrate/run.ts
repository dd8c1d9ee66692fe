import { command } from '../../command_line/command.ts';
import { planOf } from '../../migration/plan.ts';
import { runPlan } from '../../migration/run.ts';
import { connectBoth, migrationOptions, printPlan } from '../../migration/source.ts';
import { Failure, usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

export default command({
  summary: 'Creates the rows that the plan lists; with --keys, moves wallets and keys too.',
  reach: 'submits',
  options: {
    ...migrationOptions,
    reviewed: option('DIGEST', 'Digest of the source that migrate plan printed.'),
  },
  examples: {
    'migrate run --from hosted --reviewed sha256:0f1e2d3c':
      'Creates the resources, and prints the remaining ones. Run it again after an interruption.',
    'migrate run --from hosted --keys --reviewed sha256:0f1e2d3c':
      'Requests exports to keys of the target, and imports the approved ones.',
    'migrate run --from hosted --dry-run': 'Tries each creation as a dry run at the target.',
  },
  run: async (invocation) => {
    const { options, common, output } = invocation;
    if (common.curl) throw usage('migrate run takes no --curl', 'keywright migrate plan');
    const isDry = common['dry-run'];
    if (options.reviewed === undefined && !isDry) {
      throw usage('--reviewed is missing', 'keywright migrate plan');
    }
    const migration = await connectBoth(options, invocation);
    if (!isDry && options.reviewed !== migration.digest) {
      throw new Failure({
        exit: 'not_verified',
        code: 'source_changed',
        message: `The source has changed since the review: its digest is ${migration.digest}.`,
        next: 'Nothing was created. Review the rows again: keywright migrate plan',
      });
    }
    if (isDry) {
      const { tryPlan } = await import('../../migration/dry_run.ts');
      printPlan(
        await tryPlan(planOf(await migration.input()), migration.target),
        migration,
        output,
      );
      return;
    }
    const { plan, refused } = await runPlan(migration, (text) => output.note(text));
    printPlan(plan, migration, output);
    if (refused > 0) {
      throw new Failure({
        exit: 'refused',
        message: `${refused} of ${plan.length} rows were refused.`,
        next: 'Correct the causes in their notes, then run it again.',
      });
    }
    const waiting = plan.filter(({ state }) => state === 'waits').length;
    if (waiting === 0) return;
    throw new Failure({
      exit: 'waits',
      message: `${waiting} of ${plan.length} rows wait for others.`,
      next: 'Have them approved, as their notes state, then run it again.',
    });
  },
});
