import { checkOption, required, text as string } from '@x/core/options'
import { sha256 } from '@x/core-model/data'

/** Returns the name of the tag of an original, without brackets. The same original must have the same name, others another one. */
export type TagName = (group: string, original: string) => string

/**
 * Returns a value for the option `tagName` of a mask: the tag of an original is made from the original and a secret key, so that it is the same
 * in all nodes, documents and runs, and does not change when other text does. Without the key nobody can find out whether a tag stands for
 * a known number.
 * @param key - a secret string of at least 16 characters; another key makes other tags.
 * @throws {ModelValidationError} if the key is shorter.
 * @example
 * const mask = new NERPIINodePostprocessor({ ner: findPatterns, tagName: keyedTags('a secret of your own') })
 * const first = await mask.maskPii(findPatterns, 'ann@example.org')
 * const second = await mask.maskPii(findPatterns, 'Write to ann@example.org.')
 * second.text === `Write to ${first.text}.` // => true
 */
export function keyedTags(key: string): TagName {
  checkOption('keyedTags', 'key', key, required(secret))
  return (group, original) => {
    const inner = sha256(`${key}\n${group}\n${original}`)
    // Letters alone, so that no tag looks like a number.
    const letters = sha256(`${key}\n${inner}`)
      .slice(0, 10)
      .replace(/./g, (digit) => LETTERS[Number.parseInt(digit, 16)]!)
    return `${group}_${letters}`
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOP'
const secret = (value: unknown) =>
  string(value) ?? ((value as string).length < 16 ? 'a secret string of at least 16 characters' : undefined)
