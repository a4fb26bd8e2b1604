import { readFileSync } from 'node:fs'
import { MemoryTaskStore } from '@x/agents'
import { toAiSdkModel } from '@x/ai-sdk'
import { ChatMessage, Document, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import type { LanguageModel, ModelMessage } from 'ai'
import { beforeEach, describe, expect, it } from 'vitest'
import * as approval from '../programs/approval-over-http.ts'
import * as background from '../programs/background-task.ts'
import * as batch from '../programs/batch.ts'
import * as chat from '../programs/chat-with-tools.ts'
import * as deep from '../programs/deep-agent.ts'
import * as tolerance from '../programs/evaluation-with-tolerance.ts'
import * as extraction from '../programs/extraction.ts'
import * as forty from '../programs/forty-steps.ts'
import * as image from '../programs/image.ts'
import * as interrupted from '../programs/interruption.ts'
import * as long from '../programs/long-conversation.ts'
import * as memory from '../programs/long-term-memory.ts'
import * as notebookAgent from '../programs/react-agent-with-query-engines.ts'
import * as evaluation from '../programs/recorded-evaluation.ts'
import * as research from '../programs/research-with-subagents.ts'
import { paid, picture } from '../programs/shared.ts'
import * as ui from '../programs/streaming-ui.ts'
import * as notebookTables from '../programs/tables-with-recursive-retrieval.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, modelName: 'scripted' })
const scripted = (answers: readonly ScriptedAnswer[]) => new ScriptedLLM({ metadata, answers })
let ids = 0
const call = (name: string, args: object) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: {
      tool_calls: [{ id: `c${ids++}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
  })
const lima = () => call('weather', { city: 'Lima' })
/** The models of both programs, with the same script. */
function models(make: () => readonly ScriptedAnswer[]) {
  const other = scripted(make())
  return { llm: scripted(make()), other, model: toAiSdkModel(other) as Exclude<LanguageModel, string> }
}
const post = (body: unknown) => new Request('https://x.example', { method: 'POST', body: JSON.stringify(body) })

beforeEach(() => {
  paid.length = 0
})

describe('the ten programs, with ours and with the AI SDK', () => {
  it('chat with tools', async () => {
    const { llm, model } = models(() => [lima(), 'No.'])
    expect(await chat.chatWithTools(llm, 'Umbrella?')).toBe('No.')
    expect(await chat.withTheAiSdk(model, 'Umbrella?')).toBe('No.')
  })

  it('streaming UI', async () => {
    const { llm, model } = models(() => [[lima()], ['N', 'o.']])
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Umbrella?' }] }]
    for (const response of [
      await ui.streamingUi(llm, post({ messages })),
      await ui.withTheAiSdk(model, post({ messages })),
    ]) {
      const text = await response.text()
      expect(text).toContain('"It is dry in Lima."')
      expect(Array.from(text.matchAll(/"type":"text-delta".*"delta":"([^"]*)"/g), ([, delta]) => delta).join('')).toBe(
        'No.',
      )
    }
  })

  it('extraction', async () => {
    const found = { fruit: 'pear', count: 3 }
    expect(await extraction.extraction(scripted([call('final_answer', found)]), 'Three pears.')).toEqual(found)
    const { model } = models(() => [JSON.stringify(found)])
    expect(await extraction.withTheAiSdk(model, 'Three pears.')).toEqual(found)
  })

  it('approval over HTTP', async () => {
    const script = () => [call('pay', { to: 'Ann' }), 'Paid.']
    const { llm, model } = models(script)
    const store = new MemoryTaskStore()
    const ours = async (body: object) => (await approval.approvalOverHttp(llm, store, post(body))).json()
    const waiting = await ours({ taskId: 't', message: 'Pay Ann.' })
    expect([waiting.status, paid]).toEqual(['waiting', []])
    const done = await ours({ taskId: 't', decisions: [{ callId: waiting.calls[0].id, type: 'approve' }] })
    expect([done.status, paid]).toEqual(['done', ['Ann']])

    const theirs = async (messages: ModelMessage[]) => (await approval.withTheAiSdk(model, post({ messages }))).json()
    const first = await theirs([{ role: 'user', content: 'Pay Ann.' }])
    expect(first.waiting).toHaveLength(1)
    const { approvalId } = first.waiting[0]
    const decision = { type: 'tool-approval-response' as const, approvalId, approved: true }
    expect((await theirs([...first.messages, { role: 'tool', content: [decision] }])).text).toBe('Paid.')
    expect(paid).toEqual(['Ann', 'Ann'])
  })

  it('research with subagents', async () => {
    const { llm, model } = models(() => [call('research', { input: 'Lima?' }), 'Dry.'])
    const { llm: helper, model: helperModel } = models(() => [lima(), 'It is dry.'])
    // Ours counts the calls of all agents.
    expect(await research.researchWithSubagents(llm, helper, 'Umbrella?')).toEqual({ response: 'Dry.', modelCalls: 4 })
    const { response } = await research.withTheAiSdk(model, helperModel, 'Umbrella?')
    expect(response).toBe('Dry.')
  })

  it('long conversation with summaries', async () => {
    const questions = Array.from({ length: 8 }, (_, i) => `Question ${i}: ${'word '.repeat(40)}`)
    const script = () => Array.from({ length: 30 }, (_, i) => `Answer ${i}.`)
    const { llm, other, model } = models(script)
    expect(await long.longConversation(llm, questions)).toMatch(/^Answer/)
    expect(await long.withTheAiSdk(model, questions)).toMatchObject([{ text: expect.stringMatching(/^Answer/) }])
    for (const { calls } of [llm, other]) {
      expect(calls.length).toBeGreaterThan(8)
      expect(JSON.stringify(calls.at(-1)).length).toBeLessThan(2000)
    }
  })

  it('image', async () => {
    const { llm, other, model } = models(() => ['A pixel.'])
    expect(await image.image(llm, 'What is it?')).toBe('A pixel.')
    expect(await image.withTheAiSdk(model, 'What is it?')).toBe('A pixel.')
    for (const { calls } of [llm, other]) expect(JSON.stringify(calls)).toContain(picture)
  })

  it('40 steps', async () => {
    const { llm, model } = models(() => [...Array.from({ length: 39 }, lima), 'Done.'])
    const expected = { response: 'Done.', calls: 39 }
    expect(await forty.fortySteps(llm, 'Look 39 times.')).toEqual(expected)
    expect(await forty.withTheAiSdk(model, 'Look 39 times.')).toEqual(expected)
  })

  it('batch of 1,000', async () => {
    const questions = Array.from({ length: 1000 }, (_, i) => `${i}?`)
    const { llm, model } = models(() => questions.map(() => 'Yes.'))
    const expected = questions.map(() => 'Yes.')
    expect(await batch.batch(llm, questions)).toEqual(expected)
    expect(await batch.withTheAiSdk(model, questions)).toEqual(expected)
  })

  it('recorded evaluation', async () => {
    const { llm, model } = models(() => [lima(), 'No.'])
    expect(await evaluation.recordedEvaluation(llm, 'Umbrella?')).toBe('No.')
    expect(await evaluation.withTheAiSdk(model as never, 'Umbrella?')).toBe('No.')
  })
})

describe('the five programs of long work, with ours and with the AI SDK', () => {
  it('deep agent', async () => {
    const todos = [{ content: 'Research pears.', status: 'in_progress' }]
    const lead = () => [call('write_todos', { todos }), call('research', { input: 'pears' }), 'The report is there.']
    const helper = () => [call('write_file', { path: 'pears.md', content: 'Pears are green.' }), 'Written.']
    const [one, other] = [models(lead), models(helper)]
    const expected = { response: 'The report is there.', files: ['pears.md'] }
    expect(await deep.deepAgent(one.llm, other.llm, 'Report.')).toEqual(expected)
    expect(await deep.withTheAiSdk(one.model, other.model, 'Report.')).toEqual(expected)
  })

  it('background task', async () => {
    const start = (key: string) => [call('start_background_task', { [key]: 'Lima?' }), 'It runs.', 'No umbrella.']
    const [one, theirs] = [models(() => start('task')), models(() => start('input'))]
    const other = models(() => [lima(), 'It is dry.'])
    expect(await background.backgroundTask(one.llm, other.llm, 'Umbrella?')).toBe('No umbrella.')
    expect(one.llm.calls.at(-1)!.messages!.some(({ content }) => String(content).includes('It is dry.'))).toBe(true)
    expect(await background.withTheAiSdk(theirs.model, other.model, 'Umbrella?')).toBe('No umbrella.')
  })

  it('long-term memory', async () => {
    const { llm, other, model } = models(() => [call('remember', { fact: 'Ann drinks tea.' }), 'Noted.', 'Tea.'])
    const questions = ['I am Ann, I drink tea.', 'What does Ann drink?'] as const
    expect(await memory.memoryAcrossConversations(llm, 'ann', questions)).toBe('Tea.')
    expect(await memory.withTheAiSdk(model, 'ann', questions)).toBe('Tea.')
    for (const asked of [llm, other]) expect(JSON.stringify(asked.calls.at(-1))).toContain('Ann drinks tea.')
  })

  it('interruption', async () => {
    const { llm, other, model } = models(() => [['Pears ', 'are ', 'green ', 'and ', 'juicy.'], 'Green.'])
    const questions = ['Explain pears.', 'Shorter, please.'] as const
    expect(await interrupted.interruption(llm, questions, 8)).toBe('Green.')
    expect(await interrupted.withTheAiSdk(model, questions, 8)).toBe('Green.')
    for (const asked of [llm, other]) {
      const sent = JSON.stringify(asked.calls.at(-1))
      expect([sent.includes('Pears are'), sent.includes('juicy')]).toEqual([true, false])
    }
  })

  it('evaluation with tolerance', async () => {
    const { llm, model } = models(() => ['Pears are green.', 'Pears are green.'])
    expect(await tolerance.evaluationWithTolerance(llm, 'Pears?')).toBe(true)
    expect(await tolerance.withTheAiSdk(model, 'Pears?')).toBe(true)
  })
})

/** The number of lines of the bodies of the functions of a program: ours, and that with the AI SDK. */
function linesOf(name: string): [ours: number, aiSdk: number] {
  const source = readFileSync(new URL(`../programs/${name}.ts`, import.meta.url), 'utf8')
  const bodies = Array.from(source.matchAll(/^export async function .*\{\n([\s\S]*?)^\}/gm), ([, body]) => body!)
  const [ours, aiSdk] = bodies.map((body) => body.trim().split('\n').length)
  return [ours!, aiSdk!]
}

it('the README states the lines of the programs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = Array.from(readme.matchAll(/\(programs\/([\w-]+)\.ts\) \| (\d+) \| (\d+) \|/g))
  expect(rows).toHaveLength(15)
  const sums = [0, 0, 0, 0]
  for (const [at, [, name, ours, aiSdk]] of rows.entries()) {
    expect([name, Number(ours), Number(aiSdk)]).toEqual([name, ...linesOf(name!)])
    const table = at < 10 ? 0 : 2
    sums[table]! += Number(ours)
    sums[table + 1]! += Number(aiSdk)
  }
  expect(readme).toContain(`| all | ${sums[0]} | ${sums[1]} |`)
  expect(readme).toContain(`| all five | ${sums[2]} | ${sums[3]} |`)
})

describe('notebooks of LlamaIndex for Python', () => {
  it('an agent with query engine tools', async () => {
    const llm = new ScriptedLLM({
      answers: [
        'Thought: I need the revenue of Lyft.\nAction: lyft_2021\nAction Input: {"input": "What was the revenue growth of Lyft?"}',
        'Revenue of Lyft grew by 36 percent [1].',
        'Thought: And that of Uber.\nAction: uber_2021\nAction Input: {"input": "What was the revenue growth of Uber?"}',
        'Revenue of Uber grew by 57 percent [1].',
        'Thought: I can answer.\nAnswer: Uber grew faster: by 57 percent, Lyft by 36 percent.',
      ],
    })
    const report = (company: string, percent: number) =>
      new Document({ id: company, text: `${company} 2021. The revenue growth of ${company} was ${percent} percent.` })
    const agent = await notebookAgent.agentWithQueryEngines(llm, {
      lyft: report('Lyft', 36),
      uber: report('Uber', 57),
    })
    const { response, sourceNodes } = await agent.chat('Compare the revenue growth of Uber and Lyft in 2021.')
    expect(response).toBe('Uber grew faster: by 57 percent, Lyft by 36 percent.')
    expect(sourceNodes.map(({ node }) => node.refDocId)).toEqual(['Lyft', 'Uber'])
  })

  it('tables with recursive retrieval', async () => {
    const text =
      '# Billionaires\n\nThe list of 2021.\n\n| name | net worth |\n| --- | --- |\n| Ada | 177 billion |\n| Ben | 151 billion |\n'
    const summary = {
      summary: 'Net worth of the richest people',
      table_title: 'Billionaires',
      table_id: '1',
      should_keep: true,
      columns: [],
    }
    const llm = new ScriptedLLM({ answers: [JSON.stringify(summary), 'Ada has 177 billion [1].'] })
    const engine = await notebookTables.engineOverTables(llm, new Document({ id: 'd', text }))
    const answer = await engine.query('Who has the highest net worth?')
    expect(String(answer)).toBe('Ada has 177 billion [1].')
    expect(answer.sourceNodes[0]!.text).toContain('|Ada|177 billion|')
    expect(answer.sources[0]!.problem).toBeNull()
  })
})
