import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedRows } from '../../../src/core/payload/eip712_rows.ts';
import { address, mail, read } from './typed_data_samples.ts';

test('each value is listed with its path and type, those of the domain first', () => {
  assert.deepEqual(typedRows(read(mail)), [
    { path: 'domain.name', type: 'string', text: 'Mail' },
    { path: 'domain.chainId', type: 'uint256', text: '1' },
    { path: 'domain.verifyingContract', type: 'address', text: `0x${'ab'.repeat(20)}` },
    { path: 'message.from.name', type: 'string', text: 'Cow' },
    { path: 'message.from.wallet', type: 'address', text: address },
    { path: 'message.cc[0].name', type: 'string', text: 'Bob' },
    { path: 'message.cc[0].wallet', type: 'address', text: address },
    { path: 'message.amount', type: 'uint256', text: '100' },
  ]);
});

test('values of every other kind are listed as text', () => {
  const types = {
    Note: [
      { name: 'isPaid', type: 'bool' },
      { name: 'code', type: 'bytes2' },
      { name: 'data', type: 'bytes' },
      { name: 'rows', type: 'int8[][]' },
    ],
  };
  const message = { isPaid: true, code: '0x0a0b', data: '0x', rows: [[-1, 2], [], [3]] };
  const rows = typedRows(
    read({ types: { ...types, EIP712Domain: [] }, domain: {}, primaryType: 'Note', message }),
  );
  assert.deepEqual(
    rows.map(({ path, type, text }) => `${path} ${type} ${text}`),
    [
      'message.isPaid bool true',
      'message.code bytes2 0x0a0b',
      'message.data bytes 0x',
      'message.rows[0][0] int8 -1',
      'message.rows[0][1] int8 2',
      'message.rows[2][0] int8 3',
    ],
  );
});

test('an undeclared member is not listed', () => {
  const message = { ...mail.message, spender: address };
  assert.deepEqual(typedRows(read({ ...mail, message })), typedRows(read(mail)));
});
