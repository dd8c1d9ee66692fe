// Decodes instructions of the system program and of both token programs.

import type { EncodedInstruction } from './instruction.ts';
import { programs } from './programs.ts';
import { readSystemCall, type SystemCall } from './system_program.ts';
import { readTokenCall, type TokenCall } from './token_program.ts';

type ReadCall = (instruction: EncodedInstruction, place: string) => SystemCall | TokenCall;

const readers: ReadonlyMap<string, ReadCall> = new Map<string, ReadCall>([
  [programs.system, readSystemCall],
  [programs.token, readTokenCall],
  [programs.token2022, readTokenCall],
]);

/** Decodes an instruction; returns undefined for other programs. Rejects malformed instructions. */
export function readCall(
  program: string | undefined,
  instruction: EncodedInstruction,
  place: string,
): SystemCall | TokenCall | undefined {
  return program === undefined ? undefined : readers.get(program)?.(instruction, place);
}
