import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyEffect } from '../../../../src/core/base/enums.ts';
import { compileClause } from '../../../../src/core/policy/language/clause.ts';
import { lintPolicy } from '../../../../src/core/policy/lint/lint.ts';
import type { transactionRules } from '../../../../src/core/policy/lint/lint_transactions.ts';

type Rows = {
  readonly effect: PolicyEffect;
  /** Conditions with `@` before the position of the warning. */
  readonly warned: readonly string[];
  readonly silent: readonly string[];
};

const allow = 'EFFECT_ALLOW';
const deny = 'EFFECT_DENY';

const rows: Readonly<Record<keyof typeof transactionRules, Rows>> = {
  deny_of_exact_data: {
    effect: deny,
    warned: [
      "solana.tx.instructions.any(i, i.instruction_data_hex == @'09')",
      "'x' == 'y' || solana.tx.instructions.any(i, i.instruction_data_hex in [@'09', '0a'])",
      "eth.tx.data == @'0xd0e30db0'",
      "tron.tx.contract[0].data == @'d0e30db0'",
      "tempo.tx.calls.any(c, c.input == @'0xd0e30db0')",
    ],
    silent: [
      "solana.tx.instructions.any(i, i.instruction_data_hex[0..2] == '09')",
      "eth.tx.data[0..10] == '0xd0e30db0'",
      "tron.tx.data == 'd0e30db0'",
    ],
  },
  deny_of_all: {
    effect: deny,
    warned: [
      "bitcoin.tx.outputs.@all(o, o.address == 'a')",
      "activity.action == 'SIGN' && tempo.tx.calls.@all(c, c.to == '')",
      "tron.tx.contract.@all(c, c.type == 'TransferContract')",
    ],
    silent: [
      "bitcoin.tx.outputs.any(o, o.address == 'a')",
      "!bitcoin.tx.outputs.all(o, o.address == 'a')",
      'wallet_account.path_hardened.all(h, h)',
    ],
  },
  transfers_seen_in_part: {
    effect: deny,
    warned: [
      "solana.tx.@transfers.any(t, t.to == 'a')",
      "activity.action == 'SIGN' && solana.tx.@spl_transfers.count() > 1",
    ],
    silent: ["solana.tx.program_keys.contains('a')", 'bitcoin.tx.outputs.any(o, o.value > 1)'],
  },
  all_of_nothing: {
    effect: allow,
    warned: [
      "solana.tx.transfers.@all(t, t.to == 'a')",
      "solana.tx.spl_transfers.@all(t, t.to == 'a') && solana.tx.transfers.count() > 0",
      "bitcoin.tx.outputs.filter(o, o.value > 1).@all(o, o.address == 'a')",
      "eth.eip_712.message['consideration'].@all(c, c['recipient'] == 'a')",
      "eth.tx.contract_call_args['recipients'].@all(r, r == 'a')",
      "eth.tx.contract_call_args['recipients'].filter(r, r != 'b').@all(r, r == 'a')",
    ],
    silent: [
      "eth.eip_712.message['to'].count() == 1 && eth.eip_712.message['to'].all(t, t['a'] == 'a')",
      "eth.eip_712.message['to'].any(t, t['a'] == 'a')",
      "solana.tx.transfers.count() > 0 && solana.tx.transfers.all(t, t.to == 'a')",
      "solana.tx.transfers.any(t, t.to == 'a')",
      "bitcoin.tx.outputs.all(o, o.address == 'a')",
    ],
  },
  every_chain: {
    effect: allow,
    warned: ["@eth.tx.to == 'a'", "eth.tx.chain_id == 1 && eth.tx.to == 'a' || @eth.tx.to == 'b'"],
    silent: [
      "eth.tx.chain_id == 1 && eth.tx.to == 'a'",
      "eth.tx.chain_id in [1, 10] && (eth.tx.to == 'a' || eth.tx.to == 'b')",
      'solana.tx.transfers.count() == 1',
    ],
  },
  code_delegation_open: {
    effect: allow,
    warned: ["@eth.tx.to == 'a'", '@eth.tx.chain_id == 1'],
    silent: [
      "eth.tx.type != 'TYPE_4' && eth.tx.to == 'a'",
      "eth.tx.to == 'a' && eth.tx.authorization_list.count() == 0",
      'eth.eip_712.domain.chain_id == 1',
    ],
  },
  blockhash_may_be_nonce: {
    effect: deny,
    warned: ["solana.tx.@recent_blockhash == 'a'"],
    silent: ["solana.tx.program_keys.contains('a')"],
  },
  name_of_an_author: {
    effect: allow,
    warned: [
      "eth.tx.@function_name == 'approve'",
      "solana.tx.instructions.any(i, i.parsed_instruction_data.@instruction_name == 'a')",
    ],
    silent: [
      "eth.tx.function_name == 'approve' && eth.tx.function_signature == '0x095ea7b3'",
      "solana.tx.instructions.any(i, i.parsed_instruction_data.instruction_name == 'a' && i.parsed_instruction_data.discriminator == '01')",
      "eth.tx.function_signature == '0x095ea7b3'",
    ],
  },
  deny_by_interface: {
    effect: deny,
    warned: [
      "eth.tx.@function_name == 'approve'",
      "eth.tx.@function_signature == '0x095ea7b3'",
      "solana.tx.instructions.any(i, i.parsed_instruction_data.@instruction_name == 'a')",
    ],
    silent: [
      "eth.tx.function_signature == '0x095ea7b3' || eth.tx.data[0..10] == '0x095ea7b3'",
      "solana.tx.instructions.any(i, i.parsed_instruction_data.discriminator == '01')",
      "tempo.tx.calls.any(c, c.function_signature == '0x095ea7b3')",
    ],
  },
};

for (const [code, { effect, warned, silent }] of Object.entries(rows)) {
  const positions = (condition: string, of: PolicyEffect) =>
    lintPolicy(
      {
        effect: of,
        condition: compileClause('condition', condition),
        consensus: compileClause('consensus', 'approvers.count() >= 2'),
        time: undefined,
      },
      undefined,
    )
      .filter((warning) => warning.code === code)
      .map(({ position }) => position);

  test(`${code}: at its position, and only there`, () => {
    for (const marked of warned) {
      const condition = marked.replace('@', '');
      assert.deepEqual(positions(condition, effect), [marked.indexOf('@')], condition);
    }
    for (const condition of silent) assert.deepEqual(positions(condition, effect), [], condition);
  });

  if (code === 'blockhash_may_be_nonce') continue;
  test(`${code}: not in a policy with the other effect`, () => {
    const other = effect === allow ? deny : allow;
    for (const marked of warned) {
      assert.deepEqual(positions(marked.replace('@', ''), other), [], marked);
    }
  });
}
