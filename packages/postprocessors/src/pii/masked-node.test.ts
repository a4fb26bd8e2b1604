/** A masked node never contains the originals that were found: neither in the content that models receive, nor in hidden metadata. */
import { ImageNode, NodeWithScore, TextNode, type TextNodeOptions } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { findPatterns } from './find-patterns.ts'
import type { NamedEntity } from './mask-entities.ts'
import { NERPIINodePostprocessor } from './ner-pii-node-postprocessor.ts'
import { unmask } from './pii-mapping.ts'
import { PIINodePostprocessor } from './pii-node-postprocessor.ts'

/** Finds every occurrence of the words, even inside longer words. */
const finder =
  (...words: string[]) =>
  (text: string): NamedEntity[] =>
    words.flatMap((word) =>
      [...text.matchAll(new RegExp(word.replace(/[.+]/g, '\\$&'), 'g'))].map(({ index }) => ({
        entity_group: 'PER',
        word,
        start: index,
        end: index + word.length,
      })),
    )
const entry = (options: Partial<TextNodeOptions>) => new NodeWithScore({ node: new TextNode({ id: 'a', ...options }) })
const mask = async (options: Partial<TextNodeOptions>, ner: (text: string) => NamedEntity[]) => {
  const [masked] = await new NERPIINodePostprocessor({ ner }).postprocessNodes([entry(options)])
  return masked!
}
const bothModes = ({ node }: NodeWithScore) => `${node.getContent('llm')}\n${node.getContent('embed')}`

