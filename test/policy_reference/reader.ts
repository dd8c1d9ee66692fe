// The grammar of the policy language, read by precedence climbing over one list of tokens.
// This folder shares no code with src/core/policy/language: it is a second opinion on it.

/** A node and the character where it starts. */
export type Tree = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: boolean | bigint | string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Tree; readonly name: string }
  | {
      readonly kind: 'method';
      readonly of: Tree;
      readonly name: string;
      readonly inputs: readonly Tree[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly inputs: readonly Tree[] }
  | { readonly kind: 'index'; readonly of: Tree; readonly index: Tree }
  | { readonly kind: 'slice'; readonly of: Tree; readonly from: Tree; readonly to: Tree }
  | { readonly kind: 'not'; readonly of: Tree }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Tree;
      readonly right: Tree;
    }
);

/** A text that is not an expression of the language, because of its grammar or its types. */
export class Refused extends Error {}

/** Parses the expression in a text. Raises `Refused`. */
export function read(text: string): Tree {
  const reader = new Reader(tokensOf(text));
  const tree = reader.expression(0);
  reader.take('end');
  return tree;
}

/** Returns the tokens of a text, with the spelling and the kind of each. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    if (match === null) throw new Refused(`no token at ${at}`);
    const [spelling, integer, word, string] = match;
    if (integer !== undefined) tokens.push({ kind: 'integer', spelling, at });
    else if (word !== undefined)
      tokens.push({ kind: words.has(word) ? word : 'identifier', spelling, at });
    else if (string !== undefined) tokens.push({ kind: 'string', spelling, at });
    else if (spelling.trim() !== '') tokens.push({ kind: spelling, spelling, at });
    at += spelling.length;
  }
  tokens.push({ kind: 'end', spelling: '', at });
  return tokens;
}

type Token = { readonly kind: string; readonly spelling: string; readonly at: number };

const tokenPattern =
  /[ \t\r\n]+|(-?[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|('[^']*')|\|\||&&|==|!=|<=|>=|\.\.|[<>!.,()[\]]/y;
const words = new Set(['true', 'false', 'in']);

/** The precedence of each operator. Comparisons cannot be chained. */
const strengths: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  in: 3,
};
const strengthOfComparison = 3;
const strengthOfNot = 4;
const deepest = 2_000;

class Reader {
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** Reads on while operators with a higher precedence than `weakest` follow. */
  expression(weakest: number): Tree {
    this.depth += 1;
    if (this.depth > deepest) throw new Refused('nested too deeply');
    let left = this.operand();
    let compared = false;
    for (;;) {
      const { kind: operator, at } = this.peek();
      const strength = strengths[operator] ?? 0;
      if (strength <= weakest) break;
      if (strength === strengthOfComparison && compared) {
        throw new Refused(`a comparison of a comparison at ${at}`);
      }
      compared = strength === strengthOfComparison;
      this.take(operator);
      const right = this.expression(strength);
      left = { kind: 'binary', operator, left, right, at: left.at };
    }
    this.depth -= 1;
    return left;
  }

  take(kind: string): Token {
    const token = this.peek();
    if (token.kind !== kind) {
      throw new Refused(`expected ${kind}, found ${token.kind} at ${token.at}`);
    }
    this.next += 1;
    return token;
  }

  private peek(): Token {
    const token = this.tokens[this.next];
    if (token === undefined) throw new Refused('the text ends too early');
    return token;
  }

  private takeIf(kind: string): boolean {
    if (this.peek().kind !== kind) return false;
    this.take(kind);
    return true;
  }

  private operand(): Tree {
    const { kind, at } = this.peek();
    if (kind !== '!') return this.postfix(this.primary());
    this.take('!');
    return { kind: 'not', of: this.expression(strengthOfNot), at };
  }

  private primary(): Tree {
    const { kind, spelling, at } = this.peek();
    this.next += 1;
    switch (kind) {
      case 'true':
      case 'false':
        return { kind: 'literal', value: kind === 'true', at };
      case 'integer':
        return { kind: 'literal', value: BigInt(spelling), at };
      case 'string':
        return { kind: 'literal', value: spelling.slice(1, -1), at };
      case 'identifier':
        if (this.takeIf('('))
          return { kind: 'function', name: spelling, inputs: this.upTo(')'), at };
        return { kind: 'name', name: spelling, at };
      case '[':
        return { kind: 'list', items: this.upTo(']'), at };
      case '(': {
        const inner = this.expression(0);
        this.take(')');
        return inner;
      }
      default:
        throw new Refused(`expected an operand, found ${kind} at ${at}`);
    }
  }

  private postfix(start: Tree): Tree {
    let tree = start;
    for (;;) {
      const { at } = tree;
      if (this.takeIf('.')) {
        const name = this.take('identifier').spelling;
        tree = this.takeIf('(')
          ? { kind: 'method', of: tree, name, inputs: this.upTo(')'), at }
          : { kind: 'member', of: tree, name, at };
      } else if (this.takeIf('[')) {
        const from = this.expression(0);
        if (this.takeIf('..')) {
          tree = { kind: 'slice', of: tree, from, to: this.expression(0), at };
        } else {
          tree = { kind: 'index', of: tree, index: from, at };
        }
        this.take(']');
      } else {
        return tree;
      }
    }
  }

  private upTo(closing: string): Tree[] {
    const trees: Tree[] = [];
    if (this.takeIf(closing)) return trees;
    do {
      trees.push(this.expression(0));
    } while (this.takeIf(','));
    this.take(closing);
    return trees;
  }
}
