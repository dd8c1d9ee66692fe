import { command } from '../../command_line/command.ts';
import { askingOptions, dataOptions } from '../../command_line/data_options.ts';
import { confirm } from '../../output/confirm.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

const maximumReasonCharacters = 200;

export default command({
  summary: 'Accepts this copy of the data as the copy that signs.',
  reach: 'local',
  node: 26,
  options: {
    reason: option('TEXT', 'Reason, for the record.'),
    ...dataOptions,
    ...askingOptions,
  },
  examples: {
    "restore accept --reason 'the disk of the first machine failed' --data-dir restored --root-key-file data/root.key":
      'Lets a restored copy sign.',
  },
  run: async ({ options, common, output, terminal }) => {
    const { reason = '', yes, 'no-input': noInput } = options;
    if (reason === '' || reason.length > maximumReasonCharacters) {
      throw usage('--reason takes 1 to 200 characters', 'keywright restore accept --help');
    }
    const { dataSettings } = await import('../../custody/data_settings.ts');
    const { logTo, verified } = await import('../../custody/custody_output.ts');
    const { acceptCopy } = await import('../../../gateway/custody/restore.ts');
    const settings = dataSettings(terminal, options);
    await confirm(
      terminal,
      { ...common, yes, 'no-input': noInput },
      {
        warning:
          'From now on this copy signs. Stop all nodes of the previous copy permanently: without a common anchor file, the copies cannot detect each other.',
        type: 'accept',
      },
    );
    const epoch = await verified(() => acceptCopy(settings, { reason, log: logTo(terminal) }));
    output.thing(
      { Epoch: String(epoch), Reason: reason },
      { document: { epoch, reason }, ids: [String(epoch)] },
    );
  },
});
