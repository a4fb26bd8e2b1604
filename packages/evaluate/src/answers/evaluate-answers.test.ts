import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Durable, NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { answerWithSources } from '@x/retrieval/answer'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { fileJournal } from '../node.ts'
import { reportMarkdown } from '../report/report-markdown.ts'
import { readTestSet } from '../test-set.ts'
import { evaluateAnswers, type GivenAnswer, givenAnswerOf } from './evaluate-answers.ts'
import { readVerdicts, statementsOf } from './faithfulness.ts'

const testSet = readTestSet(
  [
    '{"id":"pear","question":"Which colour?","places":[{"source":"a.md","lines":[2,3]},{"source":"b.md","lines":[1,1]}],"answer":"Green"}',
    '{"id":"moon","question":"Who lives on the moon?","places":[]}',
  ].join('\n'),
)
const passages = [
  { source: 'a.md', lines: [1, 3] as const, text: 'Pears are green.' },
  { source: 'c.md', lines: [4, 9] as const, text: 'Wine is red.' },
]
const answerOf =
  (given: Partial<GivenAnswer>, refusal: Partial<GivenAnswer> = { isRefusal: true }) =>
  async (question: string): Promise<GivenAnswer> => ({
    text: 'They are green [1]. Wine is red [2].',
    citations: [],
    passages,
    ...(question.includes('moon') ? refusal : given),
  })