describe('a node masked by a recognizer', () => {
  it('has no original in another spelling of Markdown, and is restored exactly', async () => {
    const cells = '{"columns":["mail"],"rows":[["ann_b\\\\@example.org"],["password: a1|b2"]]}'
    const masked = await mask(
      {
        text: 'Mail ann\\_b\\@example.org, password: a1\\|b2',
        metadata: { author: 'ann_b@example.org', table_df: cells },
        excludedLlmMetadataKeys: ['table_df'],
        excludedEmbedMetadataKeys: ['table_df'],
      },
      (text) => [
        ...findPatterns(text),
        ...[...text.matchAll(/a1\\\|b2/g)].map(({ 0: word, index }) => ({ word, start: index })),
      ],
    )
    const { __pii_node_info__: mapping, ...metadata } = masked.metadata as Record<string, never>
    expect(`${masked.text} ${JSON.stringify(metadata)}`).not.toMatch(/ann|example|a1|b2/)
    expect(unmask(masked.text, mapping!)).toBe('Mail ann\\_b\\@example.org, password: a1\\|b2')
    const { rows } = JSON.parse(metadata['table_df']!)
    expect(rows.map(([cell]: [string]) => unmask(cell, mapping!))).toEqual(['ann_b\\@example.org', 'password: a1|b2'])
  })

  it('has no original in arrays, objects, numbers and keys of its metadata', async () => {
    const masked = await mask(
      {
        text: 'Anna.',
        metadata: {
          authors: ['Anna', 'bob@example.org'],
          card: { holder: 'Anna', number: 4111111111111111 },
          Anna: { 'bob@example.org': [{ deep: 'for Anna' }] },
          page: 3,
          open: true,
          none: null,
        },
      },
      (text) => [...finder('Anna')(text), ...findPatterns(text)],
    )
    expect(bothModes(masked)).not.toMatch(/Anna|bob@|4111/)
    expect(masked.metadata).toMatchObject({
      authors: ['[PER_11]', '[EMAIL_19]'],
      card: { holder: '[PER_11]', number: expect.stringMatching(/^\[CARD_\d+\]$/) },
      '[PER_11]': { '[EMAIL_19]': [{ deep: 'for [PER_11]' }] },
      page: 3,
      open: true,
      none: null,
    })
    expect(masked.text).toBe('[PER_11].')
  })

  it('is masked at the found offsets, with and without visible metadata', async () => {
    expect((await mask({ text: 'Annas Haus' }, finder('Anna'))).text).toBe('[PER_0]s Haus')
    expect((await mask({ text: 'Annas Haus', metadata: { page: 3 } }, finder('Anna'))).text).toBe('[PER_9]s Haus')
  })

  it('is masked inside all words if the model reports only the first occurrence', async () => {
    const once = (text: string) => finder('Anna')(text).slice(0, 1)
    const masked = await mask({ text: 'Annas Haus, Annas Auto, Joanna', metadata: { of: 'Annas' } }, once)
    expect(masked.node.getContent('llm')).toBe('of: [PER_4]s\n\n[PER_4]s Haus, [PER_4]s Auto, Joanna')
  })

  it('has no original in content for embedding models only, nor in its relationships', async () => {
    const masked = await mask(
      {
        text: 'Hi.',
        metadata: { mail: 'ann@example.org', 'bob@example.org': 1 },
        excludedLlmMetadataKeys: ['mail', 'bob@example.org'],
        relationships: {
          1: { nodeId: 'd', metadata: { to: ['ann@example.org'] } },
          5: [{ nodeId: 'c', metadata: { 'cy@example.org': 2 } }],
        },
      },
      findPatterns,
    )
    expect(bothModes(masked)).not.toContain('@')
    expect(masked.node.getContent('llm')).toBe('Hi.')
    const { [`__pii_node_info__`]: mapping, ...metadata } = masked.node.metadata
    expect(JSON.stringify([masked.node.relationships, metadata])).not.toContain('@')
    expect(Object.values(mapping as object)).toEqual(['ann@example.org', 'bob@example.org', 'cy@example.org'])
  })

  it('is masked in strings that are escaped in its content, and with any templates', async () => {
    const masked = await mask(
      { text: ' Anna ', metadata: { lines: ['a\nAnna', 'it\'s "Anna"'] }, metadataTemplate: '<{value}|{key}>' },
      finder('Anna'),
    )
    expect(bothModes(masked)).not.toContain('Anna')
    expect(masked.text).toMatch(/^ \[PER_\d+\] $/)
  })

  it('has no original that was found in hidden metadata and in the cells of a table', async () => {
    const table_df = JSON.stringify({ columns: ['who', 'columns'], rows: [['\nO\'Neil "O\'Neil"', 'rows of Anna']] })
    const hidden = {
      owner: 'Anna',
      card: 4111111111111111,
      all: [{ deep: 'for Anna', Anna: 'Eve' }],
      start_line: 12,
      open: true,
      table_df,
      old: { '[EMAIL_0]': 'Anna@example.org' },
    }
    const keys = Object.keys(hidden)
    const masked = await mask(
      {
        text: "Anna, 4111111111111111, 12, rows, columns: O'Neil wrote to [EMAIL_0].",
        metadata: { ...hidden, by: 'Anna' },
        excludedLlmMetadataKeys: keys,
        excludedEmbedMetadataKeys: keys,
      },
      finder('Anna', '4111111111111111', '12', 'rows', 'columns', "O'Neil"),
    )
    const { __pii_node_info__, old, table_df: cells, ...metadata } = masked.metadata
    expect(JSON.stringify([metadata, cells])).not.toMatch(/Anna|4111|Neil/)
    expect(metadata).toMatchObject({ by: metadata['owner'], start_line: 12, open: true })
    expect(Object.keys(metadata)).toEqual(['owner', 'card', 'all', 'start_line', 'open', 'by'])
    expect(unmask(JSON.stringify(metadata['all']), __pii_node_info__ as Record<string, unknown>)).toBe(
      JSON.stringify(hidden.all),
    )
    expect(old).toEqual(hidden.old)
    const { columns, rows } = JSON.parse(String(cells))
    const restored = [...columns, ...rows[0]].map((cell) => unmask(cell, __pii_node_info__ as Record<string, unknown>))
    expect(restored).toEqual(['who', 'columns', '\nO\'Neil "O\'Neil"', 'rows of Anna'])
  })

  it.each(['| Anna | 2 |', '{"columns":1}', '{"columns":[Anna', "{'columns': ['Anna']}"])(
    'has no original that was found in the table data %j',
    async (table_df) => {
      const keys = ['table_df']
      const hidden = { metadata: { table_df }, excludedLlmMetadataKeys: keys, excludedEmbedMetadataKeys: keys }
      const masked = await mask({ text: 'Anna', ...hidden }, finder('Anna'))
      expect(masked.metadata['table_df']).toBe(table_df.replace('Anna', '[PER_0]'))
    },
  )

  it('has no original in the address and the path of its image', async () => {
    const imageUrl = 'https://example.org/?user=ann%40example.org'
    const node = new ImageNode({
      id: 'a',
      text: 'ann@example.org',
      imageUrl,
      imagePath: 'ann@example.org.png',
      image: 'aGk=',
    })
    const [masked] = await new NERPIINodePostprocessor({ ner: findPatterns }).postprocessNodes([
      new NodeWithScore({ node }),
    ])
    const image = masked!.node as ImageNode
    expect([image.imageUrl, image.imagePath, image.image]).toEqual([
      'https://example.org/?user=[EMAIL_0_2]',
      '[EMAIL_0].png',
      'aGk=',
    ])
    expect(unmask(image.imageUrl!, image.metadata['__pii_node_info__'] as Record<string, string>)).toBe(imageUrl)
    const kept: Record<string, unknown>[] = []
    const mask = new NERPIINodePostprocessor({
      ner: findPatterns,
      mappingSink: (_, mapping) => void kept.push(mapping),
    })
    const [stored] = (await mask.transform([new ImageNode({ text: 'A cat.', imageUrl })])) as ImageNode[]
    expect(stored!.imageUrl).not.toContain('ann')
    expect(unmask(stored!.imageUrl!, kept[0]!)).toBe(imageUrl)
  })

  it('is not searched in hidden metadata', async () => {
    const keys = ['mail']
    const hidden = {
      metadata: { mail: 'ann@example.org' },
      excludedLlmMetadataKeys: keys,
      excludedEmbedMetadataKeys: keys,
    }
    const masked = await mask({ text: 'Hi.', ...hidden }, findPatterns)
    expect(masked.metadata).toEqual({ mail: 'ann@example.org', __pii_node_info__: {} })
  })

  it('throws pii_masking if a template contains an original', async () => {
    await expect(
      mask({ text: 'x', metadata: { k: 1 }, metadataTemplate: 'Bob {key}: {value}' }, finder('Bob')),
    ).rejects.toMatchObject({ code: 'pii_masking', nodeId: 'a', reason: 'original_left', mode: 'llm' })
  })

  it('never contains the originals and can be reversed, for any text and metadata', async () => {
    const words = ['Anna', 'bob@example.org', '4111111111111111', "O'Neil"]
    const word = fc.constantFrom(...words, 's', ' ', '\n', '"', "'", '[PER_0]', '{', '北京', '😀')
    const text = fc.array(word, { maxLength: 8 }).map((parts) => parts.join(''))
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom<unknown>(4111111111111111, true, null, 1.5),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(text, tie('any'), { maxKeys: 3 }),
      ),
    })).any
    const metadata = fc.dictionary(text, value, { maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(text, metadata, fc.nat(3), fc.nat(3), async (body, given, llm, embed) => {
        const keys = Object.keys(given)
        const masked = await mask(
          {
            text: body,
            metadata: given,
            excludedLlmMetadataKeys: keys.slice(0, llm),
            excludedEmbedMetadataKeys: keys.slice(0, embed),
          },
          finder(...words),
        )
        const mapping = masked.metadata['__pii_node_info__'] as Record<string, unknown>
        for (const secret of words) expect(bothModes(masked)).not.toContain(secret)
        expect(unmask(masked.text, mapping)).toBe(body)
      }),
      { numRuns: rounds(100, 300) },
    )
  })

  it('takes linear time for any amount of metadata', { tags: 'growth' }, async () => {
    const run = (count: number) =>
      mask(
        {
          text: 'user0@example.org '.repeat(count),
          metadata: { to: Array.from({ length: count }, (_, n) => `user${n}@example.org`) },
        },
        findPatterns,
      )
    expect(await growthOf(run, 200)).toBeLessThan(1.75)
  })
})

