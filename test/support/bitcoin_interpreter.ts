// Checks with the script interpreter of bitcore-lib whether a node would accept the inputs of a transaction.

import { createRequire } from 'node:module';

/** An output that a transaction spends. */
export type Spent = { readonly value: bigint; readonly script: Uint8Array };

/**
 * Runs the scripts of every input under the consensus and relay rules. Returns for each input whether it may
 * spend its output.
 */
export function spends(transactionHex: string, spent: readonly Spent[]): readonly boolean[] {
  const transaction = new Transaction(transactionHex);
  const scripts = spent.map(({ script }) => Script.fromBuffer(Buffer.from(script)));
  for (const [i, input] of transaction.inputs.entries()) {
    input.output = new Transaction.Output({
      satoshis: Number(spent[i]?.value),
      script: scripts[i],
    });
  }
  return transaction.inputs.map((input, i) =>
    new Script.Interpreter().verify(
      input.script,
      scripts[i],
      transaction,
      i,
      flags(),
      input.getWitnesses?.() ?? input.witnesses ?? [],
      Number(spent[i]?.value),
    ),
  );
}

/**
 * Returns all flags except the clean stack rule, which the package also applies to the outer script of
 * witnesses.
 */
function flags(): number {
  const names = [
    'P2SH',
    'STRICTENC',
    'DERSIG',
    'LOW_S',
    'NULLDUMMY',
    'SIGPUSHONLY',
    'MINIMALDATA',
    'WITNESS',
    'WITNESS_PUBKEYTYPE',
    'TAPROOT',
  ];
  return names.reduce((all, name) => all | Number(Script.Interpreter[`SCRIPT_VERIFY_${name}`]), 0);
}

/** The part of the package in use; the package has no types. */
type Bitcore = {
  readonly Transaction: {
    new (
      hex: string,
    ): {
      readonly inputs: {
        readonly script: unknown;
        readonly witnesses: unknown;
        readonly getWitnesses?: () => unknown;
        output: unknown;
      }[];
    };
    readonly Output: new (output: { satoshis: number; script: unknown }) => unknown;
  };
  readonly Script: {
    readonly fromBuffer: (buffer: Buffer) => unknown;
    readonly Interpreter: {
      new (): {
        verify(
          inputScript: unknown,
          outputScript: unknown,
          transaction: unknown,
          input: number,
          flags: number,
          witnesses: unknown,
          satoshis: number,
        ): boolean;
      };
      readonly [flag: `SCRIPT_VERIFY_${string}`]: number;
    };
  };
};

const { Transaction, Script }: Bitcore = createRequire(import.meta.url)('bitcore-lib');
