// What a checked expression comes to. It walks the tree; what fails throws, and is noted on the way,
// since everything is evaluated even when something before it failed.

import type { Types } from './checker.ts';
import { elementOf, namespaceHolders, otherSpellings } from './names.ts';
import type { Tree } from './reader.ts';
import { isInSpan, readCron, readDurationMinutes, readTimestamp } from './time.ts';

/** Facts, as the contract of the language has them. */
export type Value =
  | boolean
  | bigint
  | string
  | { readonly caseless: string }
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | { readonly [member: string]: Value | undefined };

export type FailureCode =
  | 'namespace_absent'
  | 'member_missing'
  | 'key_missing'
  | 'index_out_of_range'
  | 'type_mismatch'
  | 'number_out_of_range';

export type Outcome =
  | { readonly value: boolean }
  /** The code that counts, and all that was met. */
  | { readonly failure: FailureCode; readonly met: ReadonlySet<FailureCode> };

/** Evaluates a checked clause on facts. */
export function evaluate(tree: Tree, types: Types, clause: string, scope: Value): Outcome {
  const interpreter = new Interpreter(types, clause, scope);
  try {
    return { value: interpreter.boolean(tree) };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const met = interpreter.failures;
    const failure = met.find((code) => code !== 'namespace_absent') ?? 'namespace_absent';
    return { failure, met: new Set(met) };
  }
}

class Failed extends Error {}

class Interpreter {
  readonly failures: FailureCode[] = [];
  private readonly variables = new Map<string, Value>();
  private readonly types: Types;
  private readonly clause: string;
  private readonly scope: Value;

  constructor(types: Types, clause: string, scope: Value) {
    this.types = types;
    this.clause = clause;
    this.scope = scope;
  }

  boolean(tree: Tree): boolean {
    return this.value(tree, 'bool') === true;
  }

  /** The value of a node, which must be of use to who asks, whatever else fails beside it. */
  private value(tree: Tree, use: Use): Value {
    return this.used(this.find(tree), this.typeOf(tree), use);
  }

  private typeOf(tree: Tree): string {
    return this.types.get(tree) ?? '';
  }

