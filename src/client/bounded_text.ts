// The text of an answer, read up to a bound: the library may be pointed at anybody's service.

/** Longest answer that is read, in bytes; the largest of the service has less. */
const maximumBytes = 2 ** 26;

/** Returns the text of an answer. Raises an Error where it is longer, and reads no further. */
export async function boundedText({ body }: Response): Promise<string> {
  const parts: BlobPart[] = [];
  let left = maximumBytes;
  await body?.pipeTo(
    new WritableStream<Uint8Array<ArrayBuffer>>({
      write: (part) => {
        left -= part.length;
        if (left < 0) throw new Error('the answer is too long');
        parts.push(part);
      },
    }),
  );
  return new Blob(parts).text();
}
