import { command } from '../../../command_line/command.ts';
import { rootQuorum } from '../../../service/root_quorum.ts';

export default command({
  summary: 'Shows the members of the root quorum and its threshold.',
  reach: 'reads',
  examples: { 'org quorum show': 'Prints the threshold and the members.' },
  run: async ({ output, service }) => {
    const { client } = await service();
    const { configs, members } = await rootQuorum(client);
    const { quorum } = configs;
    output.thing(
      { Threshold: quorum.threshold, Members: members },
      { document: quorum, ids: quorum.userIds },
    );
  },
});
