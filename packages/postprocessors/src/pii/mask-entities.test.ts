import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { findPatterns } from './find-patterns.ts'
import { maskEntities, type NamedEntity } from './mask-entities.ts'
import { NERPIINodePostprocessor } from './ner-pii-node-postprocessor.ts'
import { unmask } from './pii-mapping.ts'

const per = (word: string, start?: number, end?: number): NamedEntity => ({ entity_group: 'PER', word, start, end })

describe('maskEntities', () => {
  it.each<[string, NamedEntity[], string, Record<string, string>]>([
    ['I am John.', [per('John', 5, 9)], 'I am [PER_5].', { '[PER_5]': 'John' }],
    ['John met John.', [per('John', 0, 4), per('John', 9, 13)], '[PER_0] met [PER_0].', { '[PER_0]': 'John' }],
    ['Ann annotates Annapolis. Ann', [per('Ann', 0, 3)], '[PER_0] annotates Annapolis. [PER_0]', { '[PER_0]': 'Ann' }],
    ['J. Smith left', [per('J . Smith', 0, 8)], '[PER_0] left', { '[PER_0]': 'J. Smith' }],
    ['J. Smith left', [per('j . smith')], '[PER_0] left', { '[PER_0]': 'J. Smith' }],
    ['Miami, Mia', [per('Mia')], 'Miami, [PER_7]', { '[PER_7]': 'Mia' }],
    ['Anna Lee', [per('Anna Lee', 0, 8), per('Lee', 5, 8)], '[PER_0]', { '[PER_0]': 'Anna Lee' }],
    ['abc', [per('', 0, 0), per('   '), per('zzz')], 'abc', {}],
    ['Mia', [{ entity: 'B-PER', word: 'Mia', start: 0, end: 3 }], '[PER_0]', { '[PER_0]': 'Mia' }],
    ['Mia', [per('Mia', 0, 99)], '[PER_0]', { '[PER_0]': 'Mia' }],
    ['Mia', [per('Mia', -1, 3)], '[PER_0]', { '[PER_0]': 'Mia' }],
    ['[PER_8] Ann', [per('Ann', 8, 11)], '[PER_8] [PER_8_2]', { '[PER_8_2]': 'Ann' }],
    [
      'Rome and Rome',
      [
        { entity_group: 'LOC', word: 'Rome' },
        { entity_group: 'PER', word: 'Rome' },
      ],
      '[LOC_0] and [PER_9]',
      { '[LOC_0]': 'Rome', '[PER_9]': 'Rome' },
    ],
  ])('masks %j', (text, entities, masked, mapping) => {
    expect(maskEntities(text, entities)).toEqual({ text: masked, mapping })
  })

  it('can be reversed for any reported entities', () => {
    const word = fc.constantFrom('Ann', 'Ann Lee', 'Bob', ' ', '.', '[PER_0]', '[', ']', 'é', '😀', 'x', '\n', '_2]')
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))
    const entity = fc.record({
      entity_group: fc.constantFrom('PER', 'LOC', '[odd] one'),
      word: fc.constantFrom('Ann', 'lee', 'Bob', '', '[', 'A nn', 'x'),
      start: fc.option(fc.integer({ min: -1, max: 40 })),
      end: fc.option(fc.integer({ min: -1, max: 40 })),
    })
    fc.assert(
      fc.property(text, fc.array(entity, { maxLength: 8 }), (original, entities) => {
        const masked = maskEntities(original, entities)
        expect(unmask(masked.text, masked.mapping)).toBe(original)
      }),
      { numRuns: rounds(150, 500) },
    )
  })

  it('takes linear time for any number of different entities', { tags: 'growth' }, async () => {
    const mask = (count: number) => {
      const text = Array.from({ length: count }, (_, n) => `user${n}@example${n % 97}.org`).join(' ')
      return maskEntities(text, findPatterns(text))
    }
    expect(await growthOf(mask, 500)).toBeLessThan(1.75)
  })
})

it.each([
  'bob\\u0040example.org4111-1111-1111-1111 and 4111-1111-1111-1111',
  'o_meyer&#64;example.org4\u200B1\u200B11-1111-1111-1111 and 4111-1111-1111-1111',
])('masks an original that is a word only beside the tag of another one: %j', (text) => {
  const mail = text.slice(0, text.indexOf('org') + 3)
  const found = [{ entity_group: 'EMAIL', word: mail, start: 0, end: mail.length }, ...findPatterns(text.slice(-19))]
  const card = { ...found.at(-1)!, start: text.length - 19, end: text.length }
  const masked = maskEntities(text, [found[0]!, card])
  expect(masked.text).toMatch(/^\[EMAIL_0\]\[CARD_\w+\] and \[CARD_\d+\]$/)
  expect(unmask(masked.text, masked.mapping)).toBe(text)
})

it.each([undefined, null, 5, {}])('maskPii refuses %j as text and as recognizer', async (wrong) => {
  const mask = new NERPIINodePostprocessor()
  const invalid = { code: 'model_validation' }
  await expect(mask.maskPii(findPatterns, wrong as never)).rejects.toMatchObject(invalid)
  await expect(mask.maskPii(wrong as never, 'text')).rejects.toMatchObject(invalid)
})