  private find(tree: Tree): Value {
    switch (tree.kind) {
      case 'literal':
        return tree.value;
      case 'list':
        return this.all(tree.items.map((item) => [item, 'compared']));
      case 'name':
        return this.variables.get(tree.name) ?? this.member(this.scope, this.clause, tree.name);
      case 'member':
        return this.member(this.value(tree.of, 'any'), this.typeOf(tree.of), tree.name);
      case 'method':
        return this.method(tree.of, tree.name, tree.inputs);
      case 'function':
        return this.function(tree.name, tree.inputs);
      case 'index':
        return this.index(tree.of, tree.index);
      case 'slice':
        return this.slice(tree.of, tree.from, tree.to);
      case 'not':
        return !this.boolean(tree.of);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right);
    }
  }

  /** The values of all, though one may fail: then the whole fails after the last. */
  private all(wanted: readonly (readonly [Tree, Use])[]): Value[] {
    const values: Value[] = [];
    for (const [tree, use] of wanted) {
      try {
        values.push(this.value(tree, use));
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }
    if (values.length < wanted.length) throw new Failed();
    return values;
  }

  private pair(left: Tree, leftUse: Use, right: Tree, rightUse: Use): [Value, Value] {
    const [one, other] = this.all([
      [left, leftUse],
      [right, rightUse],
    ]);
    if (one === undefined || other === undefined) throw new Failed();
    return [one, other];
  }

  private fail(code: FailureCode): never {
    this.failures.push(code);
    throw new Failed();
  }

  private member(of: Value, struct: string, name: string): Value {
    if (struct === 'dynamic') return this.fail('type_mismatch');
    const fact = isStruct(of) ? memberOf(of, otherSpellings.get(name) ?? name) : undefined;
    if (fact !== undefined) return fact;
    return this.fail(namespaceHolders.has(struct) ? 'namespace_absent' : 'member_missing');
  }

  private index(container: Tree, key: Tree): Value {
    const [containerUse, keyUse] = this.usesOfIndex(this.typeOf(container), this.typeOf(key));
    const [of, index] = this.pair(container, containerUse, key, keyUse);
    if (of instanceof Map) {
      const name = textOf(index);
      if (name === undefined) return this.fail('type_mismatch');
      return of.get(name) ?? this.fail('key_missing');
    }
    if (typeof index !== 'bigint') return this.fail('type_mismatch');
    const items = this.itemsOf(of);
    const item = index < 0n ? undefined : items[Number(index)];
    if (item === undefined) return this.fail('index_out_of_range');
    return item;
  }

  private usesOfIndex(container: string, key: string): [Use, Use] {
    if (elementOf(container, 'map') !== undefined) return ['any', 'text'];
    if (container !== 'dynamic') return ['any', 'number'];
    if (key === 'int') return ['sequence', 'number'];
    return key === 'string' ? ['map', 'text'] : ['any', 'compared'];
  }

  private slice(whole: Tree, first: Tree, end: Tree): Value {
    const [of, from, to] = this.all([
      [whole, 'sequence'],
      [first, 'number'],
      [end, 'number'],
    ]);
    if (of === undefined || typeof from !== 'bigint' || typeof to !== 'bigint') throw new Failed();
    const items = this.itemsOf(of);
    if (from < 0n || from > to || to > BigInt(items.length)) return this.fail('index_out_of_range');
    const part = items.slice(Number(from), Number(to));
    if (Array.isArray(of)) return part;
    const text = part.map((character) => textOf(character) ?? '').join('');
    return isCaseless(of) ? { caseless: text } : text;
  }

  /** The elements of a list, or the characters of a text, each as case-blind as the text. */
  private itemsOf(of: Value): readonly Value[] {
    if (Array.isArray(of)) return of;
    const text = textOf(of);
    if (text === undefined) return this.fail('type_mismatch');
    return [...text].map((character) => (isCaseless(of) ? { caseless: character } : character));
  }

  private method(of: Tree, name: string, inputs: readonly Tree[]): Value {
    const [first, second] = inputs;
    if (name === 'contains' && first !== undefined) return this.isAmong(of, [of, first]);
    const list = this.value(of, 'list');
    if (!Array.isArray(list)) throw new Failed();
    if (name === 'count') return BigInt(list.length);
    if (first?.kind !== 'name' || second === undefined) throw new Error('not checked');
    const held = this.holding(list, first.name, second);
    if (name === 'filter') return held;
    return name === 'any' ? held.length > 0 : held.length === list.length;
  }

  /** The elements for which a predicate holds; it is asked of every one. */
  private holding(list: readonly Value[], variable: string, predicate: Tree): Value[] {
    const held: Value[] = [];
    let failed = 0;
    for (const item of list) {
      this.variables.set(variable, item);
      try {
        if (this.boolean(predicate)) held.push(item);
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        failed += 1;
      }
    }
    this.variables.delete(variable);
    if (failed > 0) throw new Failed();
    return held;
  }

  private function(name: string, inputs: readonly Tree[]): Value {
    const texts = this.all(inputs.map((input) => [input, 'text'])).map(
      (value) => textOf(value) ?? '',
    );
    const [first = '', second = '', third = ''] = texts;
    if (name === 'CaseInsensitiveString') return lower(first);
    if (name === 'Timestamp') return readTimestamp(first);
    const now = this.member(this.member(this.scope, 'time', 'time'), 'Clock', 'now');
    if (typeof now !== 'bigint') return this.fail('type_mismatch');
    return isInSpan(now, readCron(first), readDurationMinutes(second), third);
  }

  private binary(operator: string, left: Tree, right: Tree): boolean {
    if (operator === '&&' || operator === '||') {
      const [one, other] = this.pair(left, 'bool', right, 'bool');
      return operator === '&&' ? one === true && other === true : one === true || other === true;
    }
    if (operator === 'in') return this.isAmong(right, [left, right]);
    if (operator === '==' || operator === '!=') {
      const [one, other] = this.pair(left, 'compared', right, 'compared');
      return this.areEqual(one, other) === (operator === '==');
    }
    const [one, other] = this.pair(left, 'number', right, 'number');
    if (operator === '<') return one < other;
    if (operator === '<=') return one <= other;
    if (operator === '>') return one > other;
    return one >= other;
  }

  /** Whether a list has an element; every element is compared. */
  private isAmong(listTree: Tree, order: readonly [Tree, Tree]): boolean {
    const element = elementOf(this.typeOf(listTree), 'list') ?? 'dynamic';
    const values = this.all(order.map((tree) => [tree, tree === listTree ? 'list' : 'compared']));
    const [list, wanted] = order[0] === listTree ? values : values.toReversed();
    if (!Array.isArray(list) || wanted === undefined) throw new Failed();
    let found = false;
    let failed = false;
    for (const item of list) {
      try {
        if (this.areEqual(wanted, this.used(item, element, 'compared'))) found = true;
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        failed = true;
      }
    }
    if (failed) throw new Failed();
    return found;
  }

  private areEqual(one: Value, other: Value): boolean {
    const texts = [textOf(one), textOf(other)];
    const [left, right] = texts;
    if (left !== undefined && right !== undefined) {
      return isCaseless(one) || isCaseless(other) ? lower(left) === lower(right) : left === right;
    }
    const isScalar = typeof one === 'boolean' || typeof one === 'bigint';
    if (!isScalar || typeof one !== typeof other) return this.fail('type_mismatch');
    return one === other;
  }

  /** Only a value of a map can be of no use here; integers are read within their range. */
  private used(value: Value, type: string, use: Use): Value {
    if (!isOfUse[use](value)) return this.fail('type_mismatch');
    const isRead = use === 'number' || use === 'compared';
    if (typeof value !== 'bigint' || type === 'timestamp' || !isRead) return value;
    const [lowest, highest] =
      type === 'uint' || type === 'wide' ? [0n, 2n ** 256n - 1n] : [-(2n ** 127n), 2n ** 127n - 1n];
    return value < lowest || value > highest ? this.fail('number_out_of_range') : value;
  }
}

/** What a value is needed for. */
type Use = 'any' | 'bool' | 'number' | 'text' | 'compared' | 'list' | 'sequence' | 'map';

const isOfUse: Readonly<Record<Use, (value: Value) => boolean>> = {
  any: () => true,
  // What cannot be compared with the other side is seen when both are there.
  compared: () => true,
  bool: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'bigint',
  text: (value) => textOf(value) !== undefined,
  list: (value) => Array.isArray(value),
  sequence: (value) => Array.isArray(value) || textOf(value) !== undefined,
  map: (value) => value instanceof Map,
};

type Struct = { readonly [member: string]: Value | undefined };

function isStruct(value: Value): value is Struct {
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Map) return false;
  return !isCaseless(value);
}

function memberOf(struct: Struct, name: string): Value | undefined {
  return Object.hasOwn(struct, name) ? struct[name] : undefined;
}

function isCaseless(value: Value): value is { readonly caseless: string } {
  return typeof value === 'object' && 'caseless' in value;
}

function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return isCaseless(value) ? value.caseless : undefined;
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
