// Well-formed and malformed requests as bytes, with their answers.

import { rawBytes } from './raw_http.ts';

/** Name, bytes, and the status of every answer on the connection, in order. */
export type Case = readonly [string, Uint8Array, ...number[]];

export const path = '/public/v1/query/whoami';

export type Builder = ReturnType<typeof requestBuilder>;

/** Returns builders of requests around a stamped query body that is answered 200. */
export function requestBuilder(body: Uint8Array, stamp: string) {
  const length = `Content-Length: ${body.length}`;
  /** Returns a request that is answered 200, with replaced parts. */
  const request = (
    parts: {
      readonly line?: string;
      readonly headers?: readonly string[];
      readonly body?: Uint8Array | string;
      readonly end?: string;
    } = {},
  ): Buffer => {
    const { line = `POST ${path} HTTP/1.1`, headers = [stamp, length], end = '\r\n' } = parts;
    const head = [line, 'Host: test', ...headers, '', ''].join(end);
    return rawBytes(head, parts.body ?? body);
  };
  const chunk = (bytes: Uint8Array, size = bytes.length.toString(16)) =>
    rawBytes(`${size}\r\n`, bytes, '\r\n');
  const chunked = (...rest: readonly (Uint8Array | string)[]) =>
    request({ headers: [stamp, 'Transfer-Encoding: chunked'], body: rawBytes(...rest) });
  const withPath = (changed: string) => request({ line: `POST ${changed} HTTP/1.1` });
  const withHeaders = (...headers: readonly string[]) =>
    request({ headers: [stamp, length, ...headers] });
  return { body, stamp, length, request, chunk, chunked, withPath, withHeaders };
}

/**
 * Returns requests that are answered, that are refused, and that are refused once their sender ends the
 * connection.
 */
