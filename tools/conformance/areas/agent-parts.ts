/** Memories, answers and workers of the cases of agents. */
import {
  AgentChatResponse,
  ChatMemoryBuffer,
  StreamingAgentChatResponse,
  type Task,
  TaskStep,
  TaskStepOutput,
} from '@x/agents'
import { ToolExecutionError } from '@x/agents/errors'
import {
  type AgentWorker,
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
  QueryResponse,
  type StepOptions,
} from '@x/agents/protocol'
import { type CallbackManager, ChatMessage, type Dict, type MessageRole, ToolOutput } from '@x/core-model'
import { strip } from '@x/core-model/text'
import type { Operations } from '../case.ts'
import { CaseError, isObject, type Json, named } from '../given.ts'
import { type Calls, runCalls } from '../script.ts'
import { messageOf, messageRecord, messagesOf } from '../stand-ins/prompts.ts'
import { caseModel } from '../stand-ins/runs.ts'
import { scoredNodeOf, toolOutputForm } from '../stand-ins/tools.ts'

/** Splits at single spaces. */
export const spaceTokenizer = (text: string): string[] => text.split(' ')

const tokenizers = { space: spaceTokenizer, chars: (text: string) => Array.from(text) }

interface Subject {
  memory: ChatMemoryBuffer
  /** The list that was passed as `chat_history`. */
  history: ChatMessage[]
}

const memoryCalls: Calls<Subject> = {
  put: ({ memory }, { message }) => memory.put(messageOf(message)),
  get: ({ memory }, options) => memory.get(options).map(messageRecord),
  get_all: ({ memory }) => memory.getAll().map(messageRecord),
  set: ({ memory }, { messages }) => memory.set(messagesOf(messages)),
  reset: ({ memory }) => memory.reset(),
  to_dict: ({ memory }) => memory.toDict(),
  to_string: ({ memory }) => memory.toString(),
  token_limit: ({ memory }) => memory.tokenLimit,
  round_trip: ({ memory }) => ChatMemoryBuffer.fromString(memory.toString()).getAll().map(messageRecord),
  mutate_get_all: ({ memory }, { message }) => void memory.getAll().push(messageOf(message)),
  mutate_input: ({ history }, { message }) => void history.push(messageOf(message)),
  input_length: ({ history }) => history.length,
}

function subjectOf({ chatHistory, fromDict, fromString, tokenizer = 'space', llm, ...given }: Json): Subject {
  const history = messagesOf(chatHistory)
  if (fromDict !== undefined) return { memory: ChatMemoryBuffer.fromDict(fromDict), history }
  if (fromString !== undefined) return { memory: ChatMemoryBuffer.fromString(fromString), history }
  const memory = ChatMemoryBuffer.fromDefaults({
    ...(given.tokenLimit !== undefined && { tokenLimit: given.tokenLimit }),
    ...(chatHistory && { chatHistory: history }),
    ...(llm && { llm: caseModel(llm) }),
    ...(given.chatStoreKey !== undefined && { chatStoreKey: given.chatStoreKey }),
    tokenizerFn: named(tokenizers, tokenizer),
  })
  return { memory, history }
}

export const memory: Operations = {
  'ChatMemoryBuffer.script': async ({ calls: script, ...given }, { expect }) => ({
    results: await runCalls(memoryCalls, script, subjectOf({ ...given, calls: script }), expect.value),
  }),
}

// Answers of agents, complete or as a stream.

/** With nodes, the raw output is a response with these nodes. */
function sourceOf({ content, nodes, raw_output }: Json): ToolOutput {
  const rawOutput = nodes ? new QueryResponse({ response: content, sourceNodes: nodes.map(scoredNodeOf) }) : raw_output
  return new ToolOutput({ content, toolName: 't', rawInput: {}, rawOutput })
}

export const responses: Operations = {
  'AgentChatResponse.create': async ({ response, sources, sourceNodes, streaming }) => {
    const options = { response, sources: sources?.map(sourceOf), sourceNodes: sourceNodes?.map(scoredNodeOf) }
    const made = streaming
      ? new StreamingAgentChatResponse({ ...options, stream: [response ?? ''] })
      : new AgentChatResponse(options)
    if (made instanceof StreamingAgentChatResponse) await made.done
    return { response: made.response, string: String(made), source_nodes: made.sourceNodes.map(({ id }) => id) }
  },
}

/** An answer in the form of the cases; a stream is read to its end first. */
export async function answerForm(answer: AgentChatResponse): Promise<Dict> {
  if (answer instanceof StreamingAgentChatResponse) return streamForm(answer)
  const { response, sources, sourceNodes } = answer
  return { response, sources: sources.map(toolOutputForm), source_nodes: sourceNodes.map(({ id }) => id) }
}

async function streamForm(answer: StreamingAgentChatResponse): Promise<Dict> {
  let text = ''
  try {
    for await (const piece of answer) text += piece
    await answer.done
  } catch (error) {
    return { stream_error: error instanceof Error ? error.message : String(error) }
  }
  const { response, sources } = answer
  return { stream_text: strip(text), response, sources: sources.map(({ content }) => content) }
}

// Workers with custom steps.

type WorkerOptions = Parameters<typeof CustomSimpleAgentWorker.fromTools>[0]

/** Puts a message into the memory of a state. */
export function remember({ memory }: Json, role: MessageRole, content: string | null): void {
  memory.put(new ChatMessage({ role, content }))
}

