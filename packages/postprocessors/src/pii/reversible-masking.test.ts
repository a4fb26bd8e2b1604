/** Tests with test doubles that behave like real models that masking can always be reversed. */
import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { withDistinctTags } from './distinct-tags.ts'
import type { NamedEntity } from './mask-entities.ts'
import { NERPIINodePostprocessor } from './ner-pii-node-postprocessor.ts'
import { unmask } from './pii-mapping.ts'
import { PIINodePostprocessor } from './pii-node-postprocessor.ts'

const names = ['Ann', 'Ann Lee', 'Bob', 'Jürgen', '北京', 'J. Smith']
const word = fc.constantFrom(...names, ' ', '. ', ', ', '\n', 'and', '😀', '[', ']', '$&', 'Annapolis')
const text = fc.array(word, { maxLength: 80 }).map((words) => words.join(''))
const node = (value: string, metadata: Record<string, unknown> = {}) =>
  new NodeWithScore({ node: new TextNode({ id: 'a', text: value, metadata }) })
const mappingOf = (entry: NodeWithScore) => entry.metadata['__pii_node_info__'] as Record<string, unknown>

/** A model that reads at most `limit` code units, returns no offsets and respells words, as token classification models do. */
const recognizer =
  (limit = 60) =>
  (value: string): NamedEntity[] => {
    const seen = value.slice(0, limit)
    return names.flatMap((name) => {
      const found = [...seen.matchAll(new RegExp(name.replace('.', '\\.'), 'g'))]
      return found.map(() => ({ entity_group: 'PER', word: name.replace('.', ' .'), score: 0.9 }))
    })
  }

it('writes numbers that are not masked as they were read, everywhere', async () => {
  const own = '"price":1.0,"list":[2.0,{"Ann":3.50}],"hidden":40000.0'
  const related = `"1":{"node_id":"d","node_type":null,"metadata":{"table":[2.0],${own}},"hash":null}`
  const read = TextNode.fromJson(
    `{"text":"Ann","metadata":{${own}},"excluded_llm_metadata_keys":["hidden"],"excluded_embed_metadata_keys":["hidden"],"relationships":{${related}}}`,
  )
  const mask = new NERPIINodePostprocessor({ ner: recognizer() })
  const [masked] = await mask.postprocessNodes([new NodeWithScore({ node: read })])
  const json = masked!.node.toJson()
  const tag = /"(\[PER_\d+\])"/.exec(json)?.[1]
  expect(json.replaceAll(tag!, 'Ann')).toContain(own)
  expect(json.replaceAll(tag!, 'Ann')).toContain(`{"table":[2.0],${own}}`)
})

