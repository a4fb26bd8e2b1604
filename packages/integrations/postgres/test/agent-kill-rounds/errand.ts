/**
 * The process that is killed: an agent with six effects, two of them behind an approval, three in one turn. Its model requests
 * something different each time. It continues from its task store until the task is finished. The agent may be the tool of an agent, and
 * so on; then only the outermost one has a store.
 */
import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AgentTool, FunctionCallingAgent, FunctionTool, journal, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, type ContentPart, isImagePart, type TaskStore } from '@x/core-model'
import { FileTaskStore } from '@x/storage/node'
import pg from 'pg'
import { appendLine, chatModel, linesIn, turnOf } from '../../../../durable/test/kill-rounds/effects.ts'
import { openDatabase, SqliteTaskStore } from '../../../sqlite/src/index.ts'
import { openDatabase as openPostgres, PostgresTaskStore } from '../../src/index.ts'

/** How the errand is saved, and by whom it is run. */
export interface Form {
  /** How many agents pass the errand on to the one that runs it. */
  levels: number
  /** `file`, `sqlite`, or the address of a Postgres database. */
  store: string
  /** Whether each process is a new version of the program, in which other tools need approval. */
  upgrade: boolean
}

/** Opens the task store in a folder. */
export async function storeIn(folder: string, store: string): Promise<TaskStore> {
  if (store === 'file') return new FileTaskStore(folder)
  if (store === 'sqlite') return new SqliteTaskStore(await openDatabase(join(folder, 'tasks.sqlite')))
  return new PostgresTaskStore(await openPostgres(new pg.Pool({ connectionString: store, max: 2 })))
}

/** The id of the errand of a folder. */
export const taskIn = (folder: string) => basename(folder)
export const EFFECTS_FILE = 'effects.jsonl'

/** The tool calls of each turn of the model. */
export const TURNS: readonly (readonly string[])[] = [['note'], ['note', 'note', 'note'], ['pay'], ['pay']]

/** The input of the user: text and an image. */
export const ERRAND: readonly ContentPart[] = [
  { type: 'text', text: 'Run the errands on this list.' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(20_000)}` } },
]

/** An effect that happened outside. */
export interface Effect {
  key: string
  tool: string
  args: unknown
}

/** A slow model that never repeats an answer: ids and arguments are new each time. */
function restlessModel(turns: typeof TURNS, hasPicture: boolean): BaseLLM {
  return chatModel(async (messages) => {
    const [first] = messages
    const isThere = Array.isArray(first?.content) && first.content.some(isImagePart)
    if (hasPicture && !isThere) throw new Error('The picture is lost.')
    await pause(Math.random() * 3)
    const calls = turns[turnOf(messages)]?.map((name) => ({
      id: randomUUID(),
      name,
      arguments: JSON.stringify({ [name === 'pass_on' ? 'input' : 'what']: randomUUID() }),
    }))
    const message = calls
      ? new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: calls } })
      : new ChatMessage({ role: 'assistant', content: `Done ${randomUUID()}.` })
    return new ChatResponse({ message })
  })
}

/** A tool with an outside effect, which happens before the tool returns. */
function effectTool(folder: string, name: string, needsApproval: boolean): FunctionTool {
  return FunctionTool.fromDefaults({
    name,
    schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    needsApproval,
    fn: async (args: { what: string }, { idempotencyKey }: ToolCallContext<never>) => {
      const effect: Effect = { key: idempotencyKey ?? '', tool: name, args }
      appendLine(join(folder, EFFECTS_FILE), effect)
      await pause(Math.random() * 3)
      return `${name} ${args.what}`
    },
  })
}

/** Continues the errand. The second payment is edited before it is approved. */
async function runErrand(folder: string, { levels, store, upgrade }: Form, started: () => void): Promise<void> {
  const taskStore = await storeIn(folder, store)
  const taskId = taskIn(folder)
  const asksFirst = upgrade && Math.random() < 0.5
  let agent = FunctionCallingAgent.fromTools({
    llm: restlessModel(TURNS, levels === 0),
    tools: [effectTool(folder, 'note', asksFirst), effectTool(folder, 'pay', true)],
    maxToolConcurrency: 2,
    ...(levels === 0 && { taskStore: journal(taskStore) }),
  })
  for (let level = levels; level > 0; level--)
    agent = FunctionCallingAgent.fromTools({
      llm: restlessModel([['pass_on']], level === 1),
      tools: [new AgentTool({ agent, name: 'pass_on' })],
      ...(level === 1 && { taskStore: journal(taskStore) }),
    })
  started()
  for (;;) {
    try {
      await agent.chat(ERRAND, { taskId })
      process.exit()
    } catch (error) {
      if ((error as { code?: string }).code !== 'approval_required') throw error
    }
    for (const { id, name } of agent.getPendingApprovals(taskId)) {
      const isSecond = linesIn<Effect>(join(folder, EFFECTS_FILE)).some(({ tool }) => tool === 'pay')
      if (name === 'pay' && isSecond) await agent.edit(taskId, id, { what: `edited ${randomUUID()}` })
      else await agent.approve(taskId, id, { by: 'the parent' })
    }
  }
}

if (process.argv[2] === '--child')
  await runErrand(process.argv[3]!, JSON.parse(process.argv[4]!), () => console.log('started'))
