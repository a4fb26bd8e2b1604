import { Document } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'
import { SemanticSplitterNodeParser } from './semantic-splitter-node-parser.ts'

/** Embeds a text by how often it names each subject. */
const embedModel = {
  requests: [] as (readonly string[])[],
  getTextEmbeddingBatch: async (texts: readonly string[]) => {
    embedModel.requests.push(texts)
    return texts.map((text) => ['cat', 'tax', 'sea'].map((word) => 0.1 + text.toLowerCase().split(word).length - 1))
  },
}
type Options = Partial<ConstructorParameters<typeof SemanticSplitterNodeParser>[0]>
const parserWith = (options: Options = {}) =>
  new SemanticSplitterNodeParser({ embedModel: embedModel as never, ...options })
const cats = 'Cats purr. A cat sleeps.\nMy cat eats.'
const taxes = 'The tax is high. Pay the tax. No tax is fair.'
const sea = 'The sea is cold. We swim in the sea.'
const text = `${cats}\n\n${taxes} ${sea}`

describe('SemanticSplitterNodeParser', () => {
  it('splits where the subject changes, with one request, and returns exact slices', async () => {
    embedModel.requests = []
    const nodes = await parserWith({ breakpointPercentileThreshold: 70 }).getNodesFromDocuments([
      new Document({ text }),
    ])
    expect(nodes.map((node) => node.text)).toEqual([cats, taxes, sea])
    for (const { startCharIdx, endCharIdx, text: own } of nodes)
      expect(text.slice(startCharIdx ?? -1, endCharIdx ?? -1)).toBe(own)
    expect(embedModel.requests.map(({ length }) => length)).toEqual([8])
    expect(embedModel.requests[0]?.slice(0, 2)).toEqual(['Cats purr. A cat sleeps.', cats])
    expect(nodes[1]?.prevNode?.nodeId).toBe(nodes[0]?.id)
  })

  it('splits chunks that are too large where the subject changes most', async () => {
    const nodes = await parserWith({ breakpointPercentileThreshold: 100, chunkSize: 12 }).getNodesFromDocuments([
      new Document({ text }),
    ])
    expect(nodes.map((node) => node.text)).toEqual([cats, taxes, sea])
  })

  it('splits chunks that are too large in the middle if the subject does not change', async () => {
    const nodes = await parserWith({
      breakpointPercentileThreshold: 100,
      chunkSize: 5,
      bufferSize: 0,
    }).getNodesFromDocuments([new Document({ text: Array(6).fill('A cat.').join(' ') })])
    expect(nodes.map((node) => node.text)).toEqual(Array(2).fill('A cat. A cat. A cat.'))
  })

  it('makes no request for a single sentence, and no node of blank text', async () => {
    embedModel.requests = []
    const nodes = await parserWith().getNodesFromDocuments([
      new Document({ text: ' One. ' }),
      new Document({ text: ' \n' }),
    ])
    expect(nodes.map((node) => node.text)).toEqual(['One.'])
    expect(embedModel.requests).toEqual([])
  })

  it('accepts another splitter of sentences, checks the number of vectors, and can be cancelled', async () => {
    const sentenceSplitter = (part: string) => part.split(';')
    const nodes = await parserWith({
      sentenceSplitter,
      bufferSize: 0,
      breakpointPercentileThreshold: 0,
    }).getNodesFromDocuments([new Document({ text: 'cat;tax' })])
    expect(nodes.map((node) => node.text)).toEqual(['cat;tax'])
    const wrong = { getTextEmbeddingBatch: async () => [[1]] } as never
    await expect(
      parserWith({ embedModel: wrong }).getNodesFromDocuments([new Document({ text })]),
    ).rejects.toMatchObject({ code: 'embedding_dimension' })
    const silent = { getTextEmbeddingBatch: () => new Promise(() => undefined) } as never
    const signal = AbortSignal.timeout(5)
    await expect(
      parserWith({ embedModel: silent }).getNodesFromDocuments([new Document({ text })], { signal }),
    ).rejects.toThrow('timeout')
  })

  it('keeps all text within the size', async () => {
    const words = fc.constantFrom('cat. ', 'tax ', 'Sea! ', '\n\n', 'averyveryverylongword ')
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (parts, chunkSize) => {
        const whole = parts.join('')
        const nodes = await parserWith({ chunkSize }).getNodesFromDocuments([new Document({ text: whole })])
        expect(
          nodes
            .map((node) => node.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(whole.replace(/\s/g, ''))
        for (const node of nodes) expect(countTokens(node.text, null)).toBeLessThanOrEqual(chunkSize)
      }),
    )
  })

  it('has the JSON form of LlamaIndex for Python', () => {
    expect(parserWith().toDict()).toEqual({
      include_metadata: true,
      include_prev_next_rel: true,
      buffer_size: 1,
      breakpoint_percentile_threshold: 95,
      class_name: 'SemanticSplitterNodeParser',
    })
  })
})
