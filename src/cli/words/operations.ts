// The operations of the service, as `npm run docs` writes them from their declarations: what `api` and
// the flags of everyday commands derive from. Read only when something needs it.

export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly [more: string]: unknown;
};

export type Operation = {
  readonly name: string;
  readonly kind: 'submit' | 'query';
  readonly summary: string;
  readonly parameters: JsonSchema;
};

type Table = Readonly<Record<string, Omit<Operation, 'name'>>>;

async function table(): Promise<Table> {
  const { default: operations } = await import('../generated/operations.json', {
    with: { type: 'json' },
  });
  // Written from the declarations, and checked to be fresh.
  return operations as unknown as Table;
}

/** Returns the operation with this name, if there is one. */
export async function operationNamed(name: string): Promise<Operation | undefined> {
  const operations = await table();
  const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
  return found === undefined ? undefined : { name, ...found };
}

/** All operations, in the order of the reference. */
export async function allOperations(): Promise<readonly Operation[]> {
  return Object.entries(await table()).map(([name, found]) => ({ name, ...found }));
}

/** The names of all operations. */
export async function operationNames(): Promise<readonly string[]> {
  return Object.keys(await table());
}
