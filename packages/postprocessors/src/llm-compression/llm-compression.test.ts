import { NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { LLMCompression, numbersIn } from './llm-compression.ts'

const entry = (id: string, text: string) =>
  new NodeWithScore({ node: new TextNode({ id, text, metadata: { id } }), score: 0.5 })
const text = 'One is first. Two is second.\nThree is third. Four is fourth.'

async function run(answers: string[], options = {}, nodes = [entry('a', text)]) {
  const llm = new ScriptedLLM({ answers })
  const ledger = new ExplanationLedger()
  const found = await new LLMCompression({ llm, ...options }).postprocessNodes(nodes, { queryStr: 'q', ledger })
  return { found, texts: found.map((node) => node.text), reason: ledger.of('a')[0]?.reason, llm }
}

describe('LLMCompression', () => {
  it('keeps the chosen sentences in the order of the passage, and nothing that the model writes', async () => {
    const { found, texts, reason, llm } = await run(['Four, then 2: "4, 2, 99, 2" and an invented sentence.'])
    expect(texts).toEqual(['Two is second. Four is fourth.'])
    expect(found[0]).toMatchObject({ score: 0.5, nodeId: 'a', metadata: { id: 'a' } })
    expect(reason).toBe('sentences 2, 4 of 4')
    expect(String(llm.calls[0]?.prompt ?? JSON.stringify(llm.calls[0]))).toContain('2. Two is second.')
  })

  it('drops or keeps a passage without a helpful sentence', async () => {
    expect((await run(['0'])).texts).toEqual([])
    expect((await run(['None of them.'])).reason).toBe('the model chose no sentence')
    expect((await run(['0'], { onNone: 'keep' })).texts).toEqual([text])
  })

  it('keeps or drops a passage whose answer has no numbers', async () => {
    expect(await run(['I do not know.'])).toMatchObject({
      texts: [text],
      reason: 'the answer has no numbers of sentences',
    })
    expect((await run(['I do not know.'], { onUnreadable: 'drop' })).texts).toEqual([])
  })

  it('returns passages of one sentence, and whole passages, unchanged', async () => {
    const nodes = [entry('a', 'Only one.'), entry('b', text)]
    const { found } = await run(['1-4'], {}, nodes)
    expect(found[0]).toBe(nodes[0])
    expect(found[1]).toBe(nodes[1])
  })

  it('keeps a passage when the model fails, on request', async () => {
    await expect(run([])).rejects.toMatchObject({ code: 'unexpected_call' })
    const { texts, reason } = await run([], { onError: 'keep' })
    expect(texts).toEqual([text])
    expect(reason).toMatch(/^kept, because the model failed: /)
  })

  it('refuses invalid options', () => {
    const llm = new ScriptedLLM({ answers: [] })
    for (const options of [{}, { llm, lang: '!' }, { llm, maxConcurrency: 0 }, { llm, onNone: 'maybe' }])
      expect(() => new LLMCompression(options as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})

it.each([
  ['2, 4', [2, 4]],
  ['<think>1 and 3?</think>2', [2]],
  ['3–1, 2 - 3', [2, 3]],
  ['[1] [5] 0', [1]],
  ['0', []],
  ['none', []],
  ['9', null],
  ['', null],
  ['1-999999999', [1]],
  ['version 1.5', [1]],
])('reads the numbers in %j', (answer, expected) => {
  expect(numbersIn(answer, 4)).toEqual(expected)
})
