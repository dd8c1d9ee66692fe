// Shortens scripts of the bundler.

/**
 * Removes calls that give a declared function the name that it has. The bundler writes thousands of them, and
 * each takes longer than the declaration.
 */
export function withoutGivenNames(script: string): string {
  return script.replaceAll(/^ *__name\((\w+), "\1"\);$/gm, '');
}
