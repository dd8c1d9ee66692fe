// Rules about transactions: members that a policy does not restrict or cannot read.

import type { PolicyEffect } from '../../base/enums.ts';
import type { CheckedExpression } from '../language/ast.ts';
import type { Clause } from '../language/clause.ts';
import { print } from '../language/printer.ts';
import { childrenOf } from '../language/shape.ts';
import { transactionNamespaces } from '../names/structs.ts';
import { comparisons, conjuncts, namedAlternatives } from './lint_analysis.ts';
import type { ClauseWarning } from './lint_rules.ts';
import { notesOf } from './stored_forms.ts';

export type TransactionRule = (effect: PolicyEffect, condition: Clause) => readonly ClauseWarning[];

export const transactionRules = {
  deny_of_exact_data: whenDenied(({ expression }) =>
    comparisons(expression)
      .filter(({ key }) => notesOf(key).holdsWholeData === true)
      .flatMap(({ subject, literals: [literal] }) =>
        literal === undefined
          ? []
          : [
              {
                position: literal.position,
                message: `data with one more byte passes this DENY: compare its start, such as \`${print(subject)}[0..2]\``,
              },
            ],
      ),
  ),

  deny_of_all: whenDenied(({ expression }) =>
    conjuncts(expression)
      .filter(
        (part) => part.kind === 'lambda' && part.name === 'all' && isOfTransaction(part.target),
      )
      .map(({ position }) => ({
        position,
        message: 'a list with one more element of another kind passes this DENY: write `any`',
      })),
  ),

  transfers_seen_in_part: whenDenied(({ expression }) =>
    nodesOf(expression)
      .filter(
        (node) =>
          node.kind === 'member' &&
          (node.name === 'transfers' || node.name === 'spl_transfers') &&
          isStruct(node.target, 'SolanaTransaction'),
      )
      .slice(0, 1)
      .map(({ position }) => ({
        position,
        message:
          'other instructions move money too, such as transferWithSeed: allow known instructions instead, or deny by `program_key` and `instruction_data_hex` as well',
      })),
  ),

  all_of_nothing: whenAllowed(({ expression }) => {
    const counted = countedLists(expression);
    return conjuncts(expression).flatMap((part) => {
      if (part.kind !== 'lambda' || part.name !== 'all' || !mayBeEmpty(part.target)) return [];
      const list = print(part.target);
      if (counted.has(list)) return [];
      const message = `holds for a request with nothing in \`${list}\`, whatever else it does: add \`${list}.count() > 0\``;
      return [{ position: part.position, message }];
    });
  }),

  every_chain: whenAllowed(({ expression }) =>
    openAlternatives(
      expression,
      (node) => isMember(node, 'EthereumTransaction', ['chain_id']),
      'allows the transaction on every chain: add `eth.tx.chain_id`',
    ),
  ),

  code_delegation_open: whenAllowed(({ expression }) =>
    openAlternatives(
      expression,
      (node) => isMember(node, 'EthereumTransaction', ['type', 'authorization_list']),
      "allows transactions of type 4, which give accounts code: add `eth.tx.type != 'TYPE_4'`, or bound `eth.tx.authorization_list`",
    ),
  ),

  blockhash_may_be_nonce: (_, { expression }) =>
    nodesOf(expression)
      .filter((node) => isMember(node, 'SolanaTransaction', ['recent_blockhash']))
      .slice(0, 1)
      .map(({ position }) => ({
        position,
        message:
          'is a durable nonce if the first instruction is AdvanceNonceAccount: the signed transaction stays valid until that nonce advances',
      })),

  name_of_an_author: whenAllowed(({ expression }) =>
    [
      { struct: 'EthereumTransaction', name: 'function_name', bytes: 'function_signature' },
      { struct: 'ParsedInstruction', name: 'instruction_name', bytes: 'discriminator' },
    ].flatMap(({ struct, name, bytes }) =>
      unlessRead(expression, [struct, [name], bytes], `add \`${bytes}\``),
    ),
  ),

  deny_by_interface: whenDenied(({ expression }) => [
    ...unlessRead(
      expression,
      ['EthereumTransaction', ['function_name', 'function_signature'], 'data'],
      'it is empty without one, so the call passes this DENY: compare `eth.tx.data[0..10]`',
    ),
    ...unlessRead(
      expression,
      ['ParsedInstruction', ['instruction_name'], 'discriminator'],
      'another name passes this DENY: compare `discriminator`',
    ),
  ]),
} satisfies Record<string, TransactionRule>;