describe('NERPIINodePostprocessor', () => {
  it('can be reversed for any entities of the model', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.option(fc.integer({ min: 20, max: 60 })), async (original, windowSize) => {
        const mask = new NERPIINodePostprocessor({ ner: recognizer(), windowSize })
        const masked = await mask.maskPii(recognizer(), original)
        expect(unmask(masked.text, masked.mapping)).toBe(original)
      }),
      { numRuns: rounds(60, 200) },
    )
  })

  it('masks names beyond the input limit of the model', async () => {
    const long = `${'word '.repeat(40)}Jürgen ${'word '.repeat(40)}Bob`
    const whole = await new NERPIINodePostprocessor({ windowSize: null }).maskPii(recognizer(), long)
    expect(whole.text).toContain('Jürgen')
    const windows = await new NERPIINodePostprocessor({ windowSize: 60 }).maskPii(recognizer(), long)
    expect(windows.text).not.toMatch(/Jürgen|Bob/)
    expect(unmask(windows.text, windows.mapping)).toBe(long)
  })

  it('masks metadata that any model receives, and in metadata that is hidden from all models what was found elsewhere', async () => {
    const entry = new NodeWithScore({
      node: new TextNode({
        text: 'Bob',
        metadata: { by: 'Bob', page: 3, source: 'Bob', secret: 'Bob, Jürgen' },
        excludedLlmMetadataKeys: ['secret', 'source'],
        excludedEmbedMetadataKeys: ['secret'],
      }),
    })
    const [masked] = await new NERPIINodePostprocessor({ ner: recognizer() }).postprocessNodes([entry])
    expect(masked!.getContent('llm')).toBe('by: [PER_4]\npage: 3\n\n[PER_4]')
    expect(masked!.getContent('embed')).not.toContain('__pii_node_info__')
    expect(masked!.metadata).toMatchObject({ source: '[PER_4]', secret: '[PER_4], Jürgen' })
  })

  it('passes the mapping to mappingSink and does not store it on the node', async () => {
    const kept: [string, Record<string, unknown>][] = []
    const mask = new NERPIINodePostprocessor({
      ner: recognizer(),
      mappingSink: (id, mapping) => void kept.push([id, mapping]),
    })
    const [masked] = await mask.postprocessNodes([node('Bob')])
    expect(masked!.node.toDict()).toMatchObject({ text: '[PER_0]', metadata: {}, excluded_llm_metadata_keys: [] })
    expect(kept).toEqual([['a', { '[PER_0]': 'Bob' }]])
  })

  it('adds to the mapping of an earlier mask, so that one mapping restores all', async () => {
    const find = (group: string, pattern: RegExp) => (value: string) =>
      [...value.matchAll(pattern)].map(({ 0: found, index: start }) => ({
        entity_group: group,
        word: found,
        start,
        end: start + found.length,
      }))
    const mails = new NERPIINodePostprocessor({ ner: find('EMAIL', /\S+@\S+/g) })
    const people = new NERPIINodePostprocessor({ ner: find('PER', /Bob/g) })
    const original = 'Bob: bob@example.org'
    const masked = await people.postprocessNodes(await mails.postprocessNodes([node(original)]))
    expect(masked[0]!.text).toBe('[PER_0]: [EMAIL_5]')
    expect(unmask(masked[0]!.text, mappingOf(masked[0]!))).toBe(original)
    const again = await mails.postprocessNodes(masked)
    expect(again).toEqual(masked)
    // An entity around a tag, and a tag whose text is gone.
    const lines = new NERPIINodePostprocessor({ ner: find('EMAIL', /.+/g) })
    const [whole] = await lines.postprocessNodes(masked)
    expect(unmask(whole!.text, mappingOf(whole!))).toBe(original)
    const shortened = masked[0]!.copy({ update: { node: masked[0]!.node.copy({ update: { text: '12345 a@b.c' } }) } })
    const late = new NERPIINodePostprocessor({ ner: find('EMAIL', /(?<=\d)\d+| a@b.c/g), tagName: () => 'EMAIL_5' })
    const [both] = await late.postprocessNodes([shortened])
    expect(unmask(both!.text, mappingOf(both!))).toBe('12345 a@b.c')
    expect(unmask('[PER_0]: [EMAIL_5]', mappingOf(both!))).toBe(original)
  })

  it('uses each tag for one original in all nodes, with distinctTags', async () => {
    const mask = new NERPIINodePostprocessor({ ner: recognizer(), distinctTags: true })
    const masked = await mask.postprocessNodes([node('Bob left.'), node('Ann left.'), node('Bob came.')])
    expect(masked.map(({ text: value }) => value)).toEqual(['[PER_0] left.', '[PER_0_2] left.', '[PER_0] came.'])
    expect(unmask('[PER_0_2] met [PER_0]', Object.assign({}, ...masked.map(mappingOf)))).toBe('Ann met Bob')
  })

  it('restores all nodes by the merged mapping, even nodes that contain text in the form of a tag', async () => {
    const piece = fc.constantFrom('Bob', 'Ann', ' ', '[PER_0]', '[PER_0_2]', '[PER_8]', 'x')
    const texts = fc.array(
      fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(' ')),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(texts, async (originals) => {
        const mask = new NERPIINodePostprocessor({ ner: recognizer(), distinctTags: true })
        const masked = await mask.postprocessNodes(originals.map((original) => node(original)))
        const merged = Object.assign({}, ...masked.map(mappingOf))
        expect(masked.map(({ text: value }) => unmask(value, merged))).toEqual(originals)
      }),
      { numRuns: rounds(100, 300) },
    )
  })

  it('stops between two windows when the signal is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    let calls = 0
    const ner = async () => {
      calls++
      controller.abort(reason)
      return []
    }
    const mask = new NERPIINodePostprocessor({ ner, windowSize: 10 })
    const long = node('word '.repeat(20))
    await expect(mask.postprocessNodes([long], { signal: controller.signal })).rejects.toBe(reason)
    await expect(mask.maskPii(ner, long.text, { signal: controller.signal })).rejects.toBe(reason)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(calls).toBe(1)
  })

  it('reports progress per window', async () => {
    const progress: number[][] = []
    const mask = new NERPIINodePostprocessor({ ner: async () => [], windowSize: 10 })
    await mask.postprocessNodes([node('word '.repeat(4))], {
      onProgress: ({ done, total }) => progress.push([done, total]),
    })
    expect(progress.length).toBeGreaterThan(1)
    expect(progress.at(-1)).toEqual([progress.length, progress.length])
  })

  it('rejects an answer that is not an array, and skips entities that do not occur in the string', async () => {
    for (const broken of [undefined, null, 'Bob', {}]) {
      const mask = new NERPIINodePostprocessor({ ner: async () => broken as never })
      await expect(mask.postprocessNodes([node('Bob')])).rejects.toMatchObject({ code: 'pii_parse' })
    }
    const entities = [{ entity_group: 'PER' }, { entity_group: 'PER', word: null }, { start: 0, end: 3, entity: null }]
    const mask = new NERPIINodePostprocessor({ ner: async () => entities })
    expect((await mask.postprocessNodes([node('Bob')]))[0]!.text).toBe('[ENTITY_0]')
  })

  it.each([
    [[null], 'NERPIINodePostprocessor: the answer has at [0] null, not an entity.'],
    [[{ word: 'Bob' }, 'Ann'], 'NERPIINodePostprocessor: the answer has at [1] string, not an entity.'],
    [[{ word: 5 }], 'NERPIINodePostprocessor: the answer has at [0].word number, not a string.'],
    [[{ word: 'Bob', entity: 5 }], 'NERPIINodePostprocessor: the answer has at [0].entity number, not a string.'],
  ])('rejects an answer with %j', async (entities, message) => {
    const ner = async () => entities as never
    await expect(new NERPIINodePostprocessor({ ner }).postprocessNodes([node('Bob')])).rejects.toMatchObject({
      code: 'pii_parse',
      message,
    })
  })

  it('throws an error that names the missing option', async () => {
    await expect(new NERPIINodePostprocessor().postprocessNodes([node('x')])).rejects.toMatchObject({
      code: 'missing_dependency',
    })
  })
})