describe('evaluateAnswers', () => {
  it('checks citations by place: given to the model, and right', async () => {
    const citations = [
      { source: 'a.md', lines: [3, 3] as const },
      { source: 'c.md', lines: [4, 5] as const },
      { source: 'b.md', lines: [1, 1] as const },
    ]
    const run = await evaluateAnswers({ testSet, answer: answerOf({ citations }) })
    expect(run.questions[0]).toMatchObject({
      citations: [
        { place: 'a.md:3', isRight: true, isGiven: true },
        { place: 'c.md:4-5', isRight: false, isGiven: true },
        { place: 'b.md:1', isRight: true, isGiven: false },
      ],
      citationPrecision: 1 / 3,
      citationRecall: 1,
      containsExpected: true,
      faithfulness: null,
      statements: [],
    })
  })

  it('rejects at once when it is aborted, also while an answer hangs', async () => {
    const answer = () => new Promise<never>(() => {})
    const run = evaluateAnswers({ testSet, answer, signal: AbortSignal.timeout(5) })
    await expect(run).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('counts an answer without citations as wrong, and refusals apart', async () => {
    const run = await evaluateAnswers({ testSet, answer: answerOf({}) })
    expect(run.measures.citationPrecision?.mean).toBe(0)
    expect(run.unanswerable).toEqual({ questions: 1, refused: 1 })
    expect(run.refusedWrongly).toBe(0)
    const invented = await evaluateAnswers({ testSet, answer: answerOf({ isRefusal: true }, {}) })
    expect(invented.unanswerable).toEqual({ questions: 1, refused: 0 })
    expect(invented.refusedWrongly).toBe(1)
    expect(invented.measures.faithfulness).toBeNull()
  })

  it('asks the model once per answer whether the passages support each sentence', async () => {
    const llm = new ScriptedLLM({ answers: ['1: yes\n2: no'] })
    const run = await evaluateAnswers({ testSet, answer: answerOf({}), llm })
    expect(run.questions[0]?.statements).toEqual([
      { text: 'They are green.', isSupported: true },
      { text: 'Wine is red.', isSupported: false },
    ])
    expect(run.measures.faithfulness?.mean).toBe(0.5)
    llm.assertDone()
    const prompt = JSON.stringify(llm.calls[0])
    for (const text of ['Pears are green.', '1. They are green.', '2. Wine is red.', 'Which colour?'])
      expect(prompt).toContain(text)
  })

  it('asks again about sentences that were not judged, and says how many were', async () => {
    const judge = new ScriptedLLM({ answers: ['The first is true.\n2: no', '1: yes'] })
    const run = await evaluateAnswers({ testSet, answer: answerOf({}), llm: judge })
    expect(run.questions[0]?.statements.map(({ isSupported }) => isSupported)).toEqual([true, false])
    expect(run.judged).toEqual({ sentences: 2, of: 2, reason: null })
    judge.assertDone()
    const again = JSON.stringify(judge.calls[1])
    expect([again.includes('1. They are green.'), again.includes('Wine is red [2]')]).toEqual([true, false])
  })

  it('has no faithfulness where too few sentences were judged', async () => {
    const answers = ['1: yes', 'I cannot say.']
    const run = await evaluateAnswers({ testSet, answer: answerOf({}), llm: new ScriptedLLM({ answers }) })
    expect(run.measures.faithfulness).toBeNull()
    const reason = '1 of 2 sentences were judged, fewer than the share of 0.9 (minJudged)'
    expect(run.judged).toEqual({ sentences: 1, of: 2, reason })
    const report = reportMarkdown(run)
    expect(report).toContain('2 sentences, 1 judged.')
    expect(report).toContain(`| sentences that are supported | unknown | ${reason} |`)
    expect(report).toContain('| citations that are right | 0.000 (0.000 to 0.000) | 1 question |')
    const lenient = await evaluateAnswers({
      testSet,
      answer: answerOf({}),
      llm: new ScriptedLLM({ answers }),
      minJudged: 0.5,
    })
    expect(lenient.measures.faithfulness).toEqual({ n: 1, mean: 1, low: 1, high: 1 })
    const none = await evaluateAnswers({ testSet, answer: answerOf({ isRefusal: true }), llm: new ScriptedLLM() })
    expect(none.judged).toEqual({ sentences: 0, of: 0, reason: 'no answer contains a sentence to judge' })
    expect((await evaluateAnswers({ testSet, answer: answerOf({}) })).judged.reason).toMatch('no model')
  })

  it('continues a run that was killed without repeating a call of a model', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'x-evaluate-')), 'results.jsonl')
    let asked = 0
    const counted = async (question: string) => {
      asked++
      return answerOf({}, {})(question)
    }
    const options = { testSet, answer: counted, maxConcurrency: 1 }
    const first = new ScriptedLLM({ answers: ['1: yes\n2: yes'] })
    const killed = evaluateAnswers({ ...options, llm: first, durable: await fileJournal(path) })
    await expect(killed).rejects.toMatchObject({ code: 'unexpected_call' })
    // The process was killed while it wrote a line.
    writeFileSync(path, `${readFileSync(path, 'utf8')}["judgment/moon","1: y`)
    const second = new ScriptedLLM({ answers: ['1: no\n2: yes'] })
    const run = await evaluateAnswers({ ...options, llm: second, durable: await fileJournal(path) })
    expect(run.questions.map(({ faithfulness }) => faithfulness)).toEqual([1, 0.5])
    expect(asked).toBe(2)
    const again = await evaluateAnswers({ ...options, llm: new ScriptedLLM(), durable: await fileJournal(path) })
    expect(again).toEqual(run)
    const [, ...rest] = testSet
    const other = { ...testSet[0]!, question: 'Is the id that of another question?' }
    await evaluateAnswers({ ...options, testSet: [other, ...rest], durable: await fileJournal(path) })
    expect(asked).toBe(3)
  })

  it.each([
    null,
    'Green.',
    {},
    { text: 'Green.', citations: [null] },
    { text: 'Green.', citations: [], passages: 'a' },
  ])('refuses %j as an answer, and does not save it', async (given) => {
    const saved: string[] = []
    const durable: Durable = async (name, run) => {
      const made = await run()
      saved.push(name)
      return made
    }
    const run = evaluateAnswers({ testSet, answer: async () => given as never, durable })
    await expect(run).rejects.toMatchObject({ code: 'model_validation', message: expect.stringContaining('answer()') })
    expect(saved).toEqual([])
  })

  it('refuses a missing answer function, and unknown options', async () => {
    await expect(evaluateAnswers({ testSet } as never)).rejects.toThrow('evaluateAnswers.answer: expected a function')
    await expect(evaluateAnswers({ testSet, answer: answerOf({}), model: 1 } as never)).rejects.toThrow(/model/)
  })
})