/** Warns of the first member that depends on a stored interface, unless the condition reads the bytes too. */
function unlessRead(
  expression: CheckedExpression,
  [struct, names, bytes]: readonly [struct: string, names: readonly string[], bytes: string],
  advice: string,
): readonly ClauseWarning[] {
  const nodes = nodesOf(expression);
  if (nodes.some((node) => isMember(node, struct, [bytes]))) return [];
  return nodes
    .filter((node) => isMember(node, struct, names))
    .slice(0, 1)
    .map(({ position }) => ({
      position,
      message: `comes from the interface that a user stored: ${advice}`,
    }));
}

/** Transactions whose signature covers all lists. Ethereum's lists have other rules. */
const transactionStructs: readonly string[] = transactionNamespaces
  .map(({ transaction }) => transaction)
  .filter((transaction) => transaction !== 'EthereumTransaction');

function whenDenied(rule: (condition: Clause) => readonly ClauseWarning[]): TransactionRule {
  return (effect, condition) => (effect === 'EFFECT_DENY' ? rule(condition) : []);
}

function whenAllowed(rule: (condition: Clause) => readonly ClauseWarning[]): TransactionRule {
  return (effect, condition) => (effect === 'EFFECT_ALLOW' ? rule(condition) : []);
}

/** Finds the first alternative that reads an Ethereum transaction but restricts none of these members. */
function openAlternatives(
  expression: CheckedExpression,
  isBound: (node: CheckedExpression) => boolean,
  message: string,
): readonly ClauseWarning[] {
  return namedAlternatives(expression)
    .flatMap(({ parts, names }) => {
      const transaction = names.find(({ name }) => name === 'eth.tx');
      const isOpen = transaction !== undefined && !parts.flatMap(nodesOf).some(isBound);
      return isOpen ? [{ position: transaction.position, message }] : [];
    })
    .slice(0, 1);
}

function mayBeEmpty(list: CheckedExpression): boolean {
  // Lists in arguments and typed data, such as the recipients of an order.
  if (list.type.kind === 'dynamic') return true;
  if (list.kind === 'lambda') {
    return isOfTransaction(list.target) || list.target.type.kind === 'dynamic';
  }
  return isMember(list, 'SolanaTransaction', ['transfers', 'spl_transfers']);
}

/** Returns the texts of the lists whose elements an expression counts. */
function countedLists(expression: CheckedExpression): ReadonlySet<string> {
  const counts = nodesOf(expression).flatMap((node) =>
    node.kind === 'method' && node.name === 'count' ? [print(node.target)] : [],
  );
  return new Set(counts);
}

function isOfTransaction(list: CheckedExpression): boolean {
  if (list.kind === 'lambda' || list.kind === 'slice') return isOfTransaction(list.target);
  return list.kind === 'member' && transactionStructs.some((each) => isStruct(list.target, each));
}

function isMember(node: CheckedExpression, struct: string, names: readonly string[]): boolean {
  return node.kind === 'member' && names.includes(node.name) && isStruct(node.target, struct);
}

function isStruct({ type }: CheckedExpression, struct: string): boolean {
  return type.kind === 'struct' && type.struct === struct;
}

/** Returns an expression and all its parts, in the order of the text. */
function nodesOf(expression: CheckedExpression): readonly CheckedExpression[] {
  const found: CheckedExpression[] = [];
  const visit = (node: CheckedExpression): void => {
    found.push(node);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(expression);
  return found;
}
