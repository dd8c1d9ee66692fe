import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseUrls } from '../../../src/core/base/database_hosts.ts';

test('each host of a connection string gets its own connection string', () => {
  const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['postgres://u:p@one:1/db', ['postgres://u:p@one:1/db']],
    ['postgresql://one/db', ['postgresql://one/db']],
    [
      'postgres://u:p%2C@one:1,[::1]:2,three/db?sslmode=verify-full',
      [
        'postgres://u:p%2C@one:1/db?sslmode=verify-full',
        'postgres://u:p%2C@[::1]:2/db?sslmode=verify-full',
        'postgres://u:p%2C@three/db?sslmode=verify-full',
      ],
    ],
    [
      'postgres://a,b/d?target_session_attrs=read-write',
      [
        'postgres://a/d?target_session_attrs=read-write',
        'postgres://b/d?target_session_attrs=read-write',
      ],
    ],
    // The socket address is in the parameters.
    ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
    ['postgres://a,b/d?target_session_attrs=prefer-standby', undefined],
    ['postgres://a,,b/d', undefined],
    ['postgres://a:port,b/d', undefined],
    [`postgres://${Array(9).fill('a').join(',')}/d`, undefined],
    ['mysql://a/d', undefined],
    ['a/d', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of cases) assert.deepEqual(databaseUrls(text), expected, text);
});
