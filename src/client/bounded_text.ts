// Reads the text of a response up to a maximum size, because the server may be untrusted.

/** Maximum response size in bytes. Every answer of the service is smaller. */
const maximumBytes = 2 ** 26;

/** Returns the text of a response. Throws and stops reading if it is too long. */
export async function boundedText({ body }: Response): Promise<string> {
  // The text of a `Blob` would pass through another process of a browser.
  const decoder = new TextDecoder();
  let text = '';
  let left = maximumBytes;
  await body?.pipeTo(
    new WritableStream<Uint8Array>({
      write: (part) => {
        left -= part.length;
        if (left < 0) throw new Error('the answer is too long');
        text += decoder.decode(part, { stream: true });
      },
    }),
  );
  return text + decoder.decode();
}
