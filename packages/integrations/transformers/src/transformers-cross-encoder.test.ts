import { NodeWithScore, TextNode } from '@x/core-model'
import { SentenceTransformerRerank } from '@x/postprocessors'
import { afterAll, describe, expect, it } from 'vitest'
import '../test/model-folder.ts'
import { ModelFolder } from '../test/model-folder.ts'
import { ScriptedLibrary } from '../test/scripted-library.ts'
import { writeCrossEncoderModel } from '../test/tiny-models/tiny-models.ts'
import { TransformersCrossEncoder, type TransformersCrossEncoderOptions } from './transformers-cross-encoder.ts'

const folder = new ModelFolder()
afterAll(() => folder.remove())

const words = ['red', 'apple', 'pear', 'sweet']
const path = writeCrossEncoderModel(folder.next(), { words })
const made = (options: Partial<TransformersCrossEncoderOptions> = {}) =>
  new TransformersCrossEncoder({ modelName: 'tiny/fruit', path, ...options })
const sigmoid = (value: number) => 1 / (1 + Math.exp(-value))
const rounded = (scores: readonly number[]) => scores.map((score) => Math.round(score * 1e4) / 1e4)

describe('TransformersCrossEncoder', () => {
  it('scores pairs of different lengths in their order', async () => {
    const scores = await made({ activation: 'identity' }).predict([
      ['red apple', 'a pear'],
      ['red apple', 'the apple is sweet, and it is red'],
      ['pear', 'a pear'],
      ['pear', ''],
    ])
    expect(scores).toEqual([-1, 1, 0, -1])
    expect(await made().predict([])).toEqual([])
  })

  it.each([
    ['nothing and has one label', {}, sigmoid(0)],
    [
      'the identity of newer versions',
      { sentence_transformers: { activation_fn: 'torch.nn.modules.linear.Identity' } },
      0,
    ],
    [
      'the sigmoid of newer versions',
      { sentence_transformers: { activation_fn: 'torch.nn.modules.activation.Sigmoid' } },
      sigmoid(0),
    ],
    ['the identity of older versions', { sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' }, 0],
    [
      'the sigmoid of older versions',
      { sbert_ce_default_activation_function: 'torch.nn.modules.activation.Sigmoid' },
      sigmoid(0),
    ],
  ])('applies the activation of a model that states %s', async (_, config, expected) => {
    const own = made({ path: writeCrossEncoderModel(folder.next(), { words, config }) })
    expect(rounded(await own.predict([['pear', 'pear']]))).toEqual(rounded([expected]))
  })

  it('returns the best score of the windows of a passage that is too long', async () => {
    const hay = 'sweet '.repeat(900)
    const scores = await made({ activation: 'identity' }).predict([
      ['red apple', `${hay}red apple`],
      ['red apple', `red apple ${hay}`],
      ['red apple', `${hay}red apple ${hay}`],
      ['red apple', `red ${hay}apple`],
      ['red apple', hay],
    ])
    expect(scores).toEqual([1, 1, 1, 0, -1])
  })

  it('reads every token of a passage, and the whole query in each window', async () => {
    const library = new ScriptedLibrary({
      maxLength: 16,
      run: async (rows) => ({ dims: [rows.length, 1], values: rows.map(() => 0) }),
    })
    const passage = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index))
    await made({ library: library.import }).predict([['ab', passage.join(' ')]])
    const rows = library.runs.flat()
    expect(rows.every((row) => row.length <= 16 && row[1] === 97 && row[2] === 98)).toBe(true)
    const read = new Set(
      rows.flatMap((row) =>
        String.fromCodePoint(...row)
          .slice(4, -1)
          .split(''),
      ),
    )
    expect([...read].sort()).toEqual(passage)
  })

  it('throws for a query that leaves no room for a passage', async () => {
    await expect(made().predict([['red '.repeat(400), 'pear']])).rejects.toMatchObject({
      code: 'model_call',
      kind: 'context_length',
      message: 'TransformersCrossEncoder tiny/fruit: the query has 400 tokens; the model reads 509 with the passage',
    })
  })

  it('throws when maxTokens leaves no room', async () => {
    for (const maxTokens of [3, 0, -5, Number.NaN])
      await expect(made({ maxTokens }).predict([['', 'pear pear']])).rejects.toMatchObject({ kind: 'context_length' })
    expect(await made({ maxTokens: 5, activation: 'identity' }).predict([['pear', 'a pear']])).toEqual([0])
  })

  it('throws for a model with several labels', async () => {
    const own = writeCrossEncoderModel(folder.next(), { words, labels: ['no', 'yes'] })
    await expect(made({ path: own }).predict([['red', 'red']])).rejects.toMatchObject({ kind: 'bad_request' })
  })

  it('throws for a tokenizer whose special tokens are not around both texts', async () => {
    const library = new ScriptedLibrary({ special: [[], []] })
    const inner = library.import
    const without = async () => {
      const real = await inner()
      const tokenizer = await real.AutoTokenizer.from_pretrained('')
      const odd = Object.assign(() => ({ input_ids: [5] }), { ...tokenizer })
      return { ...real, AutoTokenizer: { from_pretrained: async () => odd } }
    }
    await expect(made({ library: without }).predict([['a', 'b']])).rejects.toMatchObject({ kind: 'bad_request' })
  })

  it('does not load the model for an aborted call', async () => {
    const library = new ScriptedLibrary()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(made({ library: library.import }).predict([['a', 'b']], { signal })).rejects.toThrow('enough')
    expect(library.loads).toEqual([])
  })

  it('reranks, with the name of the model in events and JSON', async () => {
    const crossEncoder = made({ device: 'cpu' })
    const rerank = new SentenceTransformerRerank({ crossEncoder, topN: 2 })
    expect(rerank.toDict()).toMatchObject({ model: 'tiny/fruit', device: 'cpu' })
    const nodes = ['a pear', `${'sweet '.repeat(900)} red apple`, 'an apple'].map(
      (text, index) => new NodeWithScore({ node: new TextNode({ id: String(index), text }) }),
    )
    const best = await rerank.postprocessNodes(nodes, { queryStr: 'red apple' })
    expect(best.map(({ id, score }) => [id, Math.round(score! * 1e4) / 1e4])).toEqual([
      ['1', 0.7311],
      ['2', 0.5],
    ])
    expect('device' in made()).toBe(false)
  })
})
