import { NodeWithScore, TextNode } from '@x/core-model'
import { NERPIINodePostprocessor, unmask } from '@x/postprocessors'
import { afterAll, describe, expect, it } from 'vitest'
import '../test/model-folder.ts'
import { ModelFolder } from '../test/model-folder.ts'
import { ScriptedLibrary } from '../test/scripted-library.ts'
import { writeEntityModel } from '../test/tiny-models/tiny-models.ts'
import { byteLevel, sentencePiece, wordPiece } from '../test/tiny-models/tokenizers.ts'
import { TransformersNer, type TransformersNerOptions } from './transformers-ner.ts'

const folder = new ModelFolder()
afterAll(() => folder.remove())

const labels = {
  Anna: 'B-PER',
  Bob: 'B-PER',
  '##by': 'I-PER',
  Smith: 'I-PER',
  Paris: 'B-LOC',
  York: 'I-LOC',
  New: 'B-LOC',
  北: 'B-LOC',
  京: 'I-LOC',
}
const words = [...Object.keys(labels), 'met', 'in', '.', ',', '-', '(', ')', '##s', '我', '在', 'Zo', '##e']
const path = writeEntityModel(folder.next(), { labels, afterEntity: ['Smith'], tokenizer: wordPiece(words) })
const made = (options: Partial<TransformersNerOptions> = {}) =>
  new TransformersNer({ modelName: 'tiny/names', path, ...options })

/** The entities of a text, as `GROUP word`, and whether their offsets are right. */
async function found(text: string, options?: Partial<TransformersNerOptions>): Promise<string[]> {
  const entities = await made(options).recognize(text)
  for (const { word, start, end } of entities) expect(text.slice(start, end)).toBe(word)
  return entities.map(({ entity_group, word }) => `${entity_group} ${word}`)
}

