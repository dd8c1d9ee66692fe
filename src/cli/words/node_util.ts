// The functions of node:util that every command uses. An import would load the whole module and slow down
// every start.

export const { parseArgs, promisify, styleText } = process.getBuiltinModule('node:util');
