/**
 * Writes the names of characters that HTML knows (`amp`, `copy` …) as one short string for `@x/node-parser`, from the package
 * `character-entities`. Names come in the order of their code points, so that neighbors look alike and compress well.
 *
 * @example node packages/node-parser/fuzz/write-character-names.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { characterEntities } from 'character-entities'

/** Letters of the mathematical alphabets, such as `Afr`. Outside of the first plane there are no others; the decoder knows their rule. */
const mathLetter = /^[A-Za-z](?:scr|fr|opf)$/

/** The name and the character that the decoder derives of those of a capital letter: `aelig` of `AElig`; null without such a character. */
function smallOf(name: string, character: string): [name: string, character: string] | null {
  const small = character.toLowerCase()
  const isLetter = small !== character && small.length === 1 && name !== 'Gcedil'
  return isLetter ? [name.replace(/^[A-Z]+/, (capitals) => capitals.toLowerCase()), small] : null
}

/**
 * The names in the form that `character-names.ts` of the parser reads: `,name` for the code unit of the name before, ` name` for the
 * next one, `+7name` for the seventh after it. `;338` starts again at 0: the characters that follow have U+0338 behind them. Small letters
 * are left out if their names are those of their capital letters in small letters.
 */
export function packedCharacterNames(characters: Readonly<Record<string, string>>): string {
  const groups = new Map<string, string[]>([['', []]])
  const pairs = Object.entries(characters).map(([name, character]) => smallOf(name, character))
  const derived = new Map(pairs.filter((pair) => pair !== null))
  for (const [name, { length }] of Object.entries(characters)) {
    const character = characters[name]!
    if (derived.get(name) === character) continue
    if (character.codePointAt(0)! > 0xffff && mathLetter.test(name)) continue
    if (length > 2 || character.codePointAt(0)! > 0xffff) throw new Error(`${name}: no form for ${character}`)
    const second = character.slice(1)
    groups.set(second, [...(groups.get(second) ?? []), name])
  }
  return [...groups].map(([second, names]) => head(second) + packedGroup(names, characters)).join('')
}

function head(second: string): string {
  return second === '' ? '' : `;${second.charCodeAt(0).toString(16)}`
}

function packedGroup(names: string[], characters: Readonly<Record<string, string>>): string {
  const unit = (name: string) => characters[name]!.charCodeAt(0)
  let last = 0
  let packed = ''
  for (const name of names.sort((a, b) => unit(a) - unit(b) || a.length - b.length || (a < b ? -1 : 1))) {
    const gap = unit(name) - last
    packed += (gap === 0 ? ',' : gap === 1 ? ' ' : `+${gap}`) + name
    last = unit(name)
  }
  return packed
}

if (import.meta.main) {
  const lines = packedCharacterNames(characterEntities).match(/.{1,120}/g) ?? []
  const path = join(import.meta.dirname, '..', 'src', 'generated', 'character-names.ts')
  writeFileSync(
    path,
    [
      '// Written by fuzz/write-character-names.ts from the package character-entities (MIT). Do not edit.',
      '',
      'export const packedCharacterNames =',
      lines.map((line) => `  ${JSON.stringify(line)}`).join(' +\n'),
      '',
    ].join('\n'),
  )
}
