// The calls that explanations read without an interface, for warnings about interfaces that rename them.

import { programs } from '../../chains/solana/programs.ts';
import type { KnownCalls } from '../../contracts/smart_contract_interfaces.ts';
import { wrapperSignature } from '../ethereum/inner_calls.ts';
import { routerSignature } from '../ethereum/router_calls.ts';
import { standardSignature } from '../ethereum/standard_calls.ts';

const readPrograms: ReadonlySet<string> = new Set(Object.values(programs));

export const knownCalls: KnownCalls = {
  signatureOf: (selector) =>
    standardSignature(selector) ?? wrapperSignature(selector) ?? routerSignature(selector),
  isProgram: (address) => readPrograms.has(address),
};
