import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';

export const ethereum = 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' as const;
export const solana = 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA';

export const tokenAddress = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const programAddress = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

export const tokenAbi = JSON.stringify([
  {
    type: 'function',
    name: 'transfer',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
]);
export const programIdl = JSON.stringify({
  instructions: [{ name: 'transfer', accounts: [], args: [{ name: 'amount', type: 'u64' }] }],
  types: [],
});

/** Returns a contract in the form of requests. */
export const describedContract = (changes: object = {}) => ({
  smartContractAddress: tokenAddress,
  smartContractInterface: tokenAbi,
  type: ethereum,
  label: 'Token',
  notes: '',
  ...changes,
});

/** Creates an interface as the root user; returns its id. */
export async function makeInterface(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const { status, body } = await service.submit(
    'create_smart_contract_interface',
    'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE',
    describedContract(changes),
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createSmartContractInterfaceResult.smartContractInterfaceId;
}

/** Returns the ids of the shown interfaces, in their order. */
export async function shownInterfaceIds(service: TestService, as: Sender = {}): Promise<string[]> {
  const { status, body } = await service.query('list_smart_contract_interfaces', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.smartContractInterfaces.map(
    (found: { smartContractInterfaceId: string }) => found.smartContractInterfaceId,
  );
}

/** Returns an ABI of about this length: one function with a long list of unused outputs. */
export function abiOfLength(characters: number): string {
  const [entry] = JSON.parse(tokenAbi);
  const short = JSON.stringify([{ ...entry, comment: '' }]);
  return JSON.stringify([{ ...entry, comment: 'x'.repeat(characters - short.length) }]);
}
