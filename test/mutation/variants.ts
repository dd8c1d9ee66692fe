// Several variants of one module in one process. Other modules import names that forward to the current
// variant.

/**
 * The exports of the current variant by the address of the module. Modules without an entry use their first
 * variant.
 */
const inUse = new Map<string, Readonly<Record<string, unknown>>>();

type Exported = (...values: unknown[]) => unknown;

/** Makes a variant of one module current. All other modules use their first variant. */
export function use(address: string, variant: Readonly<Record<string, unknown>>): void {
  inUse.clear();
  inUse.set(address, variant);
}

/** Returns the text of the module that others import. Names that the module re-exports stay as they are. */
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

/**
 * Returns a function or class that forwards to the current variant; returns any other value from the first
 * variant.
 */
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

/** The prototype of a class is read-only. That of a function can be replaced by another. */
function placeholder(): Exported {
  return function passedOn() {
    return undefined;
  };
}
