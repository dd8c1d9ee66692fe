// The root key from an inherited descriptor: 32 raw bytes, read once and closed.

import { wipe } from '../../core/base/bytes.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { readDescriptor } from './read_descriptor.ts';
import { nothingSettled, type OpenSource } from './source.ts';
import { untilAborted } from './until_aborted.ts';

/** Reads the root key from an inherited descriptor. A second read waits for a restart of the service. */
export const descriptorSource: OpenSource = ({ rootKeyDescriptor: descriptor }) => {
  if (descriptor === undefined) {
    throw new UnusableDataError(
      'KEYWRIGHT_ROOT_KEY_DESCRIPTOR is not set: name the descriptor that gives the root key, for example 3',
    );
  }
  const place = `descriptor ${descriptor}`;
  let isRead = false;
  return {
    place,
    mayWait: true,
    read: async ({ waiting, signal }) => {
      if (isRead) {
        waiting(`${place} was read once and the root key is not stored: restart the service`);
        return untilAborted(signal);
      }
      isRead = true;
      waiting(`waits for the root key from ${place}`);
      const rootKey = await readDescriptor(descriptor, rootKeyLengthBytes, signal);
      if (rootKey.length === rootKeyLengthBytes) {
        return { rootKey, settled: nothingSettled, mayDiffer: false };
      }
      const gave = rootKey.length > rootKeyLengthBytes ? 'more' : rootKey.length;
      wipe(rootKey);
      throw new UnusableDataError(
        `the root key from ${place} must have exactly ${rootKeyLengthBytes} raw bytes, it has ${gave}`,
      );
    },
  };
};