describe('a node masked by a language model', () => {
  const answering = (answer: string) => new PIINodePostprocessor({ llm: new FunctionLLM({ answer: () => answer }) })
  const maskBy = async (answer: string, options: Partial<TextNodeOptions> = { text: 'Ask Bob, he knows.' }) =>
    (await answering(answer).postprocessNodes([entry(options)]))[0]!

  it.each([
    '\nOutput Mapping:\n{"NAME1": "Bob"}',
    '<think>Who is Bob?\nOutput Mapping: {"X": "he"}</think>Ask [NAME1], he knows.\nOutput Mapping:\n{"NAME1": "Bob"}',
    'Bob? He is a person.</think>Ask [NAME1]\nOutput Mapping:\n{"NAME1": "Bob"}',
    'Answer:\nSure! Ask [NAME1], she knows everything.\nOutput Mapping:\n{"NAME1": "Bob"}',
    'Ask [NAME1].\n\n## Output Mapping\n```json\n{"NAME1": "Bob"}\n```',
    'Ask [NAME1].\n**output mapping:** {"NAME1": "Bob",}',
    "Ask [NAME1].\n**Output Mapping**:\n{'NAME1': 'Bob'}",
    'Ask [NAME1].\nOUTPUT MAPPING (JSON):\n{“NAME1”: “Bob”}',
    'Ask [NAME1].\noutput_mapping: {"[NAME1]": "Bob"}',
    'Ask [NAME1].\nOutput Mapping:\n{"NAME1": ["Bob"]}',
    'Ask [NAME1].\nOutput Mapping:\n{"NAME1": "bob"}',
    'Ask [NAME1].\nOutput Mapping:\n{"NAME1": "Bob", "AGE": null}',
  ])('has its original text with the originals replaced, for the answer %j', async (answer) => {
    const masked = await maskBy(answer)
    expect(masked.text).toBe('Ask [NAME1], he knows.')
    const mapping = masked.metadata['__pii_node_info__'] as Record<string, unknown>
    expect(unmask(masked.text, mapping)).toBe('Ask Bob, he knows.')
  })

  it.each([
    'Ask [NAME1], he knows.\nOutput Mapping:\n{"Bob": "NAME1"}',
    'Ask [NAME1], he knows.\nOutput Mapping:\n{}',
    'Ask [NAME1], he knows.\nOutput Mapping:\n{"NAME1": "Robert"}',
    'Ask [NAME1], he knows.\nOutput Mapping:\n{"NAME1": null}',
    'Ask [NAME1], [NAME2] knows.\nOutput Mapping:\n{"NAME1": "Bob"}',
    '<think>Ask [NAME1]\nOutput Mapping:\n{"NAME1": "Bob"}',
  ])('throws pii_parse if the mapping lacks a masked original: %j', async (answer) => {
    await expect(maskBy(answer)).rejects.toMatchObject({ code: 'pii_parse' })
  })

  it('has no original that was found in hidden metadata', async () => {
    const keys = ['owner']
    const hidden = { metadata: { owner: 'Bob' }, excludedLlmMetadataKeys: keys, excludedEmbedMetadataKeys: keys }
    const masked = await maskBy('Ask [N].\nOutput Mapping:\n{"N": "Bob"}', { text: 'Ask Bob.', ...hidden })
    expect(masked.metadata['owner']).toBe('[N]')
  })

  it('is masked inside longer words if the model did so', async () => {
    const masked = await maskBy('[N1]s Haus, [N2]在北京\nOutput Mapping: {"N1": "Anna", "N2": "李明"}', {
      text: 'Annas Haus, 李明在北京. Anna, 和李明.',
      metadata: { of: ['Annas'], number: 5 },
    })
    expect(masked.node.getContent('llm')).toBe("of: ['[N1]s']\nnumber: 5\n\n[N1]s Haus, [N2]在北京. [N1], 和李明.")
  })

  it('contains no tag that the original text contains', async () => {
    const masked = await maskBy('[N1] and [N1]\nOutput Mapping: {"N1": "Bob"}', { text: '[N1] and Bob' })
    expect(masked.text).toBe('[N1] and [N1_2]')
  })

  it('throws pii_masking if unmasking would not return the text', async () => {
    await expect(
      answering('\nOutput Mapping: {"A": "Ann", "[A]-]": "Bob"}').maskPii('Ann-] Bob'),
    ).rejects.toMatchObject({ code: 'pii_masking', reason: 'not_reversible', nodeId: null })
  })
})