describe('PIINodePostprocessor', () => {
  /** A model that masks correctly, but only within the passage of one call. */
  const answer = (prompt: string) => {
    const passage = prompt
      .split('Text: ')
      .at(-1)!
      .replace(/\nAnswer:\n$/, '')
    const found = names.filter((name) => passage.includes(name)).sort((a, b) => b.length - a.length)
    const masked = found.reduce((value, name, index) => value.replaceAll(name, `[NAME${index + 1}]`), passage)
    return `${masked}\nOutput Mapping: ${JSON.stringify(Object.fromEntries(found.map((name, index) => [`NAME${index + 1}`, name])))}`
  }
  const plain = fc
    .array(fc.constantFrom(...names, ' ', '. ', 'and', 'met'), { maxLength: 60 })
    .map((words) => words.join(' ').trim())

  it('can be reversed for a model that masks correctly, even for a long node', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.constantFrom(4000, 400, 330), async (original, contextWindow) => {
        const masked = await new PIINodePostprocessor({ llm: new FunctionLLM({ answer, contextWindow }) }).maskPii(
          original,
        )
        expect(unmask(masked.text, masked.mapping)).toBe(original)
      }),
      { numRuns: rounds(40, 100) },
    )
  })

  it('masks a long node in parts and keeps the tags of the parts distinct', async () => {
    const llm = new FunctionLLM({ answer, contextWindow: 400 })
    const original = `Bob ${'wrote a word. '.repeat(30)}Ann replied.`
    const masked = await new PIINodePostprocessor({ llm }).maskPii(original)
    expect(llm.prompts.length).toBeGreaterThan(1)
    expect(masked.mapping).toEqual({ NAME1: 'Bob', NAME1_2: 'Ann' })
    expect(unmask(masked.text, masked.mapping)).toBe(original)
  })

  it('throws for an answer that cannot be parsed, and stores it in the error', async () => {
    const mask = new PIINodePostprocessor({ llm: new FunctionLLM({ answer: () => 'I cannot do that.' }) })
    await expect(mask.postprocessNodes([node('Bob')])).rejects.toMatchObject({
      code: 'pii_parse',
      answer: 'I cannot do that.',
    })
  })

  it('rejects a prompt with an unknown variable before any call', async () => {
    const llm = new FunctionLLM({ answer })
    await expect(new PIINodePostprocessor({ llm, piiStrTmpl: '{text}' }).maskPii('Bob')).rejects.toMatchObject({
      code: 'missing_variable',
    })
    expect(llm.prompts).toEqual([])
  })
})

describe('withDistinctTags', () => {
  it('returns tags with one original each, so that the merged mapping unmasks every string', () => {
    const part = fc.record(
      { A: fc.constantFrom('Ann', 'Bob'), A_2: fc.constantFrom('Cy', 'Dan'), '[B]': fc.constantFrom('Eve', 'Fay') },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (mappings) => {
        const masked = mappings.map((mapping) => ({
          text: Object.keys(mapping)
            .map((tag) => (tag.startsWith('[') ? tag : `[${tag}]`))
            .join(' and '),
          mapping,
        }))
        const distinct = withDistinctTags(masked)
        const merged = Object.assign({}, ...distinct.map(({ mapping }) => mapping))
        for (const [index, { text: value }] of distinct.entries())
          expect(unmask(value, merged)).toBe(unmask(masked[index]!.text, mappings[index]!))
      }),
    )
  })
})
