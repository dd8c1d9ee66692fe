import { readImageReference } from '../../core/deployments/image_reference.ts';
import { failField } from '../../core/errors/errors.ts';
import { answerText, object, optional } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { imageUrl, pullSecret } from './tvc_shapes.ts';

export const validate_tvc_image = query({
  summary:
    'Whether this can be the name of an image, and the digest that is part of it. No registry is asked.',
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
