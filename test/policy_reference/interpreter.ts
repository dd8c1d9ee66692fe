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
    const value = this.value(tree);
    return typeof value === 'boolean' ? value : this.fail('type_mismatch');
  }

  private value(tree: Tree): Value {
    return this.inRange(this.find(tree), this.types.get(tree) ?? '');
  }

  private find(tree: Tree): Value {
    switch (tree.kind) {
      case 'literal':
        return tree.value;
      case 'list':
        return this.all(tree.items);
      case 'name':
        return this.variables.get(tree.name) ?? this.member(this.scope, this.clause, tree.name);
      case 'member':
        return this.member(this.value(tree.of), this.types.get(tree.of) ?? '', tree.name);
      case 'method':
        return this.method(tree.of, tree.name, tree.inputs);
      case 'function':
        return this.function(tree.name, tree.inputs);
      case 'index':
        return this.index(...this.pair(tree.of, tree.index));
      case 'slice': {
        const [of, from, to] = this.all([tree.of, tree.from, tree.to]);
        return this.slice(of, from, to);
      }
      case 'not':
        return !this.boolean(tree.of);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right);
    }
  }

  /** The values of all, though one may fail: then the whole fails after the last. */
  private all(trees: readonly Tree[]): Value[] {
    const values: Value[] = [];
    for (const tree of trees) {
      const value = this.attempt(tree);
      if (value !== undefined) values.push(value);
    }
    if (values.length < trees.length) throw new Failed();
    return values;
  }

  private pair(left: Tree, right: Tree): [Value, Value] {
    const [one, other] = this.all([left, right]);
    if (one === undefined || other === undefined) throw new Failed();
    return [one, other];
  }

  private attempt(tree: Tree): Value | undefined {
    try {
      return this.value(tree);
    } catch (error) {
      if (error instanceof Failed) return undefined;
      throw error;
    }
  }

  /** Both sides of `&&` or `||`: each is evaluated and must be bool, whatever the other is. */
  private booleans(left: Tree, right: Tree): boolean[] {
    const found: boolean[] = [];
    for (const tree of [left, right]) {
      try {
        found.push(this.boolean(tree));
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }
    if (found.length < 2) throw new Failed();
    return found;
  }

  private fail(code: FailureCode): never {
    this.failures.push(code);
    throw new Failed();
  }

  private member(of: Value, struct: string, name: string): Value {
    const fact = isStruct(of) ? memberOf(of, otherSpellings.get(name) ?? name) : undefined;
    if (fact !== undefined) return fact;
    return this.fail(namespaceHolders.has(struct) ? 'namespace_absent' : 'member_missing');
  }

  private index(of: Value, index: Value): Value {
    if (of instanceof Map) {
      const key = textOf(index);
      if (key === undefined) return this.fail('type_mismatch');
      return of.get(key) ?? this.fail('key_missing');
    }
    if (typeof index !== 'bigint') return this.fail('type_mismatch');
    const items = this.itemsOf(of);
    const item = index < 0n ? undefined : items[Number(index)];
    if (item === undefined) return this.fail('index_out_of_range');
    return item;
  }

  private slice(of: Value | undefined, from: Value | undefined, to: Value | undefined): Value {
    if (of === undefined || typeof from !== 'bigint' || typeof to !== 'bigint') {
      return this.fail('type_mismatch');
    }
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
    if (name === 'contains' && first !== undefined) {
      const [list, wanted] = this.pair(of, first);
      return this.isAmong(wanted, list, this.types.get(of) ?? '');
    }
    const list = this.value(of);
    if (!Array.isArray(list)) return this.fail('type_mismatch');
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
    const texts = this.all(inputs).map((value) => textOf(value) ?? this.fail('type_mismatch'));
    const [first = '', second = '', third = ''] = texts;
    if (name === 'CaseInsensitiveString') return lower(first);
    if (name === 'Timestamp') return readTimestamp(first);
    const now = this.member(this.member(this.scope, 'time', 'time'), 'Clock', 'now');
    if (typeof now !== 'bigint') return this.fail('type_mismatch');
    return isInSpan(now, readCron(first), readDurationMinutes(second), third);
  }

  private binary(operator: string, left: Tree, right: Tree): boolean {
    if (operator === '&&') return !this.booleans(left, right).includes(false);
    if (operator === '||') return this.booleans(left, right).includes(true);
    const [one, other] = this.pair(left, right);
    if (operator === 'in') return this.isAmong(one, other, this.types.get(right) ?? '');
    if (operator === '==') return this.areEqual(one, other);
    if (operator === '!=') return !this.areEqual(one, other);
    if (typeof one !== 'bigint' || typeof other !== 'bigint') return this.fail('type_mismatch');
    if (operator === '<') return one < other;
    if (operator === '<=') return one <= other;
    if (operator === '>') return one > other;
    return one >= other;
  }

  private isAmong(wanted: Value, list: Value, type: string): boolean {
    if (!Array.isArray(list)) return this.fail('type_mismatch');
    const element = elementOf(type, 'list') ?? 'dynamic';
    const found = list.map((item) => this.areEqual(wanted, this.inRange(item, element)));
    return found.includes(true);
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

  /** Integers are read within the range of their type. */
  private inRange(value: Value, type: string): Value {
    if (typeof value !== 'bigint' || type === 'timestamp') return value;
    const [lowest, highest] =
      type === 'uint' || type === 'wide' ? [0n, 2n ** 256n - 1n] : [-(2n ** 127n), 2n ** 127n - 1n];
    return value < lowest || value > highest ? this.fail('number_out_of_range') : value;
  }
}

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
