/** Downloads a text as a file. */
export function downloadText(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser starts the download asynchronously and needs the URL until then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Converts a name to a file name of letters, digits, dots, hyphens and underscores. */
export const fileName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'key';
