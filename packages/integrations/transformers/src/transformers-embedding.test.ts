import { CallbackManager, isToolkitError } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { afterAll, describe, expect, it } from 'vitest'
import '../test/model-folder.ts'
import { ModelFolder } from '../test/model-folder.ts'
import { ScriptedLibrary } from '../test/scripted-library.ts'
import { writeEmbeddingModel } from '../test/tiny-models/tiny-models.ts'
import { sentencePiece, wordPiece } from '../test/tiny-models/tokenizers.ts'
import { TransformersEmbedding, type TransformersEmbeddingOptions } from './transformers-embedding.ts'

const folder = new ModelFolder()
afterAll(() => folder.remove())

const vectors = { dog: [4, 3], cat: [0, 1], query: [0, 9], '##s': [6, 0], ':': [0, 0] }
const path = writeEmbeddingModel(folder.next(), { vectors })
const made = (options: Partial<TransformersEmbeddingOptions> = {}) =>
  new TransformersEmbedding({ modelName: 'tiny/animals', path, ...options })
const raw = { normalize: false } as const
const rounded = (vector: readonly number[]) => vector.map((value) => Math.round(value * 1e6) / 1e6)

describe('TransformersEmbedding', () => {
  it('returns the mean of the tokens, special ones included, with length 1', async () => {
    expect(rounded(await made().getTextEmbedding('dog'))).toEqual([0.8, 0.6])
    // Four tokens, two of them special and without a direction.
    expect(rounded(await made(raw).getTextEmbedding('dog cat'))).toEqual([1, 1])
    expect(rounded(await made(raw).getQueryEmbedding('Dogs'))).toEqual([2.5, 0.75])
  })

  it('returns the first or the last token according to pooling', async () => {
    const first = wordPiece(['[CLS]x', 'dog'])
    const own = writeEmbeddingModel(folder.next(), {
      vectors: { '[CLS]': [1, 0], dog: [0, 1], '[SEP]': [0, 5] },
      tokenizer: first,
    })
    const texts = ['dog', 'dog dog dog']
    const by = (pooling: 'cls' | 'last') => made({ path: own, pooling, ...raw }).getTextEmbeddingBatch(texts)
    expect(await by('cls')).toEqual([
      [1, 0],
      [1, 0],
    ])
    expect(await by('last')).toEqual([
      [0, 5],
      [0, 5],
    ])
  })

  it('ignores the padding of a batch', async () => {
    const embedding = made(raw)
    const texts = ['dog', 'cat cat cat cat cat', '', 'dog cat']
    const alone: number[][] = []
    for (const text of texts) alone.push(await embedding.getTextEmbedding(text))
    expect(await embedding.getTextEmbeddingBatch(texts)).toEqual(alone)
  })

  it('refuses an output that has fewer vectors than tokens', async () => {
    const run = async (rows: readonly number[][]) => ({ dims: [rows.length, 2, 1], values: rows.flatMap(() => [1, 2]) })
    const embedding = made({ library: new ScriptedLibrary({ maxLength: 8, run }).import })
    await expect(embedding.getTextEmbedding('aaa')).rejects.toMatchObject({ code: 'model_call', kind: 'bad_request' })
  })

  it('writes its prefixes before queries and texts', async () => {
    const embedding = made({ queryPrefix: 'query: ', textPrefix: 'cat ', ...raw })
    expect(rounded(await embedding.getQueryEmbedding('dog'))).toEqual([0.8, 2.4])
    expect(rounded(await embedding.getTextEmbedding('dog'))).toEqual([1, 1])
    expect((await embedding.getQueryEmbeddingBatch(['dog'])).map(rounded)).toEqual([[0.8, 2.4]])
  })

  it('averages the windows of a long text, weighted by their tokens, each with the prefix', async () => {
    const library = new ScriptedLibrary({
      maxLength: 8,
      run: async (rows) => ({
        dims: [rows.length, 8, 1],
        values: rows.flatMap((row) => Array.from({ length: 8 }, (_, at) => (row[at] ?? 999) % 64)),
      }),
    })
    const embedding = made({ library: library.import, textPrefix: '= ', pooling: 'cls', normalize: false })
    await embedding.getTextEmbedding('aaaa bbbb cc')
    const texts = library.runs.flat().map((row) => String.fromCodePoint(...row.slice(1, -1)))
    expect(texts.sort()).toEqual(['=aaaa', '=bbbb', '=cc'])
    expect(library.runs.flat().every((row) => row[0] === 1 && row.at(-1) === 2)).toBe(true)
  })

  it('weights all tokens of a long text equally', async () => {
    const long = `${'dog '.repeat(900)}${'cat '.repeat(300)}`
    const [x, y] = await made(raw).getTextEmbedding(long)
    expect(x! / y!).toBeCloseTo((900 * 4) / (900 * 3 + 300), 2)
    expect((await made().getTextEmbedding(long)).reduce((sum, value) => sum + value ** 2, 0)).toBeCloseTo(1)
  })

  it('throws for a long text if onLongText is throw', async () => {
    const embedding = made({ onLongText: 'throw' })
    expect(await embedding.getTextEmbedding('dog '.repeat(510))).toHaveLength(2)
    await expect(embedding.getTextEmbedding('dog '.repeat(511))).rejects.toMatchObject({
      code: 'model_call',
      kind: 'context_length',
      message: 'TransformersEmbedding tiny/animals: the text has 511 tokens; the model reads 510',
    })
    for (const maxTokens of [3, 0, -1, Number.NaN])
      await expect(made({ maxTokens, textPrefix: 'dog' }).getTextEmbedding('dog')).rejects.toMatchObject({
        kind: 'context_length',
      })
  })

  it('runs texts of similar length together, with at most maxBatchTokens tokens', async () => {
    const library = new ScriptedLibrary()
    const embedding = made({ library: library.import, maxBatchTokens: 12 })
    await embedding.getTextEmbeddingBatch(['a', 'bbbbbbbb', 'c', 'dddd', 'e', 'f'])
    expect(library.runs.map((rows) => rows.map(({ length }) => length))).toEqual([[10], [6, 3], [3, 3, 3]])
  })

  it('JSON and events contain the name of the model and no paths of this machine', async () => {
    const handler = new RecordingCallbackHandler()
    const embedding = made({ callbackManager: new CallbackManager([handler]) })
    expect(embedding.toDict()).toEqual({
      model_name: 'tiny/animals',
      embed_batch_size: 100,
      class_name: 'TransformersEmbedding',
    })
    await embedding.getTextEmbeddingBatch(['dog', 'cat'])
    expect(handler.events[0]).toMatchObject({ payload: { serialized: embedding.toDict() } })
    expect(JSON.stringify(handler.events)).not.toContain(path)
  })

  it('works with tokenizers without types of tokens', async () => {
    const own = writeEmbeddingModel(folder.next(), {
      vectors: { '▁dog': [4, 3] },
      tokenizer: sentencePiece(['▁dog', '▁', 'x']),
      config: { model_type: 'xlm-roberta', max_position_embeddings: 514, pad_token_id: 1 },
    })
    expect(rounded(await made({ path: own }).getTextEmbedding('dog'))).toEqual([0.8, 0.6])
  })

  it('accepts a model that returns one vector per text', async () => {
    const run = async (rows: number[][]) => ({ dims: [rows.length, 2], values: rows.flatMap(() => [3, 4]) })
    for (const pooling of ['mean', 'cls', 'last'] as const) {
      const library = new ScriptedLibrary({ run })
      expect(await made({ library: library.import, pooling }).getTextEmbedding('abc')).toEqual([0.6, 0.8])
    }
  })

  it('embeds an empty text even if the model has no special tokens', async () => {
    const library = new ScriptedLibrary({ special: [[], []] })
    expect(await made({ library: library.import }).getTextEmbedding('')).toEqual([1])
    expect(library.runs).toEqual([[[0]]])
  })

  it.each([
    ['not a number', { dims: [1, 3, 1], values: [1, Number.NaN, 1] }, 'bad_response'],
    ['a different number of rows', { dims: [2, 3, 1], values: [1, 1, 1] }, 'bad_response'],
    ['an output of a different task', { name: 'pooled', dims: [1, 1], values: [1] }, 'bad_request'],
  ])('throws when the model returns %s', async (_, answer, kind) => {
    const library = new ScriptedLibrary({ run: async () => answer })
    const error = await made({ library: library.import })
      .getTextEmbedding('a')
      .catch((thrown: unknown) => thrown)
    expect(isToolkitError(error, 'model_call') && error.kind).toBe(kind)
  })
})
