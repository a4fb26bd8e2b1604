/** Masks of an ingestion: the nodes inside of index nodes, tags that do not change with other text, and front matter. */
import { IndexNode, NodeWithScore, RelatedNodeInfo, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { findPatterns } from './find-patterns.ts'
import { keyedTags } from './keyed-tags.ts'
import { maskEntities } from './mask-entities.ts'
import { NERPIINodePostprocessor } from './ner-pii-node-postprocessor.ts'
import { unmask } from './pii-mapping.ts'
import { PIINodePostprocessor } from './pii-node-postprocessor.ts'

const tagName = keyedTags('a secret of the test')
const vault = () => {
  const mappings = new Map<string, Record<string, unknown>>()
  return { mappings, mappingSink: (id: string, mapping: Record<string, unknown>) => void mappings.set(id, mapping) }
}

describe('keyedTags', () => {
  it('names an original alike everywhere, and others otherwise', () => {
    expect(tagName('EMAIL', 'ann@example.org')).toMatch(/^EMAIL_[A-P]{10}$/)
    expect(tagName('EMAIL', 'ann@example.org')).toBe(tagName('EMAIL', 'ann@example.org'))
    const names = [
      tagName('EMAIL', 'a'),
      tagName('EMAIL', 'b'),
      tagName('PHONE', 'a'),
      keyedTags('x'.repeat(16))('EMAIL', 'a'),
    ]
    expect(new Set(names.map((name) => name.slice(6))).size).toBe(4)
  })

  it('refuses a short key without repeating it', () => {
    expect(() => keyedTags('short')).toThrow('keyedTags.key: expected a secret string of at least 16 characters')
    expect(() => keyedTags(5 as never)).toThrow('keyedTags.key: expected a string')
  })

  it('gives every node the tags that it had before another one changed, and one to every spelling', async () => {
    const { mappings, mappingSink } = vault()
    const mask = new NERPIINodePostprocessor({ ner: findPatterns, tagName, mappingSink, distinctTags: true })
    const texts = async (...of: string[]) =>
      (await mask.transform(of.map((text, index) => new TextNode({ id: String(index), text })))).map(({ text }) => text)
    const before = await texts('Write to ann@example.org.', 'Or bob@example.org or ann@example.org')
    const after = await texts('New zoe@example.org. Write to ann@example.org.', 'Or bob@example.org or ann@example.org')
    expect(after[1]).toBe(before[1])
    expect(before[0]).toBe(`Write to [${tagName('EMAIL', 'ann@example.org')}].`)
    const all = Object.assign({}, ...mappings.values())
    expect(after.map((text) => unmask(text, all))[0]).toBe('New zoe@example.org. Write to ann@example.org.')
    const [spelled] = await texts('ann\\@example.org, ann@example.org')
    expect(spelled).toBe(`[${tagName('EMAIL', 'ann@example.org')}], [${tagName('EMAIL', 'ann@example.org')}_2]`)
    expect(unmask(spelled!, mappings.get('0')!)).toBe('ann\\@example.org, ann@example.org')
  })

  it('accepts names in brackets, and refuses those that are no name of a tag or contain the original', async () => {
    const text = 'ann@example.org bob@example.org'
    const masked = (name: (group: string, original: string) => string) =>
      new NERPIINodePostprocessor({ ner: findPatterns, tagName: name }).maskPii(findPatterns, text)
    expect((await masked(() => '[X]')).text).toBe('[X] [X_2]')
    for (const name of ['', ' ', 'a]b', '(a)', 'a\nb', 5, null])
      await expect(masked(() => name as never)).rejects.toThrow(
        /^NERPIINodePostprocessor\.tagName: expected a function that returns a name without brackets/,
      )
    const leaks = [
      (_: string, original: string) => original,
      (_: string, original: string) => `[X_${original.toUpperCase()}]`,
    ]
    for (const leak of leaks) {
      await expect(masked(leak)).rejects.toMatchObject({ code: 'pii_masking', reason: 'original_in_tag' })
      const entry = new NodeWithScore({ node: new TextNode({ id: 'n', text }) })
      const mask = new NERPIINodePostprocessor({ ner: findPatterns, tagName: leak })
      const error = await mask.postprocessNodes([entry]).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'pii_masking', reason: 'original_in_tag' })
      expect(String(error)).not.toContain('ann')
    }
    // A part of another word, and the name of the group.
    const ner = () => [{ entity_group: 'PER', word: 'Per' }]
    for (const name of ['PER_1', 'Person_1'])
      expect((await new NERPIINodePostprocessor({ tagName: () => name }).maskPii(ner, 'Per')).text).toBe(`[${name}]`)
    const llm = new FunctionLLM({ answer: () => '[NAME_1]\nOutput Mapping:\n{"NAME_1": "Bob"}' })
    await expect(
      new PIINodePostprocessor({ llm, tagName: (_, original) => original }).maskPii('Bob'),
    ).rejects.toMatchObject({
      code: 'pii_masking',
    })
  })

  it('renames the tags of a language model', async () => {
    const llm = new FunctionLLM({
      answer: () => '[NAME_1] knows [NAME_2]\nOutput Mapping:\n{"NAME_1": "Bob", "NAME_2": "Ann"}',
    })
    const { text, mapping } = await new PIINodePostprocessor({ llm, tagName }).maskPii('Bob knows Ann')
    expect(text).toBe(`[${tagName('NAME', 'Bob')}] knows [${tagName('NAME', 'Ann')}]`)
    expect(unmask(text, mapping)).toBe('Bob knows Ann')
  })
})

