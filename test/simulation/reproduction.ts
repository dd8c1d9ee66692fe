/** Returns the command that repeats one simulation and prints its steps. */
export function reproduction(seed: number, steps: number): string {
  return `node test/simulation/main.ts --seeds 1 --first ${seed} --steps ${steps} --log`;
}
