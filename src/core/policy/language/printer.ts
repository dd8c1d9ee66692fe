// Writes a tree as text with the fewest parentheses. Parsing the text returns the same tree.

import type { Tree } from './ast.ts';

/** Returns the canonical text of an expression. */
export function print(node: Tree<object>): string {
  switch (node.kind) {
    case 'boolean':
      return String(node.value);
    case 'integer':
      return node.value.toString();
    case 'text':
      return `'${node.value}'`;
    case 'list':
      return `[${printItems(node.items)}]`;
    case 'name':
      return node.name;
    case 'function':
      return `${node.name}(${printItems(node.items)})`;
    case 'member':
      return `${printWithin('postfix', node.target)}.${node.name}`;
    case 'method':
      return `${printWithin('postfix', node.target)}.${node.name}(${printItems(node.items)})`;
    case 'lambda': {
      const target = printWithin('postfix', node.target);
      return `${target}.${node.name}(${node.variable}, ${print(node.predicate)})`;
    }
    case 'index':
      return `${printWithin('postfix', node.target)}[${print(node.index)}]`;
    case 'slice': {
      const target = printWithin('postfix', node.target);
      return `${target}[${print(node.from)}..${print(node.to)}]`;
    }
    case 'not':
      return `!${printWithin('unary', node.operand)}`;
    case 'comparison': {
      const left = printWithin('unary', node.left);
      return `${left} ${node.operator} ${printWithin('unary', node.right)}`;
    }
    case 'and':
      return node.operands.map((operand) => printWithin('comparison', operand)).join(' && ');
    case 'or':
      return node.operands.map((operand) => printWithin('and', operand)).join(' || ');
  }
}

/** Binding strength of each grammar rule; weaker operands need parentheses. */
const tightness = { or: 0, and: 1, comparison: 2, unary: 3, postfix: 4 };

function printWithin(rule: keyof typeof tightness, node: Tree<object>): string {
  return tightness[ruleOf(node)] < tightness[rule] ? `(${print(node)})` : print(node);
}

function ruleOf({ kind }: Tree<object>): keyof typeof tightness {
  if (kind === 'not') return 'unary';
  return kind === 'or' || kind === 'and' || kind === 'comparison' ? kind : 'postfix';
}

function printItems(items: readonly Tree<object>[]): string {
  return items.map(print).join(', ');
}
