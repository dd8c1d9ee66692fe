// Several variants of one module in one process: others import names that are passed on to the one in use.

/** The exports of the variant in use, by the address of the module; the first one where none is there. */
const inUse = new Map<string, Readonly<Record<string, unknown>>>();

type Exported = (...values: unknown[]) => unknown;

/** Puts a variant of one module into use, and of every other module the first. */
export function use(address: string, variant: Readonly<Record<string, unknown>>): void {
  inUse.clear();
  inUse.set(address, variant);
}

/** The text of the module that others import. Names that it exports from others stay as they are. */
export function forward(address: string, source: string): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)];
  const lines = names.map(
    ([, name]) => `export const ${name} = forwarded('${address}', '${name}', first.${name});`,
  );
  return [
    `import { forwarded } from '${import.meta.url}';`,
    `import * as first from '${address}?variant=0';`,
    `export * from '${address}?variant=0';`,
    ...lines,
  ].join('\n');
}

/** A function or class that is the one of the variant in use; any other value is that of the first. */
export function forwarded(address: string, name: string, first: unknown): unknown {
  if (!isExported(first)) return first;
  const current = () => {
    const value = inUse.get(address)?.[name];
    return isExported(value) ? value : first;
  };
  return new Proxy(placeholder(), {
    apply: (_, self, values) => Reflect.apply(current(), self, values),
    construct: (_, values, target) => Reflect.construct(current(), values, target),
    get: (_, member) => Reflect.get(current(), member),
  });
}

function isExported(value: unknown): value is Exported {
  return typeof value === 'function';
}

/** A class of its own may not have the prototype of another; this may, since `prototype` can be written. */
function placeholder(): Exported {
  return function passedOn() {
    return undefined;
  };
}
