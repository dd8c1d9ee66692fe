// A trace collector on loopback. It parses OTLP (opentelemetry/proto/trace/v1/trace.proto, version 1) by
// @bufbuild/protobuf, with a schema written from the definitions, and rejects unknown fields.

import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { create, createFileRegistry, fromBinary, type Message, toJson } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { startLoopbackServer } from './loopback_server.ts';

const scalars: ReadonlyMap<string, Type> = new Map([
  ['bytes', Type.BYTES],
  ['string', Type.STRING],
  ['bool', Type.BOOL],
  ['int64', Type.INT64],
  ['double', Type.DOUBLE],
  ['uint32', Type.UINT32],
  ['int32', Type.INT32],
  ['fixed64', Type.FIXED64],
  ['fixed32', Type.FIXED32],
]);

/** `name number type`, with `[]` for a list. Other types are messages. Enums are parsed as numbers. */
const messages: Readonly<Record<string, readonly string[]>> = {
  AnyValue: [
    'stringValue 1 string',
    'boolValue 2 bool',
    'intValue 3 int64',
    'doubleValue 4 double',
  ],
  KeyValue: ['key 1 string', 'value 2 AnyValue'],
  Resource: ['attributes 1 KeyValue[]', 'droppedAttributesCount 2 uint32'],
  Scope: ['name 1 string', 'version 2 string'],
  Status: ['message 2 string', 'code 3 int32'],
  Span: [
    'traceId 1 bytes',
    'spanId 2 bytes',
    'traceState 3 string',
    'parentSpanId 4 bytes',
    'name 5 string',
    'kind 6 int32',
    'startTimeUnixNano 7 fixed64',
    'endTimeUnixNano 8 fixed64',
    'attributes 9 KeyValue[]',
    'droppedAttributesCount 10 uint32',
    'droppedEventsCount 12 uint32',
    'droppedLinksCount 14 uint32',
    'status 15 Status',
    'flags 16 fixed32',
  ],
  ScopeSpans: ['scope 1 Scope', 'spans 2 Span[]'],
  ResourceSpans: ['resource 1 Resource', 'scopeSpans 2 ScopeSpans[]'],
  ExportTraceServiceRequest: ['resourceSpans 1 ResourceSpans[]'],
};

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      create(FileDescriptorProtoSchema, {
        name: 'trace.proto',
        package: 'otlp',
        syntax: 'proto3',
        messageType: Object.entries(messages).map(([name, fields]) => ({
          name,
          field: fields.map(fieldOf),
        })),
      }),
    ],
  }),
);

function fieldOf(text: string) {
  const [name = '', number, of = ''] = text.split(' ');
  const message = of.replace('[]', '');
  const scalar = scalars.get(message);
  return {
    name,
    jsonName: name,
    number: Number(number),
    label: of.endsWith('[]') ? Label.REPEATED : Label.OPTIONAL,
    ...(scalar === undefined
      ? { type: Type.MESSAGE, typeName: `.otlp.${message}` }
      : { type: scalar }),
  };
}

/** A parsed span. */
export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a span without a parent. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  /** Nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2: error. */
  readonly statusCode: number;
  readonly resource: Readonly<Record<string, string | number>>;
};

type AnyJson = { readonly [name: string]: AnyJson & AnyJson[] & string };

/** Returns the spans in a request to the collector. */
export function spansOf(body: Uint8Array): readonly CollectedSpan[] {
  const schema = registry.getMessage('otlp.ExportTraceServiceRequest');
  assert(schema !== undefined);
  const message = fromBinary(schema, body);
  assertKnown(message);
  const { resourceSpans = [] } = toJson(schema, message) as unknown as AnyJson;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => collected(span, resource))),
  );
}

function collected(span: AnyJson, resource: AnyJson | undefined): CollectedSpan {
  const hex = (name: string) => Buffer.from(String(span[name] ?? ''), 'base64').toString('hex');
  return {
    traceId: hex('traceId'),
    spanId: hex('spanId'),
    parentSpanId: hex('parentSpanId'),
    traceState: String(span['traceState'] ?? ''),
    name: String(span['name']),
    kind: Number(span['kind']),
    startNs: BigInt(String(span['startTimeUnixNano'])),
    endNs: BigInt(String(span['endTimeUnixNano'])),
    attributes: attributesOf(span),
    statusCode: Number(span['status']?.['code'] ?? 0),
    resource: attributesOf(resource),
  };
}

function attributesOf(of: AnyJson | undefined): CollectedSpan['attributes'] {
  return Object.fromEntries(
    (of?.['attributes'] ?? []).map(({ key, value }) => {
      const [[kind, text] = []] = Object.entries(value ?? {});
      return [String(key), kind === 'intValue' ? Number(text) : String(text)];
    }),
  );
}

/** Fails if a message, or a nested message, has a field that the schema lacks. */
function assertKnown(message: Message): void {
  assert.deepEqual(message.$unknown ?? [], [], `fields of ${message.$typeName} that nobody knows`);
  for (const value of Object.values(message)) {
    for (const each of [value].flat()) {
      if (typeof each === 'object' && each !== null && '$typeName' in each) {
        assertKnown(each as Message);
      }
    }
  }
}

/** Starts a collector. It accepts every request unless `answer` is replaced. */
export async function startCollector() {
  const requests: { readonly headers: IncomingHttpHeaders; readonly path: string }[] = [];
  const bodies: Buffer[] = [];
  let answer = (response: ServerResponse): unknown => response.end();
  const server = await startLoopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ headers: request.headers, path: request.url ?? '' });
    bodies.push(Buffer.concat(chunks));
    answer(response);
  });
  return {
    url: `${server.origin}/v1/traces`,
    requests,
    bodies,
    spans: () => bodies.flatMap(spansOf),
    answer: (next: typeof answer) => {
      answer = next;
    },
    stop: server.stop,
  };
}
