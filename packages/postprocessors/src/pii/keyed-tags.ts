import { checkOption, invalidOption, required, text as string } from '@x/core/options'
import { sha256 } from '@x/core-model/data'
import { PiiMaskingError } from '../errors.ts'
import { isWord } from './pii-mapping.ts'

/** Returns the name of the tag of an original, without brackets. The same original must have the same name, others another one. */
export type TagName = (group: string, original: string) => string

/**
 * Returns a value for the option `tagName` of a mask: the tag of an original is made from the original and a secret key, so that it is the
 * same in all nodes, documents and runs, and does not change when other text does. Without the key nobody can find out whether a tag stands
 * for a known number.
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

/**
 * Returns the function without brackets around its names.
 * @throws {ModelValidationError} if a name is no name of a tag.
 * @throws {PiiMaskingError} if a name contains the original, which models would then receive.
 */
export function checkedTagName(className: string, tagName: TagName | null): TagName | null {
  if (tagName === null) return null
  return (group, original) => {
    const given: unknown = tagName(group, original)
    const name = typeof given === 'string' ? given.replace(/^\[([^[\]]*)\]$/, '$1') : ''
    if (name.trim() === '' || /[[\]()\r\n]/.test(name))
      throw invalidOption(className, 'tagName', 'a function that returns a name without brackets', given)
    const [own, sought] = [name.split(group).join(' '), original].map((text) => text.toLowerCase()) as [string, string]
    for (let at = own.indexOf(sought); at >= 0; at = own.indexOf(sought, at + 1))
      if (sought.length >= shortest && isWord(own, at, at + sought.length))
        throw new PiiMaskingError(className, null, 'original_in_tag')
    return name
  }
}

/** Shorter originals, such as a digit, may be part of any name. */
const shortest = 3
