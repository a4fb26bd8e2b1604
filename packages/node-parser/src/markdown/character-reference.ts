/**
 * @module
 * Character references, such as `&amp;` and `&#65;`.
 */
// biome-ignore lint/correctness/noUndeclaredDependencies: the build contains it
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference'
import { decodeNamedCharacterReference } from './character-names.ts'

/** Returns the character of a reference, given the part between `&` and `;` or `&#` and `;`. An unknown name is returned as written. */
export function decodeReference(value: string, radix: 0 | 10 | 16): string {
  if (radix > 0) return decodeNumericCharacterReference(value, radix)
  return decodeNamedCharacterReference(value) || `&${value};`
}
