/**
 * @module
 * Character references, such as `&amp;` and `&#65;`.
 */
import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference'

/** What stands between `&` and `;`, or `&#` and `;`, as a character; an unknown name stays as it is written. */
export function decodeReference(value: string, radix: 0 | 10 | 16): string {
  if (radix > 0) return decodeNumericCharacterReference(value, radix)
  return decodeNamedCharacterReference(value) || `&${value};`
}