describe('givenAnswerOf', () => {
  const node = (id: string, text: string, line: number) =>
    new NodeWithScore({
      node: new TextNode({ id, text, metadata: { file: 'a.md', start_line: line, end_line: line } }),
    })
  const given = [node('x', 'Wine is red.', 1), node('y', 'Pears are green.', 2)]
  const evaluated = async (reply: string) => {
    const answer = async (question: string) => {
      const llm = new ScriptedLLM({ answers: [reply] })
      return givenAnswerOf(await answerWithSources({ llm, passages: given, question }).result(), given)
    }
    const judge = new ScriptedLLM({ answers: ['1: yes', '1: yes'] })
    return evaluateAnswers({ testSet, answer, llm: judge, maxConcurrency: 1 })
  }

  it('keeps the places of cited passages, and counts a citation without a passage as wrong', async () => {
    const { questions } = await evaluated('They are green [2][7].')
    expect(questions[0]?.citations).toEqual([
      { place: 'a.md:2', isRight: true, isGiven: true },
      { place: '[7]', isRight: false, isGiven: false },
    ])
    expect(questions[0]).toMatchObject({
      citationPrecision: 0.5,
      citationRecall: 0.5,
      faithfulness: 1,
      isRefusal: false,
    })
  })

  it('takes an answer without citations for a refusal', async () => {
    const run = await evaluated('The passages do not say.')
    expect(run.unanswerable).toEqual({ questions: 1, refused: 1 })
    expect(run.refusedWrongly).toBe(1)
  })
})

describe('statementsOf', () => {
  it.each([
    ['A is b [1]. C is d [2, 3][4-6].', ['A is b.', 'C is d.']],
    ['- one\n- two\n\n---\n', ['- one', '- two']],
    ['', []],
  ])('%j', (answer, statements) => {
    expect(statementsOf(answer)).toEqual(statements)
  })
})

describe('readVerdicts', () => {
  it.each([
    ['1: yes\n2: no', [true, false]],
    ['<think>1: no</think>\n1. Yes, because of the first passage\n2) NO', [true, false]],
    ['**1:** yes\n- 2 – no', [true, false]],
    ['Statement 1: yes\nStatement 2: no', [true, false]],
    ['2: yes', [null, true]],
    ['1: yes\n1: no\n2: yesterday', [null, null]],
    ['I cannot say.', [null, null]],
    ['1: yes\n2: no\n3: yes', [true, false]],
  ])('%j', (reply, verdicts) => {
    expect(readVerdicts(reply, 2)).toEqual(verdicts)
  })
})

describe('answers and replies of a model that repeats white space', () => {
  it.each([
    ['statementsOf', (n: number) => statementsOf(`A.${' '.repeat(n)}B.`)],
    ['readVerdicts', (n: number) => readVerdicts('\n'.repeat(n), 1)],
    ['readVerdicts after a number', (n: number) => readVerdicts(`1:${' '.repeat(n)}`, 1)],
  ])('are read in linear time: %s', { tags: 'growth' }, async (_, read) => {
    expect(await growthOf(read, 5_000)).toBeLessThan(1.75)
  })
})

describe('fileJournal', () => {
  it('rejects when its folder cannot be made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'x-evaluate-'))
    symlinkSync(join(folder, 'missing'), join(folder, 'link'))
    await expect(fileJournal(join(folder, 'link', 'results.jsonl'))).rejects.toMatchObject({ syscall: 'mkdir' })
  })

  it('runs a call once at a time, keeps no failures, and refuses a damaged line', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'x-evaluate-')), 'new', 'results.jsonl')
    const durable = await fileJournal(path)
    let calls = 0
    const call = async () => ++calls
    expect(await Promise.all([durable('a', call), durable('a', call)])).toEqual([1, 1])
    await expect(durable('b', async () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await durable('b', call)).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('["a",1]\n["b",2]\n')
    writeFileSync(path, '["a",1]\n["b"\n')
    await expect(fileJournal(path)).rejects.toThrow(expect.objectContaining({ code: 'test_set', line: 2 }))
  })
})
