import { describe, expect, it } from 'vitest'
import { applyAnswer } from './apply-answer.ts'
import { readPiiAnswer } from './read-pii-answer.ts'

const apply = (texts: string[], text: string, mapping: Record<string, unknown>) =>
  applyAnswer(texts, { text, mapping }, 'Masker')

describe('applyAnswer', () => {
  it('masks the original strings, and ignores other changes of the model', () => {
    const { texts, mapping } = apply(['Ann met Bob.', 'by Ann'], '[NAME1] once met [NAME2]!', {
      NAME1: 'Ann',
      NAME2: 'Bob',
    })
    expect(texts).toEqual(['[NAME1] met [NAME2].', 'by [NAME1]'])
    expect(mapping).toEqual({ NAME1: 'Ann', NAME2: 'Bob' })
  })

  it('finds an original with different case and white space, and stores it as written in the text', () => {
    const { texts, mapping } = apply(['ANN\nLEE came'], '[NAME1] came', { NAME1: 'Ann Lee' })
    expect(texts).toEqual(['[NAME1] came'])
    expect(mapping).toEqual({ NAME1: 'ANN\nLEE' })
  })

  it('accepts numbers and arrays of one value', () => {
    expect(apply(['call 12345 or Ann'], '[A] [B]', { A: 12345, B: ['Ann'] }).texts).toEqual(['call [A] or [B]'])
    const { mapping } = readPiiAnswer('[C] Output Mapping: {"C": 98765432109876543}', 'PII')
    expect(apply(['pay to 98765432109876543'], 'pay to [C]', mapping).texts).toEqual(['pay to [C]'])
  })

  it('masks inside a word if the model did', () => {
    expect(apply(['Annas Haus'], '[NAME1]s Haus', { NAME1: 'Anna' }).texts).toEqual(['[NAME1]s Haus'])
  })

  it('renames a tag that the text already contains', () => {
    const { texts, mapping } = apply(['[NAME1] is Ann'], '[NAME1] is [NAME1]', { NAME1: 'Ann' })
    expect(texts).toEqual(['[NAME1] is [NAME1_2]'])
    expect(mapping).toEqual({ NAME1_2: 'Ann' })
  })

  it.each([
    ['that is not in the mapping', '[NAME1] and [NAME2]', { NAME1: 'Ann' }],
    ['whose original is not in the text', '[NAME1]', { NAME1: 'Zoe' }],
  ])('throws for a tag %s', (_, answer, mapping) => {
    expect(() => apply(['Ann and Bob'], answer, mapping)).toThrow(expect.objectContaining({ code: 'pii_parse' }))
  })

  it('finds each spelling of an original in Markdown, and restores it', () => {
    const { texts, mapping } = apply(['ann\\_b\\@example.org, ann_b@example.org', 'ann_b&#64;example.org'], '[MAIL]', {
      MAIL: 'ann_b@example.org',
    })
    expect(texts).toEqual(['[MAIL_2], [MAIL]', '[MAIL_3]'])
    expect(mapping).toEqual({
      MAIL: 'ann_b@example.org',
      '[MAIL_2]': 'ann\\_b\\@example.org',
      '[MAIL_3]': 'ann_b&#64;example.org',
    })
    expect(apply(['ann\\_b@example.org'], '[MAIL]', { MAIL: 'ann_b@example.org' })).toMatchObject({
      texts: ['[MAIL]'],
      mapping: { MAIL: 'ann\\_b@example.org' },
    })
  })

  it('ignores an entry of the mapping that neither the answer nor the text uses', () => {
    expect(apply(['Ann'], '[NAME1]', { NAME1: 'Ann', NAME2: 'Zoe' }).texts).toEqual(['[NAME1]'])
  })
})
