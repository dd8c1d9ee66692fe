import { encode } from 'uqr';
import { t } from '../messages/text.ts';

/** Quiet zone around the code, in modules. With the padding of the picture it meets ISO/IEC 18004. */
const border = 1;

/** Shows a text as a QR code: one path with a square for each dark module. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      role="img"
      aria-label={t('wallets.qrOf', { address: text })}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  );
}
