// Creates the OpenAPI document on a separate thread. It loads all operations and their schemas, which would
// block requests for a second. This file is both the caller and the program of that thread.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { assert } from '../../core/errors/errors.ts';

/** Returns the bytes of the document for the address of a service. The thread ends with its answer. */
export function openApiOnThread(baseUrl: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const thread = new Worker(import.meta.filename, { workerData: { openApiOf: baseUrl } });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread of the OpenAPI document ended')));
  return promise;
}

if (!isMainThread && typeof workerData?.openApiOf === 'string') {
  const { openApiDocument } = await import('../../operations/openapi/openapi.ts');
  const bytes = new TextEncoder().encode(JSON.stringify(openApiDocument(workerData.openApiOf)));
  assert(parentPort !== null, 'a thread has a parent');
  parentPort.postMessage(bytes, [bytes.buffer]);
}
