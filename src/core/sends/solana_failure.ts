// Describes the failure of a Solana transaction as reported by a node: bounded, and without characters that
// could hide text.

import type { SendError, SolanaFailure } from '../organization/records/sends.ts';

const maximumLogs = 64;
const maximumCharacters = { line: 512, json: 4_096, message: 256 } as const;

/** A reported failure; members may lack a value. */
export type ReportedFailure = {
  readonly [member in keyof SolanaFailure]-?:
    | SolanaFailure[member]
    | (member extends 'source' ? never : undefined);
};

/** Returns the failure with truncated texts, and a sentence about it. */
export function solanaErrorOf(
  failure: Partial<ReportedFailure> & Pick<ReportedFailure, 'source'>,
): SendError {
  const { source, transactionErrorJson, logs, unitsConsumed, innerInstructionsJson } = failure;
  return {
    message: sentenceOf(transactionErrorJson),
    solana: {
      source: visible(source, maximumCharacters.line),
      ...(transactionErrorJson === undefined
        ? {}
        : { transactionErrorJson: visible(transactionErrorJson, maximumCharacters.json) }),
      ...(logs === undefined
        ? {}
        : {
            logs: logs.slice(0, maximumLogs).map((line) => visible(line, maximumCharacters.line)),
          }),
      ...(unitsConsumed === undefined ? {} : { unitsConsumed: visible(unitsConsumed, 20) }),
      // Truncated JSON would be invalid, so longer text is omitted.
      ...(innerInstructionsJson === undefined ||
      innerInstructionsJson.length > maximumCharacters.json
        ? {}
        : { innerInstructionsJson }),
    },
  };
}

/** `InstructionError` contains the index of the instruction. */
function sentenceOf(transactionErrorJson: string | undefined): string {
  const text = visible(transactionErrorJson ?? 'unknown', maximumCharacters.message);
  const of = /^\{"InstructionError":\[([0-9]+),(.+)\]\}$/.exec(text);
  if (of === null) return `the transaction failed: ${text.replaceAll('"', '')}`;
  return `instruction ${of[1]} failed: ${(of[2] ?? '').replaceAll('"', '')}`;
}

/** Removes characters that could move or hide other text, since programs choose these words. */
function visible(text: string, maximum: number): string {
  return text.replace(/[^ -~]/g, '?').slice(0, maximum);
}
