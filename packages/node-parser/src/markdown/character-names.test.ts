import { characterEntities } from 'character-entities'
import { expect, test } from 'vitest'
import { packedCharacterNames as pack } from '../../fuzz/write-character-names.ts'
import { packedCharacterNames } from '../generated/character-names.ts'
import { decodeNamedCharacterReference } from './character-names.ts'

test('decodes every name of HTML to its character', () => {
  const names = Object.keys(characterEntities)
  expect(names).toHaveLength(2125)
  expect(Object.fromEntries(names.map((name) => [name, decodeNamedCharacterReference(name)]))).toEqual(
    characterEntities,
  )
})

test('returns false for other names', () => {
  const names = new Set(Object.keys(characterEntities))
  const near = [...names].flatMap((name) => [
    name.toLowerCase(),
    name.toUpperCase(),
    name.slice(1),
    `${name}r`,
    `n${name}`,
  ])
  const others = [...near, '', 'constructor', '__proto__', 'Ω', 'scr', '1fr'].filter((name) => !names.has(name))
  expect(others.length).toBeGreaterThan(5000)
  expect(others.filter((name) => decodeNamedCharacterReference(name) !== false)).toEqual([])
})

test('the generated string equals the output of fuzz/write-character-names.ts', () => {
  expect(packedCharacterNames).toBe(pack(characterEntities))
})
