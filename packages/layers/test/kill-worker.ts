/**
 * The process that is killed: an agent with files, a to-do list, memory, helpers and work in the background, whose model follows a script.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { type BaseLLM, type CallOptions, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { FileKeyValueStore, FileTaskStore } from '@x/storage/node'
import { StoredFiles, UserMemory } from '../src/index.ts'
import { openWork } from './long-work.ts'

export const TASK = 'report'
export const USER = 'ann'

type Turn = readonly (readonly [name: string, args: Record<string, unknown>])[]

const todos = (...done: boolean[]) => ({
  todos: done.map((isDone, i) => ({ content: `Part ${i + 1}`, status: isDone ? 'completed' : 'pending' })),
})

/** The calls of each turn of the agent. */
export const TURNS: readonly Turn[] = [
  [
    ['write_todos', todos(false, false)],
    ['read_skill', { name: 'report' }],
  ],
  [
    ['start_background_task', { task: 'Find figures.' }],
    ['write_file', { path: 'report.md', content: 'one\n' }],
  ],
  [
    ['send', { what: 'page' }],
    ['edit_file', { path: 'report.md', old_text: 'one\n', new_text: 'one\ntwo\n' }],
    ['edit_file', { path: 'report.md', old_text: 'two\n', new_text: 'two\nthree\n' }],
  ],
  [
    ['remember', { fact: 'Ann wants short reports.' }],
    ['reviewer', { input: 'Review report.md.' }],
  ],
  [
    ['edit_file', { path: 'report.md', old_text: 'three\n', new_text: 'three\nfour\n' }],
    ['write_todos', todos(true, true)],
  ],
]

/** The calls of each turn of a helper. */
const HELPER: readonly Turn[] = [[['write_file', { path: 'notes.md', content: 'Reviewed.' }]]]

/** A model that is asked for the turn that its request ends with, and reports 1,000 tokens per request and 100 per reply. */
function follower(modelName: string, turns: readonly Turn[]): BaseLLM {
  class Follower extends ScriptedLLM {
    protected override async chatRequest(
      messages: readonly ChatMessage[],
      _options: CallOptions,
    ): Promise<ChatResponse> {
      await pause(Math.random() * 5)
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const tool_calls = turns[turn]?.map(([name, args], i) => ({
        id: `${modelName}-${turn}-${i}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }))
      const message = new ChatMessage({
        role: 'assistant',
        content: tool_calls ? '' : `${modelName} is done.`,
        additionalKwargs: tool_calls ? { tool_calls } : {},
      })
      return new ChatResponse({ message, raw: { usage: { input_tokens: 1000, output_tokens: 100 } } })
    }

    protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
      const response = await this.chatRequest(messages, options)
      yield new ChatResponse({ ...response, delta: String(response.message.content) })
    }
  }
  return new Follower({ metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, modelName }) })
}

/** Opens the work in a folder. The tool `send` has an effect, which it writes down with its key. */
export function workIn(folder: string) {
  const send = FunctionTool.fromDefaults({
    name: 'send',
    schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    fn: async ({ what }, { idempotencyKey }) => {
      appendFileSync(`${folder}/effects.jsonl`, `${JSON.stringify({ key: idempotencyKey, what })}\n`)
      await pause(Math.random() * 5)
      return `${what}: ${'long '.repeat(3000)}`
    },
  })
  return openWork(folder, { llm: follower('large', TURNS), helper: follower('small', HELPER), tools: [send] })
}

/** Works until the task has ended, and returns what a page shows, and what is remembered. */
export async function work(folder: string): Promise<unknown> {
  const { tasks, steering, values, page } = workIn(folder)
  const skills = new StoredFiles(new FileKeyValueStore(`${folder}/skills.json`))
  if ((await skills.list()).length === 0)
    await skills.write('report/SKILL.md', '---\nname: report\ndescription: Writes reports.\n---\nBe brief.')
  await tasks.start()
  await tasks.submit('Write the report.', { taskId: TASK, context: { user: USER } })
  console.log('started')
  if ((await tasks.status(TASK)) !== 'finished') await steering.send(TASK, 'Also in blue.', { id: 'blue' })
  const { response } = await tasks.answer(TASK)
  const shown = await page(TASK, USER)
  await tasks.stop()
  const report = await new StoredFiles(values, USER).read('report.md')
  const memory = (await new UserMemory(values, USER).list()).map(({ text }) => text)
  const reader = FunctionCallingAgent.fromTools({
    llm: follower('large', []),
    taskStore: journal(new FileTaskStore(`${folder}/tasks`)),
  })
  const conversation = ((await (await reader.resumeTask(TASK))?.memory.getAll()) ?? []).map(({ content }) =>
    String(content),
  )
  const count = (part: string) => conversation.filter((text) => text.includes(part)).length
  return { response, ...shown, report, memory, sent: count('Also in blue.'), ended: count('has ended:') }
}

if (process.argv[2] === '--work') {
  console.log(JSON.stringify(await work(process.argv[3]!)))
  process.exit(0)
}
