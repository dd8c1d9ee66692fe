/** The command that runs one simulation again and writes what happens in it. */
export function reproduction(seed: number, steps: number): string {
  return `node test/simulation/main.ts --seeds 1 --first ${seed} --steps ${steps} --log`;
}