export function framingCases(of: Builder): {
  readonly fine: readonly Case[];
  readonly refused: readonly Case[];
  readonly cutShort: readonly Case[];
} {
  const { body, stamp, length, request, chunk, chunked, withPath, withHeaders } = of;
  const fine: readonly Case[] = [
    ['plain', request(), 200],
    ['chunked', chunked(chunk(body), '0\r\n\r\n'), 200],
    [
      'chunked by the byte',
      chunked(...[...body].map((byte) => chunk(Uint8Array.of(byte))), '0\r\n\r\n'),
      200,
    ],
    [
      'chunks with extensions',
      chunked(chunk(body, `${body.length.toString(16)};a=b`), '0\r\n\r\n'),
      200,
    ],
    ['chunks with a trailer', chunked(chunk(body), '0\r\nX-Stamp: other\r\n\r\n'), 200],
    // A pipelined request is not answered.
    ['three in a row', rawBytes(request(), request(), request()), 200],
    ['empty lines behind a request', rawBytes(request(), '\r\n\r\n\r\n'), 200],
    ['HTTP/1.0', request({ line: `POST ${path} HTTP/1.0` }), 200],
    ['no version', request({ line: `POST ${path}` }), 200],
    ['absolute form', withPath(`http://test${path}`), 200],
    ['absolute form of another host', withPath(`http://example.com${path}`), 200],
    ['a query string', withPath(`${path}?a=b&operation=create_wallet`), 200],
    ['100-continue', withHeaders('Expect: 100-continue'), 100, 200],
    ['another expectation', withHeaders('Expect: the-unexpected'), 200],
    ['upgrade', withHeaders('Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['upgrade to h2c', withHeaders('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'), 200],
    ['content encodings', withHeaders('Content-Encoding: gzip', 'Accept-Encoding: br'), 200],
    ['another method in a header', withHeaders('X-HTTP-Method-Override: DELETE'), 200],
    [
      'another path in a header',
      withHeaders('X-Original-URL: /public/v1/submit/create_wallet'),
      200,
    ],
    [
      'another address in a header',
      withHeaders('X-Forwarded-For: 127.0.0.1', 'Forwarded: for=::1'),
      200,
    ],
    ['no Host', rawBytes(`POST ${path} HTTP/1.1\r\n${stamp}\r\n${length}\r\n\r\n`, body), 200],
    ['two Hosts', withHeaders('Host: other'), 200],
    ['many headers', withHeaders(...Array.from({ length: 200 }, (_, i) => `X-${i}: a`)), 200],
  ];

  const refused: readonly Case[] = [
    // request lines
    ['nothing but an end of line', rawBytes('\r\n\r\n')],
    ['HTTP/0.9', rawBytes('GET /\r\n\r\n'), 404],
    ['HTTP/2 preface', rawBytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400],
    ['HTTP/3', request({ line: `POST ${path} HTTP/3.0` }), 400],
    ['TLS', rawBytes('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'), 400],
    ['SSH', rawBytes('SSH-2.0-OpenSSH_9.6\r\n'), 400],
    ['NULs', rawBytes('\0'.repeat(100)), 400],
    ['an unknown method', request({ line: `STEAL ${path} HTTP/1.1` }), 400],
    ['a method in small letters', request({ line: `post ${path} HTTP/1.1` }), 400],
    ['a space before the method', request({ line: ` POST ${path} HTTP/1.1` }), 400],
    ['a tab after the method', request({ line: `POST\t${path} HTTP/1.1` }), 400],
    ['a space in the path', withPath('/public/v1/query/who ami'), 400],
    ['a NUL in the path', withPath('/public/v1/query/whoami\0'), 400],
    ['no path', withPath(''), 400],
    ['only a line feed', request({ end: '\n' }), 400],
    ['only a carriage return', request({ end: '\r' }), 400],
    // methods and paths
    ...['GET', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map(
      (method): Case => [
        `the method ${method}`,
        request({ line: `${method} ${path} HTTP/1.1` }),
        405,
      ],
    ),
    ['CONNECT', request({ line: 'CONNECT example.com:443 HTTP/1.1' })],
    ['an asterisk', rawBytes('OPTIONS * HTTP/1.1\r\nHost: test\r\n\r\n'), 404],
    ...[
      '/public/v1/query',
      '/public/v1/query/',
      '/public/v1/query/whoami/',
      '/public/v1/query/whoami/x',
      '/public/v1//query/whoami',
      '//public/v1/query/whoami',
      '/PUBLIC/v1/query/whoami',
      '/public/v1/query/WHOAMI',
      '/public/v1/query/whoami;a=b',
      '/public/v1/query/whoami%00',
      '/public/v1/query/whoami%20',
      '/public/v1/query/whoami%0d%0aX-Evil:%201',
      '/public/v1/query/%2e%2e/submit/create_wallet',
      '/public/v1/query/../submit/create_wallet',
      '/public/v1/query/..%2fsubmit%2fcreate_wallet',
      '/public/v1/query/..%5csubmit',
      '/public/v1/query/%252e%252e',
      '/public/v1/query/%c0%ae%c0%ae',
      '/public/v1/query/%ff',
      '/public/v1/query/%zz',
      '/public/v1/query/%',
      '/public/v1/query/%u0077hoami',
      '/public/v1/query/__proto__',
      '/public/v1/query/constructor',
      '/public/v1/query/hasOwnProperty',
      '/public/v1/query/create_wallet',
      '/public/v1/submit/whoami',
      `/public/v1/query/${'a'.repeat(200)}`,
      `/public/v1/query/${'a/'.repeat(2_000)}`,
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/health/live/../../public',
      '/metrics',
      '/root-credentials.json',
      '/.git/config',
    ].map((odd): Case => [`the path ${odd.slice(0, 60)}`, withPath(odd), 404]),
    // Browsers are redirected from this path to the dashboard, but it takes no POST.
    ['the path /', withPath('/'), 405],
    // headers
    ['no colon', withHeaders('NoColon'), 400],
    ['an empty name', withHeaders(': value'), 400],
    ['a space before the colon', withHeaders('Name : value'), 400],
    ['a space in the name', withHeaders('A name: value'), 400],
    ['a NUL in the name', withHeaders('A\0: value'), 400],
    ['a NUL in the value', withHeaders('A: \0'), 400],
    ['a bare carriage return', withHeaders('A: b\rC: d'), 400],
    ['a bare line feed', withHeaders('A: b\nC: d'), 400],
    ['a folded value', withHeaders('A: b\r\n c'), 400],
    ['a folded first header', request({ headers: [` ${stamp}`, length] }), 400],
    ['one long header', withHeaders(`A: ${'a'.repeat(20_000)}`), 431],
    ['one long name', withHeaders(`${'a'.repeat(20_000)}: b`), 431],
    ['a flood of headers', withHeaders(...Array(10_000).fill('a: b')), 431],
    ['a long path', withPath(`/${'a'.repeat(20_000)}`), 431],
    ['a long stamp', request({ headers: [`X-Stamp: ${'A'.repeat(10_000)}`, length] }), 401],
    ['two stamps', withHeaders(stamp), 401],
    ['two stamps in one', request({ headers: [`${stamp}, ${stamp.slice(9)}`, length] }), 401],
    ['no stamp', request({ headers: [length] }), 401],
    // lengths
    ['a length that is no number', request({ headers: [stamp, 'Content-Length: ten'] }), 400],
    ['a negative length', request({ headers: [stamp, 'Content-Length: -1'] }), 400],
    ['a length with a sign', request({ headers: [stamp, `Content-Length: +${body.length}`] }), 400],
    ['a length in hex', request({ headers: [stamp, 'Content-Length: 0x10'] }), 400],
    ['a length with a comma', request({ headers: [stamp, `${length}, ${body.length}`] }), 400],
    ['an endless length', request({ headers: [stamp, `Content-Length: ${'9'.repeat(40)}`] }), 400],
    ['a huge length', request({ headers: [stamp, 'Content-Length: 9007199254740991'] }), 413],
    ['the same length twice', withHeaders(length), 400],
    ['two lengths', withHeaders(`Content-Length: ${body.length + 1}`), 400],
    // A second request is answered by closing the connection, since its answer could be taken for that of
    // the first.
    ['a body that goes on', rawBytes(request(), 'more'), 200],
    ['two, and one that is none', rawBytes(request(), request(), 'BAD\r\n\r\n'), 200],
    ['a body without a length', request({ headers: [stamp] }), 400],
    // both a length and chunks: a reader that trusts the other one sees another request
    ['a length before chunks', withHeaders('Transfer-Encoding: chunked'), 400],
    [
      'a length after chunks',
      request({ headers: [stamp, 'Transfer-Encoding: chunked', length] }),
      400,
    ],
    [
      'a hidden request',
      request({
        headers: [stamp, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
        body: rawBytes('0\r\n\r\n', request()),
      }),
      400,
    ],
    ...[
      'chunked, identity',
      'chunked, chunked',
      'identity',
      'gzip',
      'xchunked',
      'chunked-not',
      '"chunked"',
      'chunked;q=1',
      '\x0bchunked',
      'chun\0ked',
    ].map(
      (coding): Case => [
        `the coding ${JSON.stringify(coding)}`,
        request({
          headers: [stamp, `Transfer-Encoding: ${coding}`],
          body: rawBytes(chunk(body), '0\r\n\r\n'),
        }),
        400,
      ],
    ),
    ...['gzip, chunked', 'identity, chunked', 'deflate,CHUNKED'].map(
      (coding): Case => [
        `the codings ${JSON.stringify(coding)}`,
        request({
          headers: [stamp, `Transfer-Encoding: ${coding}`],
          body: rawBytes(chunk(body), '0\r\n\r\n'),
        }),
        501,
      ],
    ),
    [
      'chunked in HTTP/1.0 beside a length',
      request({
        line: `POST ${path} HTTP/1.0`,
        headers: [stamp, 'Transfer-Encoding: chunked', length],
      }),
      400,
    ],
    // chunks
    ['a chunk size that is no number', chunked('zz\r\n', body, '\r\n0\r\n\r\n'), 400],
    ['a negative chunk size', chunked('-1\r\n', body, '\r\n0\r\n\r\n'), 400],
    [
      'a chunk size with 0x',
      chunked(chunk(body, `0x${body.length.toString(16)}`), '0\r\n\r\n'),
      400,
    ],
    ['an endless chunk size', chunked(`${'f'.repeat(40)}\r\n`, body, '\r\n0\r\n\r\n'), 400],
    [
      'a chunk that is longer',
      chunked(chunk(body, (body.length - 9).toString(16)), '0\r\n\r\n'),
      400,
    ],
    ['chunks ended by line feeds', chunked(`${body.length.toString(16)}\n`, body, '\n0\n\n'), 400],
    [
      'a space before the chunk size',
      chunked(chunk(body, ` ${body.length.toString(16)}`), '0\r\n\r\n'),
      400,
    ],
    ['large chunk extensions', chunked(chunk(body, `1;${'a'.repeat(20_000)}`), '0\r\n\r\n'), 413],
    ['large trailers', chunked(chunk(body), `0\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`), 431],
    // several requests
    ['a good one and a bad one', rawBytes(request(), 'BAD\r\n\r\n'), 200],
    ['a bad one and a good one', rawBytes('BAD\r\n\r\n', request()), 400],
    ['a refused one and a good one', rawBytes(withPath('/nothing'), request()), 404],
    [
      'one without a stamp and a good one',
      rawBytes(request({ headers: [length] }), request()),
      401,
    ],
  ];

  const cutShort: readonly Case[] = [
    ['nothing', rawBytes('')],
    ['a request line', rawBytes(`POST ${path} HTTP/1.1\r\n`), 400],
    ['headers', request().subarray(0, 40), 400],
    ['a body', request({ headers: [stamp, `Content-Length: ${body.length + 1}`] }), 400],
    ['a chunk', chunked(chunk(body, (body.length + 9).toString(16)), '0\r\n\r\n'), 400],
    ['chunks', chunked(chunk(body)), 400],
  ];
  return { fine, refused, cutShort };
}