describe('TransformersNer', () => {
  it('returns entities with their offsets and scores', async () => {
    // One label of five has the logit 6; `O` has 4 behind a token without a label.
    const score = Math.exp(6) / (Math.exp(6) + Math.exp(4) + 3)
    expect(await made().recognize('Anna met  Bobby in\n\tParis.')).toEqual([
      { entity_group: 'PER', word: 'Anna', start: 0, end: 4, score: expect.closeTo(score, 5) },
      { entity_group: 'PER', word: 'Bobby', start: 10, end: 15, score: expect.closeTo(score, 5) },
      { entity_group: 'LOC', word: 'Paris', start: 20, end: 25, score: expect.closeTo(score, 5) },
    ])
  })

  it('a timer aborts a call, even if the model runs in this thread', async () => {
    const names = made({ maxTokens: 64, maxBatchTokens: 64 })
    await names.recognize('Anna')
    const controller = new AbortController()
    const reason = new Error('stop')
    setTimeout(() => controller.abort(reason), 0)
    const recognized = names.recognize('Anna met Bobby in Paris. '.repeat(1000), { signal: controller.signal })
    await expect(recognized).rejects.toBe(reason)
  })

  it.each([
    ['nothing in an empty text', '', []],
    ['nothing in white space', ' \n ', []],
    ['nothing in a text without labels', 'met in .', []],
    ['joins what continues', 'Bob Smith met New York', ['PER Bob Smith', 'LOC New York']],
    ['starts a new entity at a B- label', 'Anna Bob New Paris', ['PER Anna', 'PER Bob', 'LOC New', 'LOC Paris']],
    ['starts a new entity for a different kind', 'Anna York', ['PER Anna', 'LOC York']],
    ['separates what a word without a label separates', 'New in York', ['LOC New', 'LOC York']],
    ['reads a whole word where a piece has a label', 'Annas', ['PER Annas']],
    ['stops at punctuation', '(Anna-Bob, Paris).', ['PER Anna', 'PER Bob', 'LOC Paris']],
    ['keeps offsets behind emoji', '🎉🎉 👩‍💻 Anna 🇫🇷 Paris', ['PER Anna', 'LOC Paris']],
    ['keeps offsets behind combining marks', 'e\u0301e\u0301 Zoe\u0301 Anna', ['PER Anna']],
    ['finds characters without blanks', '我在北京,Anna', ['LOC 北京', 'PER Anna']],
    [
      'keeps offsets behind characters that the tokenizer removes',
      '\u0000\u200b\ufffd Anna\u00ad Paris',
      ['PER Anna', 'LOC Paris'],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await found(text)).toEqual(expected)
  })

  it('keeps offsets where the tokenizer removes case and accents', async () => {
    const own = writeEntityModel(folder.next(), {
      labels: { zoe: 'B-PER', angstrom: 'B-PER' },
      tokenizer: wordPiece(['zoe', 'angstrom', 'i', '.'], { lowercase: true }),
    })
    expect(await found('İ ZOË. Zoe\u0301, ÅNGSTRÖM!', { path: own })).toEqual([
      'PER ZOË',
      'PER Zoe\u0301',
      'PER ÅNGSTRÖM',
    ])
  })

  it('reads a very long word', async () => {
    const long = 'Bob-'.repeat(3000)
    expect(await found(`${long} Anna`)).toHaveLength(3001)
    expect(await found(`${'x'.repeat(100_000)} Anna`)).toEqual(['PER Anna'])
    const chinese = `${'我在'.repeat(2000)}北京${'我在'.repeat(300)}`
    expect(await found(chinese)).toEqual(['LOC 北京'])
  })

  it('finds every entity of a long text, also at the ends of windows', async () => {
    const texts = [500, 505, 508, 509, 510, 511].map(
      (before) => `${'in '.repeat(before)}Bob Smith ${'in '.repeat(600)}Bobby Smith`,
    )
    for (const text of ['Bob Smith met '.repeat(700), 'Bob Smith met in '.repeat(700), ...texts]) {
      const names = await found(text)
      expect(names.length).toBe(text.split('Bob').length - 1)
      expect(new Set(names.map((name) => name.replace('Bobby', 'Bob')))).toEqual(new Set(['PER Bob Smith']))
    }
    expect(await found('Bob Smith met '.repeat(30), { maxTokens: 8 })).toEqual(Array(30).fill('PER Bob Smith'))
    for (const maxTokens of [3, 0, -1, Number.NaN])
      await expect(made({ maxTokens }).recognize('Anna')).rejects.toMatchObject({ kind: 'bad_request' })
    expect(await found('Anna met Bob', { maxTokens: 5.5 })).toEqual(['PER Anna', 'PER Bob'])
  })

  it('labels each token in the window with more text around it', async () => {
    // This model is wrong near the ends of a window that are not ends of the text.
    const isNear = (row: number[], at: number) =>
      (at < 12 && row[1] !== 65) || (at > row.length - 13 && row.at(-2) !== 90)
    const library = new ScriptedLibrary({
      maxLength: 102,
      config: { id2label: { 0: 'O', 1: 'PER' } },
      run: async (rows) => {
        const length = Math.max(...rows.map((row) => row.length))
        const labels = rows.flatMap((row) => Array.from({ length }, (_, at) => (isNear(row, at) ? [0, 9] : [9, 0])))
        return { dims: [rows.length, length, 2], values: labels.flat() }
      },
    })
    const text = `A ${'x '.repeat(1000)}Z`
    expect(await made({ library: library.import }).recognize(text)).toEqual([])
    expect(library.runs.flat().length).toBeGreaterThan(10)
  })

  it('reads the tokens of SentencePiece', async () => {
    const own = writeEntityModel(folder.next(), {
      labels: { '▁Zoé': 'B-PER', '▁Smi': 'I-PER', 北京: 'B-LOC' },
      config: { model_type: 'xlm-roberta' },
      tokenizer: sentencePiece(['▁Zoé', '▁Smi', 'th', '▁', '北京', '我在', '工作', '▁met', ',', 'a']),
    })
    expect(await found('Zoé Smith, met  Zoe\u0301 我在北京工作 🎉,a Zoé', { path: own })).toEqual([
      'PER Zoé Smith',
      'PER Zoe\u0301',
      'LOC 北京',
      'PER Zoé',
    ])
  })

  it('reads the tokens of byte-level vocabularies', async () => {
    const own = writeEntityModel(folder.next(), {
      labels: { Z: 'B-PER', ĠZ: 'B-PER' },
      config: { model_type: 'roberta' },
      tokenizer: byteLevel([['Ġ', 'Z']]),
    })
    expect(await found('Zoë, met\nZoe\u0301! 🎉Zé', { path: own })).toEqual(['PER Zoë', 'PER Zoe\u0301', 'PER Zé'])
  })

  it.each([
    [
      'BIOES',
      { S: 'S-PER', B: 'B-PER', I: 'I-PER', E: 'E-PER' },
      'B I E S S x E',
      ['PER B I E', 'PER S', 'PER S', 'PER E'],
    ],
    ['no prefixes', { P: 'PER', L: 'LOC' }, 'P P L x P', ['PER P P', 'LOC L', 'PER P']],
  ])('reads labels with %s', async (_, own, text, expected) => {
    const tokenizer = wordPiece([...Object.keys(own), 'x'])
    expect(await found(text, { path: writeEntityModel(folder.next(), { labels: own, tokenizer }) })).toEqual(expected)
  })

  it('throws for a model that labels whole texts', async () => {
    const run = async (rows: number[][]) => ({ dims: [rows.length, 2], values: rows.flatMap(() => [0, 1]) })
    const library = new ScriptedLibrary({ config: { id2label: { 0: 'O', 1: 'PER' } }, run })
    await expect(made({ library: library.import }).recognize('Anna')).rejects.toMatchObject({ kind: 'bad_request' })
  })

  it('throws for a model of a different task', async () => {
    const without = writeEntityModel(folder.next(), { labels, config: { id2label: {} } })
    await expect(made({ path: without }).recognize('Anna')).rejects.toMatchObject({ kind: 'bad_request' })
    const other = writeEntityModel(folder.next(), { labels, config: { id2label: { 0: 'O', 1: 'A' } } })
    await expect(made({ path: other }).recognize('Anna')).rejects.toMatchObject({ kind: 'bad_request' })
  })

  it('masks a long node completely, and unmask restores it', async () => {
    const text = `${'Bob Smith met Anna in Paris. '.repeat(150)}Bobby.`
    const mask = new NERPIINodePostprocessor({ ner: made().recognize, windowSize: null })
    const [masked] = await mask.postprocessNodes([new NodeWithScore({ node: new TextNode({ text }) })])
    expect(masked!.text).not.toMatch(/Bob|Smith|Anna|Paris/)
    expect(unmask(masked!.text, masked!.metadata['__pii_node_info__'] as Record<string, unknown>)).toBe(text)
  })
})
