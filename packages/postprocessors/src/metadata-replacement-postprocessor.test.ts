import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { MetadataReplacementPostProcessor } from './metadata-replacement-postprocessor.ts'

const replace = async (value: unknown) => {
  const node = TextNode.construct({ id: 'a', text: 'text', metadata: { key: value } })
  const replacement = new MetadataReplacementPostProcessor({ targetMetadataKey: 'key' })
  return (await replacement.postprocessNodes([NodeWithScore.construct({ node })]))[0]!.text
}

describe('MetadataReplacementPostProcessor', () => {
  it('converts strings, numbers and booleans, and treats null as missing', async () => {
    expect(await Promise.all(['', 'a', 0, 1.5, 1e-7, 1e20, false, null].map(replace))).toEqual([
      '',
      'a',
      '0',
      '1.5',
      '1e-07',
      '1e+20',
      'false',
      'text',
    ])
  })

  it('rejects values that are not strings, booleans or finite numbers', async () => {
    for (const value of [[], {}, Number.NaN, Number.POSITIVE_INFINITY, () => 1, 5n])
      await expect(replace(value)).rejects.toMatchObject({ code: 'invalid_metadata', nodeId: 'a', key: 'key' })
  })
})
