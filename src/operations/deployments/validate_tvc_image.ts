import { readImageReference } from '../../core/deployments/image_reference.ts';
import { failField } from '../../core/errors/errors.ts';
import { answerText, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { imageUrl, pullSecret } from './deployment_shapes.ts';

export const validate_tvc_image = query({
  summary:
    'Checks the form of an image reference and returns the digest in it. It asks no registry.',
  body: object({
    pivotContainerImageUrl: imageUrl(),
    pivotContainerEncryptedPullSecret: optional(pullSecret()),
  }),
  response: object({ resolvedImageDigest: optional(answerText()) }),

  answer: ({ body: { pivotContainerImageUrl } }) => {
    const { refusal, digest } = readImageReference(pivotContainerImageUrl);
    if (refusal !== undefined) failField('pivotContainerImageUrl', refusal);
    return digest === undefined ? {} : { resolvedImageDigest: digest };
  },
});
