/**
 * @module
 * Decodes the character names of HTML without the DOM, which is missing in workers and blocked by Trusted Types.
 */
import { packedCharacterNames } from '../generated/character-names.ts'

let characters: ReadonlyMap<string, string> | undefined

/**
 * Returns the character of a name such as `amp`, or false if HTML does not define the name.
 * In the build this function replaces the package `decode-named-character-reference`, which micromark calls.
 */
export function decodeNamedCharacterReference(name: string): string | false {
  characters ??= unpack(packedCharacterNames)
  return characters.get(name) ?? false
}

/** The first letters of the mathematical alphabets `A` to `Z`, `a` to `z`. A few letters are elsewhere, and listed by name. */
const alphabets = { scr: 0x1d49c, fr: 0x1d504, opf: 0x1d538 }

/** Reads the format that is described in fuzz/write-character-names.ts. */
function unpack(packed: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [style, start] of Object.entries(alphabets)) {
    for (const [index, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].entries()) {
      found.set(letter + style, String.fromCodePoint(start + index))
    }
  }
  let unit = 0
  let second = ''
  for (const [, group, sign, gap, name] of packed.matchAll(/(?:;(\w+))?([ ,+])(\d*)([^ ,+;]+)/g)) {
    if (group) {
      unit = 0
      second = String.fromCharCode(Number.parseInt(group, 16))
    }
    unit += sign === ' ' ? 1 : Number(gap)
    found.set(name!, String.fromCharCode(unit) + second)
  }
  for (const [name, character] of [...found]) {
    const small = name.replace(/^[A-Z]+/, (capitals) => capitals.toLowerCase())
    const letter = character.toLowerCase()
    // The only capital letter whose small letter has no name of this kind is Gcedil.
    if (letter !== character && letter.length === 1 && !found.has(small) && name !== 'Gcedil') found.set(small, letter)
  }
  return found
}
