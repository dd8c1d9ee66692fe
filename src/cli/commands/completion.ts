import { command } from '../command_line/command.ts';
import { completionScript, type Shell } from '../command_line/completion.ts';
import { chosen } from '../words/choices.ts';

const shells: Readonly<Record<Shell, Shell>> = { bash: 'bash', zsh: 'zsh', fish: 'fish' };

export default command({
  summary: 'Prints the completion script of a shell.',
  reach: 'local',
  arguments: [{ name: 'shell', summary: 'bash, zsh or fish.' }],
  examples: {
    'completion bash': 'For ~/.bashrc: source <(keywright completion bash)',
  },
  run: async ({ arguments: { shell: name }, output, loadAll }) => {
    const shell = chosen<Shell>(shells, name, 'completion');
    output.raw(completionScript(shell, await loadAll()));
  },
});
