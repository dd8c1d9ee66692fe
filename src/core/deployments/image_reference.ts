// Names of container images: `[host[:port]/]path[:tag][@sha256:digest]`, as in the OCI Distribution
// Specification (version 1.1, section "Pulling manifests").

/** The problem of a name, or the digest `sha256:…` of the image if the name contains it. */
type ImageReference =
  | { readonly refusal: string; readonly digest?: undefined }
  | { readonly refusal?: undefined; readonly digest: string | undefined };

const maximumNameCharacters = 255;
const component = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;
const hostOfRegistry = /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?$/;
const tagOfImage = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const digestOfImage = /^sha256:[0-9a-f]{64}$/;

/** Parses the name of an image. Only its registry knows whether the image exists. */
export function readImageReference(text: string): ImageReference {
  const [tagged = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !digestOfImage.test(digest))) {
    return { refusal: 'expected `@sha256:` and 64 lower-case hex digits, or no digest' };
  }
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
  if (colon !== -1 && !tagOfImage.test(tagged.slice(colon + 1))) {
    return { refusal: 'expected a tag of at most 128 letters, digits and `_.-`' };
  }
  const name = colon === -1 ? tagged : tagged.slice(0, colon);
  const [first = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = hasHost ? rest : [first, ...rest];
  const isName =
    name.length <= maximumNameCharacters &&
    (!hasHost || hostOfRegistry.test(first)) &&
    path.every((part) => component.test(part));
  return isName ? { digest } : { refusal: 'expected a name like `registry.example/program:1.0`' };
}
