// Reads the text of a response up to a bound, because the library may connect to an untrusted server.

/** Longest answer that is read, in bytes; the largest of the service has less. */
const maximumBytes = 2 ** 26;

/** Returns the text of a response. Raises an Error and stops reading if the text is too long. */
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
