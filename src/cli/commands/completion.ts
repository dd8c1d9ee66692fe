import { command } from '../command.ts';
import { completionScript, type Shell } from '../completion.ts';
import { usage } from '../failures.ts';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

export default command({
  words: 'completion',
  summary: 'Prints what a shell needs to complete commands.',
  reach: 'local',
  arguments: [{ name: 'shell', summary: 'bash, zsh or fish.' }],
  examples: [
    {
      type: 'completion bash',
      does: 'To be read by ~/.bashrc: source <(keywright completion bash)',
    },
  ],
  run: async ({ arguments: { shell: name }, output }) => {
    const shell = shells.find((known) => known === name);
    if (shell === undefined) throw usage(`unknown shell ${name}: expected ${shells.join(', ')}`);
    const { loadAll } = await import('../commands.ts');
    output.raw(completionScript(shell, await loadAll()));
  },
});