describe('transform', () => {
  const table = () =>
    new TextNode({
      id: 'table',
      text: '| name | phone |\n|---|---|\n| Ann | 030 901821 |',
      metadata: { table_df: '{"columns":["name","phone"],"rows":[["Ann","030 901821"]]}' },
      excludedLlmMetadataKeys: ['table_df'],
      excludedEmbedMetadataKeys: ['table_df'],
    })

  it('masks the nodes inside of index nodes, and theirs, each with its mapping', async () => {
    const { mappings, mappingSink } = vault()
    const inner = new IndexNode({ id: 'inner', text: 'of 030 901821', indexId: 'table', obj: table() })
    const outer = new IndexNode({ id: 'outer', text: 'Tel. 030 901821', indexId: 'inner', obj: inner })
    const nodes = [outer, new IndexNode({ id: 'row', text: 'phone: 030 901821', indexId: 'inner', obj: inner.obj })]
    const mask = new NERPIINodePostprocessor({ ner: findPatterns, tagName, mappingSink })
    const masked = await mask.transform(nodes)
    expect(JSON.stringify(masked.map((node) => node.toDict()))).not.toContain('901821 ')
    const copy = (masked[0] as IndexNode).obj as IndexNode
    const tag = tagName('PHONE', '030 901821')
    expect((copy.obj as TextNode).text).toBe(`| name | phone |\n|---|---|\n| Ann | [${tag}] |`)
    expect((copy.obj as TextNode).metadata['table_df']).toBe(`{"columns":["name","phone"],"rows":[["Ann","[${tag}]"]]}`)
    expect((masked[1] as IndexNode).obj).toBe(copy.obj)
    expect([...mappings.keys()]).toEqual(['outer', 'row', 'inner', 'table'])
    expect(mappings.get('table')).toEqual({ [`[${tag}]`]: '030 901821' })
    // The input is unchanged.
    expect((inner.obj as TextNode).text).toContain('030 901821')
  })

  it('masks hidden metadata before it is stored, which lists cells of other parts of a table, but no numbers', async () => {
    const metadata = { table_summary: 'mail; mail: ann@example.org, bob@example.org', checked: 4111111111111111 }
    const keys = Object.keys(metadata)
    const text = '| mail |\n|---|\n| ann@example.org |'
    const node = new TextNode({ text, metadata, excludedLlmMetadataKeys: keys, excludedEmbedMetadataKeys: keys })
    const { mappingSink } = vault()
    const [masked] = await new NERPIINodePostprocessor({ ner: findPatterns, tagName, mappingSink }).transform([node])
    const [ann, bob] = ['ann', 'bob'].map((name) => tagName('EMAIL', `${name}@example.org`))
    expect(masked!.metadata).toEqual({ table_summary: `mail; mail: [${ann}], [${bob}]`, checked: 4111111111111111 })
  })

  it('masks what the index nodes of a search contain, and their data', async () => {
    const data = { rows: [['Tel. 030 901821'], [3]] }
    const nodes = [
      new IndexNode({ id: 'a', text: 'x', indexId: 'table', obj: table() }),
      new IndexNode({ id: 'b', text: 'x', indexId: 'data', obj: data }),
    ]
    const mask = new NERPIINodePostprocessor({ ner: findPatterns })
    const [a, b] = await mask.postprocessNodes(nodes.map((node) => new NodeWithScore({ node, score: 0.5 })))
    expect(((a!.node as IndexNode).obj as TextNode).text).toContain('[PHONE_')
    expect((b!.node as IndexNode).obj).toEqual({ rows: [[expect.stringMatching(/^Tel\. \[PHONE_\d+\]$/)], [3]] })
    expect([a!.score, b!.score]).toEqual([0.5, 0.5])
  })

  it('masks the hidden cells of an index node, and the metadata in links to it, which no text shows', async () => {
    const hidden = { excludedLlmMetadataKeys: ['table_df'], excludedEmbedMetadataKeys: ['table_df'] }
    const index = new IndexNode({
      id: 'i',
      text: 'name, phone',
      indexId: 'table',
      metadata: table().metadata,
      ...hidden,
      obj: table(),
    })
    const link = new RelatedNodeInfo({ nodeId: 'i', metadata: table().metadata })
    const nodes = [new TextNode({ id: 'a', text: 'before', relationships: { '3': link } }), index]
    const { mappingSink } = vault()
    const llm = new FunctionLLM({
      answer: (prompt) =>
        prompt.includes('030 901821')
          ? '[PHONE1]\nOutput Mapping:\n{"PHONE1": "030 901821"}'
          : 'x\nOutput Mapping:\n{}',
    })
    for (const mask of [
      new NERPIINodePostprocessor({ ner: findPatterns, tagName, mappingSink }),
      new NERPIINodePostprocessor({ ner: findPatterns, mappingSink }),
      new PIINodePostprocessor({ llm, mappingSink }),
    ]) {
      const masked = await mask.transform(nodes)
      expect(JSON.stringify(masked.map((node) => node.toDict()))).not.toContain('901821')
      expect(masked[1]!.metadata['table_df']).toMatch(
        /^\{"columns":\["name","phone"\],"rows":\[\["Ann","\[PHONE[^\]]*\]"\]\]\}$/,
      )
      expect((Object.values(masked[0]!.relationships)[0] as RelatedNodeInfo).metadata).toEqual(masked[1]!.metadata)
    }
    const [before] = await new NERPIINodePostprocessor({ ner: findPatterns }).postprocessNodes([
      new NodeWithScore({ node: nodes[0]! }),
    ])
    expect(JSON.stringify(before!.node.relationships)).not.toContain('901821')
  })

  it('masks them with a language model too', async () => {
    const llm = new FunctionLLM({
      answer: (prompt) =>
        prompt.includes('030 901821')
          ? '[PHONE1]\nOutput Mapping:\n{"PHONE1": "030 901821"}'
          : 'x\nOutput Mapping:\n{}',
    })
    const { mappingSink } = vault()
    const nodes = [new IndexNode({ id: 'a', text: 'x', indexId: 'table', obj: table() })]
    const [masked] = await new PIINodePostprocessor({ llm, mappingSink }).transform(nodes)
    expect(JSON.stringify(masked!.toDict())).not.toContain('901821')
  })

  it('refuses to store the originals, and stops when it is cancelled', async () => {
    const mask = new NERPIINodePostprocessor({ ner: findPatterns })
    await expect(mask.transform([table()])).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('mappingSink'),
    })
    const { mappingSink } = vault()
    const own = new NERPIINodePostprocessor({ ner: findPatterns, mappingSink })
    await expect(own.transform([table()], { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(await own.transform([])).toEqual([])
  })
})

describe('front matter', () => {
  const text =
    '---\ncontact: ann@example.org (office)\nall: [ann@example.org, bob@example.org]\nphone: +49 30 901820\n---\n\nWrite to ann@example.org.\n'

  it('stays YAML: its tags have round brackets', () => {
    const masked = maskEntities(text, findPatterns(text))
    expect(masked.text).toBe(
      '---\ncontact: (EMAIL_13) (office)\nall: [(EMAIL_13), (EMAIL_61)]\nphone: (PHONE_85)\n---\n\nWrite to [EMAIL_13].\n',
    )
    expect(masked.mapping).toMatchObject({ '(EMAIL_13)': 'ann@example.org', '[EMAIL_13]': 'ann@example.org' })
    expect(unmask(masked.text, masked.mapping)).toBe(text)
    expect(unmask('Is it (EMAIL_13)?', masked.mapping)).toBe('Is it ann@example.org?')
  })

  it('is masked so by a language model, with stable and with distinct tags', async () => {
    const llm = new FunctionLLM({ answer: () => '[MAIL1]\nOutput Mapping:\n{"MAIL1": "ann@example.org"}' })
    const own = await new PIINodePostprocessor({ llm }).maskPii(text)
    expect(own.text).toContain('contact: (MAIL1) (office)')
    expect(own.text).toContain('Write to [MAIL1].')
    expect(unmask(own.text, own.mapping)).toBe(text)
    const mask = new NERPIINodePostprocessor({ ner: findPatterns, tagName, distinctTags: true })
    const other = text.replaceAll('ann@', 'zoe@')
    const entries = await mask.postprocessNodes(
      [text, other].map((each) => new NodeWithScore({ node: new TextNode({ text: each }) })),
    )
    expect(entries.map(({ text: masked, metadata }) => unmask(masked, metadata['__pii_node_info__'] as never))).toEqual(
      [text, other],
    )
    expect(entries[0]!.text).toContain(`contact: (${tagName('EMAIL', 'ann@example.org')}) (office)`)
    const numbered = new NERPIINodePostprocessor({ ner: findPatterns, distinctTags: true })
    const [, second] = await numbered.postprocessNodes(
      [text, other].map((each) => new NodeWithScore({ node: new TextNode({ text: each }) })),
    )
    expect(second!.text).toContain('contact: (EMAIL_13_2) (office)')
  })

  it.each(['---\n\nann@example.org', 'a\n---\nx: ann@example.org\n---'])(
    'is nothing but the beginning of a text: %j',
    (other) => {
      expect(maskEntities(other, findPatterns(other)).text).toContain('[EMAIL_')
    },
  )
})