/** Adds one to a counter of the state and returns it. */
function countUp(state: Dict, key: string): number {
  const count = Number(state[key] ?? 0) + 1
  state[key] = count
  return count
}

/** Done after a number of steps; notes how often its finalize hook is called. */
class CounterWorker extends CustomSimpleAgentWorker {
  declare limit: number
  declare finalized: number

  protected override _initializeState(): Dict {
    return { count: 0, limit: this.limit }
  }

  protected override async _runStep(state: Dict, _task: Task, { input }: CustomStepOptions): Promise<CustomStepResult> {
    const count = countUp(state, 'count')
    remember(state, 'user', `c${count}:${input ?? '-'}`)
    return [new AgentChatResponse({ response: `n${count}` }), count >= this.limit]
  }

  protected override _finalizeTask(state: Dict): void {
    this.finalized = (this.finalized ?? 0) + 1
    state['finalized'] = this.finalized
  }
}

/** Returns a string where a response is expected, as code without types may do. */
class BadOutputWorker extends CounterWorker {
  protected override async _runStep(state: Dict): Promise<CustomStepResult> {
    countUp(state, 'count')
    return ['text', true] as Json
  }
}

/** Asks the model until its reply starts with `OK`. */
class RetryWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return { attempt: 0, limit: this.limit }
  }

  protected override async _runStep(state: Dict, task: Task): Promise<CustomStepResult> {
    const attempt = countUp(state, 'attempt')
    const question = new ChatMessage({ role: 'user', content: `${task.input}#${attempt}` })
    const reply = String((await this.llm.chat([question])).message.content)
    const done = reply.startsWith('OK') || attempt >= this.limit
    if (done) {
      remember(state, 'user', task.input)
      remember(state, 'assistant', reply)
    }
    return [new AgentChatResponse({ response: reply }), done]
  }
}

/** Calls the tool that the model names, as `name|{arguments}`. */
class ToolOnceWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return {}
  }

  protected override async _runStep({ sources }: Json, task: Task): Promise<CustomStepResult> {
    const { message } = await this.llm.chat([new ChatMessage({ role: 'user', content: task.input })])
    const [name, json = ''] = String(message.content).split('|')
    const tool = (await this.getTools(task.input)).find(({ metadata }) => metadata.name === name)
    if (tool === undefined) throw new CaseError(`the worker has no tool ${name}`)
    const args: unknown = JSON.parse(json)
    const output = await tool.call(isObject(args) ? args : {})
    sources.push(output)
    return [new AgentChatResponse({ response: output.content, sources }), true]
  }
}

/** Starts with a state that has a key of the library. */
const reserving = (state: Dict) =>
  class extends CounterWorker {
    protected override _initializeState(): Dict {
      return state
    }
  }

const workers: Readonly<Record<string, typeof CounterWorker>> = {
  counter: CounterWorker,
  bad_output: BadOutputWorker,
  retry: RetryWorker,
  tool_once: ToolOnceWorker,
  reserved_memory: reserving({ memory: 1 }),
  reserved_sources: reserving({ sources: 1 }),
}

export function customWorker(kind: string, limit: number, options: WorkerOptions): CustomSimpleAgentWorker {
  const worker = named(workers, kind).fromTools(options)
  worker.limit = limit
  return worker
}

// A worker whose steps are the nodes of a graph.

/** Logs every step that runs and every task that is finalized. */
export class GraphWorker implements AgentWorker {
  callbackManager: CallbackManager | null = null
  readonly order: Dict[] = []
  readonly finalized: string[] = []
  private readonly steps: Json
  private readonly runs = new Map<string, number>()

  constructor({ steps }: Json) {
    this.steps = steps
  }

  setCallbackManager(manager: CallbackManager): void {
    this.callbackManager = manager
  }

  getPrompts() {
    return {}
  }

  updatePrompts() {}

  initializeStep({ taskId, input }: Task): TaskStep {
    return new TaskStep({ taskId, stepId: 'root', input, stepState: { name: 'root' } })
  }

  async runStep(step: TaskStep, task: Task, _options?: StepOptions): Promise<TaskStepOutput> {
    const node = this.steps[step.stepId]
    if (node === undefined) throw new CaseError(`given.worker.steps: there is no step ${step.stepId}`)
    if (node.delay_ms) await new Promise((resolve) => setTimeout(resolve, node.delay_ms))
    this.order.push({ step: step.stepId, input: step.input })
    this.throwIfPlanned(step.stepId, node)
    Object.assign(task.extraState, node.set)
    return new TaskStepOutput({
      output: node.raw ? node.output : new AgentChatResponse({ response: String(node.output ?? '') }),
      taskStep: step,
      nextSteps: (node.next ?? []).map((next: Json) => stepOf(next, task.taskId)),
      isLast: node.is_last ?? false,
    })
  }

  private throwIfPlanned(stepId: string, { throws, times = Number.POSITIVE_INFINITY }: Json): void {
    const run = (this.runs.get(stepId) ?? 0) + 1
    this.runs.set(stepId, run)
    if (throws !== undefined && run <= times) throw new ToolExecutionError('graph', throws)
  }

  streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput> {
    return this.runStep(step, task, options)
  }

  finalizeTask({ input }: Task): void {
    this.finalized.push(input)
  }
}

function stepOf(next: Json, taskId: string): TaskStep {
  if (typeof next === 'string') return new TaskStep({ taskId, stepId: next, input: null, stepState: { name: next } })
  const { name, input = null, is_ready: isReady = true } = next
  return new TaskStep({ taskId, stepId: name, input, stepState: { name }, isReady })
}
