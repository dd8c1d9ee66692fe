// Every refusal of typed data, and the path that it names.

import { test } from 'node:test';
import { serializeTypedData } from 'viem';
import { readTypedData } from '../../../src/core/payload/eip712.ts';
import { refuses } from './refusals.ts';
import { address, mail, one, path, read, row } from './typed_data_samples.ts';

const typed = (types: unknown) => ({ ...mail, types });
const domainOf = (domain: unknown) => ({ ...mail, domain });
const without = (name: string) =>
  Object.fromEntries(Object.entries(mail).filter(([member]) => member !== name));

const refused: [string, unknown, string, RegExp][] = [
  // the object
  ['an array', [], '', /expected a JSON object, got an array/],
  ['no types', without('types'), '.types', /missing/],
  ['no domain', without('domain'), '.domain', /missing/],
  ['no primaryType', without('primaryType'), '.primaryType', /missing/],
  ['no message', without('message'), '.message', /missing/],
  ['a null message', { ...mail, message: null }, '.message', /got null/],
  ['an undeclared primary type', { ...mail, primaryType: 'X' }, '.primaryType', /not declared/],
  ['a primary type that is a list', { ...mail, primaryType: 'Mail[]' }, '.primaryType', /declared/],
  ['a primary type that is atomic', { ...mail, primaryType: 'bool' }, '.primaryType', /declared/],
  ['a primary type that is no name', { ...mail, primaryType: 1 }, '.primaryType', /got a number/],
  ['the domain as message', { ...mail, primaryType: 'EIP712Domain' }, '.primaryType', /message/],
  // the types
  ['types that are a list', typed([]), '.types', /got an array/],
  ['a struct that is no list', typed({ Mail: {} }), '.types.Mail', /array, got an object/],
  ['a member that is no object', typed({ Mail: ['a'] }), '.types.Mail.0', /got a string/],
  ['a member without name', typed({ Mail: [{ type: 'bool' }] }), '.types.Mail.0.name', /missing/],
  ['a member without type', typed({ Mail: [{ name: 'a' }] }), '.types.Mail.0.type', /missing/],
  ['an unknown type', one('Unknown', 1), '.types.One.0.type', /unknown type `Unknown`/],
  ['the alias uint', one('uint', 1), '.types.One.0.type', /expected `uint256`/],
  ['the alias int in an array', one('int[]', []), '.types.One.0.type', /expected `int256`/],
  ['a width that is no multiple of 8', one('uint7', 1), '.types.One.0.type', /unknown type/],
  ['a width with a leading zero', one('uint08', 1), '.types.One.0.type', /unknown type/],
  ['a width over 256', one('int264', 1), '.types.One.0.type', /unknown type/],
  ['a width of zero', one('bytes0', '0x'), '.types.One.0.type', /unknown type/],
  ['33 bytes', one('bytes33', '0x'), '.types.One.0.type', /unknown type/],
  ['an array of no elements', one('bool[0]', []), '.types.One.0.type', /unknown type/],
  ['an array length with a zero', one('bool[01]', [true]), '.types.One.0.type', /unknown type/],
  ['an array without end', one('bool[', []), '.types.One.0.type', /unknown type/],
  ['a type with a space', one('bool ', true), '.types.One.0.type', /unknown type/],
  ['a declared atomic type', one('bool', true, { uint8: [] }), '.types', /atomic/],
  ['a declared alias', one('bool', true, { uint: [] }), '.types', /atomic/],
  [
    'a type name with brackets',
    one('bool', true, { 'A(bool b)': [] }),
    '.types',
    /expected a name/,
  ],
  ['a type name that is empty', one('bool', true, { '': [] }), '.types', /expected a name/],
  ['a type name beyond ASCII', one('bool', true, { é: [] }), '.types', /expected a name/],
  ['a type name with a line end', one('bool', true, { 'A\n': [] }), '.types', /expected a name/],
  ['a name with a comma', typed({ Mail: [row('a,bool b')] }), '.types.Mail.0.name', /a name/],
  ['a name with a space', typed({ Mail: [row('a b')] }), '.types.Mail.0.name', /a name/],
  ['a member twice', typed({ Mail: [row('a'), row('a')] }), '.types.Mail.1.name', /duplicate/],
  ['a wrong type nobody uses', one('bool', true, { X: [row('a', 'Y')] }), '.types.X.0.type', /Y/],
  // the domain
  [
    'an empty domain whose type is not declared',
    { ...mail, domain: {} },
    '.domain',
    /empty, and types has no EIP712Domain: declare the members of your domain/,
  ],
  [
    'a domain of nulls whose type is not declared',
    { ...mail, domain: { name: null } },
    '.domain',
    /empty, and types has no EIP712Domain/,
  ],
  [
    'a domain that viem has dropped',
    JSON.parse(serializeTypedData({ ...mail, primaryType: 'Mail' } as never)),
    '.domain',
    /empty, and types has no EIP712Domain/,
  ],
  [
    'a contract as text that reads as an address',
    {
      ...mail,
      types: {
        ...mail.types,
        EIP712Domain: [
          row('name', 'string'),
          row('chainId', 'uint256'),
          row('verifyingContract', 'string'),
        ],
      },
    },
    '.domain.verifyingContract',
    /declared as an address/,
  ],
  ['a null domain', domainOf(null), '.domain', /got null/],
  ['an unknown domain member', domainOf({ chainID: 1 }), '.domain', /unknown .* `chainID`/],
  ['a domain name that is no text', domainOf({ name: 1 }), '.domain.name', /got a number/],
  ['a negative chain id', domainOf({ chainId: '-1' }), '.domain.chainId', /out of range/],
  ['a chain id that is no integer', domainOf({ chainId: 'eth' }), '.domain.chainId', /integer/],
  ['a short salt', domainOf({ salt: '0x00' }), '.domain.salt', /expected 32 bytes, got 1/],
  [
    'a domain member that its type leaves out',
    { ...mail, types: { ...mail.types, EIP712Domain: [row('name', 'string')] } },
    '.domain.chainId',
    /not declared in types\.EIP712Domain/,
  ],
  [
    'a domain without a declared member',
    { ...mail, types: { ...mail.types, EIP712Domain: [row('name', 'string')] }, domain: {} },
    '.domain.name',
    /missing/,
  ],
  [
    'a domain type with an unknown member',
    one('bool', true, { EIP712Domain: [row('chain')] }),
    '.types.EIP712Domain',
    /unknown domain member `chain`/,
  ],
  [
    'a domain type with another type',
    one('bool', true, { EIP712Domain: [row('chainId', 'uint64')] }),
    '.types.EIP712Domain',
    /expected `chainId` to be of type `uint256`/,
  ],
  // the values
  [
    'a missing value',
    { ...mail, message: { ...mail.message, from: { name: 'Cow' } } },
    '.message.from.wallet',
    /missing, expected address/,
  ],
  [
    'a wrong value in a list',
    {
      ...mail,
      message: { ...mail.message, cc: [mail.message.from, { name: 1, wallet: address }] },
    },
    '.message.cc.1.name',
    /expected a string, got a number/,
  ],
  ['a null struct', one('P', null, { P: [row('a')] }), '.message.v', /object, got null/],
  ['a list as struct', one('P', [], { P: [row('a')] }), '.message.v', /object, got an array/],
  ['a struct as list', one('bool[]', {}), '.message.v', /array, got an object/],
  ['a null list', one('bool[]', null), '.message.v', /array, got null/],
  ['too few elements', one('bool[2]', [true]), '.message.v', /expected 2 elements, got 1/],
  ['too many elements', one('bool[1][]', [[true, true]]), '.message.v.0', /expected 1 elements/],
  ['a number as bool', one('bool', 1), '.message.v', /true or false, got a number/],
  ['a text as bool', one('bool', 'true'), '.message.v', /true or false, got a string/],
  ['null as text', one('string', null), '.message.v', /got null/],
  ['half a surrogate pair', one('string', '\ud800'), '.message.v', /surrogate/],
  ['a rounded number', one('uint256', 2 ** 53), '.message.v', /loses digits/],
  ['a fraction', one('uint256', 0.5), '.message.v', /fraction/],
  ['a bool as integer', one('uint256', true), '.message.v', /got a boolean/],
  ['an empty integer', one('uint256', ''), '.message.v', /integer/],
  ['0x alone as integer', one('uint256', '0x'), '.message.v', /integer/],
  ['a negative hexadecimal integer', one('int8', '-0x1'), '.message.v', /integer/],
  ['two’s complement', one('int8', '0xff'), '.message.v', /out of range for int8/],
  ['an exponent in a text', one('uint256', '1e3'), '.message.v', /integer/],
  ['a sign', one('uint256', '+1'), '.message.v', /integer/],
  ['bytes without 0x', one('bytes', 'abcd'), '.message.v', /after `0x`/],
  ['bytes with an odd digit', one('bytes', '0xabc'), '.message.v', /even number/],
  ['bytes as a list', one('bytes', [1]), '.message.v', /got an array/],
  ['bytes of the wrong size', one('bytes4', '0x00'), '.message.v', /expected 4 bytes, got 1/],
  ['a short address', one('address', '0x00'), '.message.v', /expected 20 bytes/],
  ['an address as a name', one('address', 'vitalik.eth'), '.message.v', /after `0x`/],
];

for (const [what, data, where, reason] of refused) {
  test(`refused: ${what}`, () => refuses(() => read(data), `${path}${where}`, reason));
}

test('invalid JSON is refused without repeating it', () => {
  refuses(
    () => readTypedData('{"secret"', path),
    path,
    /^invalid payload encoding: expected JSON$/,
  );
});
