/**
 * The cases of the agent area: small operations, and scripts of calls on agents with scripted models.
 */
import {
  AgentChatResponse,
  AgentRunner,
  type AgentWorker,
  adaptToAsyncTool,
  type BaseAgentRunner,
  ChatMemoryBuffer,
  CustomSimpleAgentWorker,
  FunctionCallingAgent,
  FunctionTool,
  isReasoningDone,
  LegacyReActAgent,
  MultimodalReActAgentWorker,
  ParallelAgentRunner,
  QueryEngineTool,
  QueryResponse,
  ReActAgent,
  ReActAgentWorker,
  ReActAnswerStream,
  ReActChatFormatter,
  ReActOutputParser,
  type ReasoningStep,
  reasoningText,
  resolveToolChoice,
  runToolCall,
  type StepOptions,
  StreamingAgentChatResponse,
  Task,
  TaskStep,
  TaskStepOutput,
  type Tool,
  ToolExecutionError,
  ToolMetadata,
} from '@x/agents'
import {
  CallbackManager,
  type CallOptions,
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  type EventPayload,
  LLM,
  LLMMetadata,
  NodeWithScore,
  TextNode,
  ToolOutput,
} from '@x/core-model'
import { TableEmbedding } from '@x/core-model/testing'
import { PromptTemplate } from '@x/prompts'
import { ObjectIndex, ToolNodeMapping } from '@x/retrieval'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the case files
export type Json = any

export const area: Area = {
  async check(testCase: Case) {
    const { op, given, expect } = testCase
    const run = operations[op]
    if (!run) throw new Error(`unknown operation ${op}`)
    if (expect.throws) await expectThrows(() => run(given), { error: expect.error })
    else expectEqual(anyError(await run(given), expect.value), expect.value, { matchers: true })
  },
}

/** Where any error will do, the name of the one that came does not matter. */
function anyError(actual: Json, expected: Json): Json {
  if (!Array.isArray(actual?.results) || !Array.isArray(expected?.results)) return actual
  const results = actual.results.map((result: Json, i: number) =>
    result.throws && expected.results[i]?.error === '*' ? expected.results[i] : result,
  )
  return { ...actual, results }
}

// ---- messages, tools, models -----------------------------------------------------------------------------------------

export function toMessage({ role, content, additional_kwargs }: Json): ChatMessage {
  return new ChatMessage({ role, content, ...(additional_kwargs && { additionalKwargs: additional_kwargs }) })
}

export function fromMessage({ role, content, additionalKwargs }: ChatMessage): Json {
  return { role, content, ...(Object.keys(additionalKwargs).length > 0 && { additional_kwargs: additionalKwargs }) }
}

export function fromOutput({ toolName, content, rawInput, rawOutput, isError }: ToolOutput): Json {
  const raw = rawOutput instanceof QueryResponse ? { $response: rawOutput.response } : rawOutput
  return { tool_name: toolName, content, raw_input: rawInput, raw_output: raw, ...(isError && { is_error: true }) }
}

function toolFunctions(): Record<string, (args: Json) => unknown> {
  let calls = 0
  return {
    add: ({ a, b }) => a + b,
    multiply: ({ a, b }) => a * b,
    concat: ({ a, b }) => `${a}${b}`,
    echo: ({ text }) => text,
    upper: ({ text }) => text.toUpperCase(),
    fail: ({ message }) => {
      throw new Error(message)
    },
    nothing: () => null,
    obj: ({ k }) => ({ key: k, n: 1 }),
    items: ({ n }) => Array.from({ length: n }, (_, i) => i + 1),
    truthy: ({ x }) => Boolean(x),
    count: () => ++calls,
  }
}

function scoredNode({ id, text = '', score = null, metadata = {} }: Json): NodeWithScore {
  return new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })
}

export function toTool(given: Json): Tool {
  const { name = null, description = '' } = given
  if (given.kind === 'plain') {
    return {
      metadata: new ToolMetadata({ name, description }),
      call: (input: string) =>
        new ToolOutput({ content: `<${input}>`, toolName: name, rawInput: { input }, rawOutput: input }),
    }
  }
  if (given.kind === 'query_engine') {
    const sourceNodes = (given.nodes ?? []).map(scoredNode)
    const queryEngine = { query: (q: string) => new QueryResponse({ response: `${given.prefix}${q}`, sourceNodes }) }
    return new QueryEngineTool({
      queryEngine,
      ...(given.name !== undefined && { name }),
      ...(given.description !== undefined && { description }),
      resolveInputErrors: given.resolve_input_errors,
    }) as unknown as Tool
  }
  const metadata = metadataOf(given)
  const fn = toolFunctions()[given.fn ?? 'echo']!
  if (given.schema && name) return FunctionTool.fromDefaults({ fn, name, description, schema: given.schema }) as Tool
  const unchecked = FunctionTool.fromDefaults({ fn, name: name ?? 'unnamed', description, schema: given.schema ?? {} })
  return { takesArguments: true, metadata, call: (args: Json) => unchecked.call(args) } as unknown as Tool
}

function metadataOf(given: Json): ToolMetadata {
  const { name, description = '' } = given
  return new ToolMetadata({ name, description, ...('schema' in given && { fnSchema: given.schema }) })
}

/** Answers from a script and records what it is asked. */
export class CaseModel extends LLM {
  readonly metadata: LLMMetadata
  readonly calls: Json[] = []
  readonly responses: Json[]
  readonly prefix: string | undefined

  constructor(given: Json, metadata: Json = {}) {
    super(given.prefix === undefined ? {} : { completionToPrompt: (text: string) => `${given.prefix}${text}` })
    this.responses = [...(given.responses ?? [])]
    this.metadata = new LLMMetadata({
      isChatModel: true,
      isFunctionCallingModel: true,
      ...(given.context_window && { contextWindow: given.context_window }),
      ...metadata,
    })
  }

  private next(): Json {
    if (this.responses.length === 0) throw new Error('the model has no response left')
    return this.responses.shift()
  }

  private record(messages: readonly ChatMessage[], { tools, toolChoice }: CallOptions): void {
    this.calls.push({
      messages: messages.map(fromMessage),
      ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      ...(tools !== undefined && { tools: (tools as Json[]).map((tool) => tool.function.name) }),
    })
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    this.record(messages, options)
    return new ChatResponse({ message: messageOf(this.next()) })
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    this.record(messages, options)
    const response = this.next()
    const { content, additionalKwargs } = messageOf(response)
    const chunks: string[] = response?.chunks ?? [content ?? '']
    let text = ''
    for (const delta of chunks) {
      text += delta
      const message = new ChatMessage({ role: 'assistant', content: text, additionalKwargs })
      yield new ChatResponse({ message, delta })
    }
    if (response?.chunks && response.error !== undefined) throw new Error(response.error)
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    this.calls.push({ prompt })
    const { content } = messageOf(this.next())
    return new CompletionResponse({ text: String(content ?? '') })
  }

  protected override async *streamCompleteRequest(prompt: string) {
    yield await this.completeRequest(prompt)
  }
}

function messageOf(response: Json): ChatMessage {
  if (response?.error !== undefined && !response.chunks) throw new Error(response.error)
  if (response === null || typeof response === 'string')
    return new ChatMessage({ role: 'assistant', content: response })
  const content = response.chunks ? response.chunks.join('') : response.content
  const additionalKwargs = response.tool_calls ? { tool_calls: response.tool_calls } : {}
  return new ChatMessage({ role: 'assistant', content, additionalKwargs })
}

// ---- callback events -------------------------------------------------------------------------------------------------

class EventLog {
  readonly events: Json[] = []
  readonly manager: CallbackManager
  private readonly names = new Map<string, string>([['root', 'root']])

  constructor(ignoreStarts: Json = [], ignoreEnds: Json = []) {
    this.manager = new CallbackManager([
      {
        eventStartsToIgnore: ignoreStarts,
        eventEndsToIgnore: ignoreEnds,
        startTrace: (trace) => this.events.push({ phase: 'start_trace', trace }),
        endTrace: (trace, map) =>
          this.events.push({
            phase: 'end_trace',
            trace,
            trace_map: Object.fromEntries(
              Object.entries(map).map(([id, children]) => [this.name(id), children.map((child) => this.name(child))]),
            ),
          }),
        onEventStart: (type, payload, id, parent) =>
          this.events.push({
            phase: 'start',
            type,
            id: this.name(id),
            parent: this.name(parent),
            payload: plain(payload),
          }),
        onEventEnd: (type, payload, id) =>
          this.events.push({ phase: 'end', type, id: this.name(id), payload: plain(payload) }),
      },
    ])
  }

  private name(id: string): string {
    if (!this.names.has(id)) this.names.set(id, `e${this.names.size}`)
    return this.names.get(id)!
  }
}

function plain(payload: EventPayload | null): Json {
  if (payload === null) return null
  const text: Record<string, (value: Json) => Json> = {
    tool: ({ name }) => name,
    response: String,
    exception: (error) => (error instanceof Error ? error.message : String(error)),
  }
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [key, (text[key] ?? ((same) => same))(value)]),
  )
}

async function runScript(nodes: Json[], manager: CallbackManager): Promise<void> {
  for (const node of nodes) {
    if (node.do === 'trace') await manager.asTrace(node.id, () => runScript(node.body, manager))
    else if (node.do === 'event') {
      await manager.event(node.type, node.payload ?? null, async (event) => {
        await runScript(node.body, manager)
        if (node.end_payload) event.end(node.end_payload)
      })
    } else if (node.do === 'throw') throw new Error(node.message)
    else await runScript(node.body, manager).catch(() => {})
  }
}

// ---- small operations ------------------------------------------------------------------------------------------------

function toReasoning(step: Json): ReasoningStep {
  if (step.kind === 'action') {
    return { kind: 'action', thought: step.thought, action: step.action, actionInput: step.action_input }
  }
  if (step.kind === 'observation') return { kind: 'observation', observation: step.observation }
  const { thought, response, is_streaming = false } = step
  return { kind: 'response', thought, response, isStreaming: is_streaming, implicit: false }
}

function fromReasoning(step: ReasoningStep): Json {
  if (step.kind === 'action') {
    return { kind: 'action', thought: step.thought, action: step.action, action_input: step.actionInput }
  }
  if (step.kind !== 'response') throw new Error(`unexpected record ${step.kind}`)
  const { implicit, thought, response, isStreaming } = step
  return { kind: 'response', implicit, thought: implicit ? null : thought, response, is_streaming: isStreaming }
}

function attempt(run: () => unknown): Json {
  try {
    return { value: run() }
  } catch (error) {
    return { throws: true, error: (error as Error).name }
  }
}

function stepOf({ task_id, step_id, input, step_state, is_ready }: Json): TaskStep {
  return new TaskStep({ taskId: task_id, stepId: step_id, input, stepState: step_state, isReady: is_ready })
}

const runOptions = (task: Task, manager = new CallbackManager()) =>
  ({ callbackManager: manager, onToolError: 'observe', onUnknownTool: 'observe', task }) as const

const operations: Record<string, (given: Json) => unknown> = {
  'ReActOutputParser.parse': ({ output, is_streaming }) =>
    fromReasoning(new ReActOutputParser().parse(output, { isStreaming: is_streaming })),

  'ReActAnswerStream.detect': ({ chunks }) => {
    const stream = new ReActAnswerStream()
    let text = ''
    let first: number | null = null
    chunks.forEach((chunk: string, i: number) => {
      const piece = stream.push(chunk)
      if (piece !== '') first ??= i
      text += piece
    })
    if (stream.emitted) return { is_final: true, text: text.trim(), first_emit_at: first, streamed: true }
    const whole = stream.end()
    if (whole.kind === 'action') return { is_final: false, action: whole.action, action_input: whole.actionInput }
    return { is_final: true, text: whole.response.trim(), first_emit_at: null, streamed: false }
  },

  'ReActChatFormatter.format': ({ system_header, context, tools, chat_history, current_reasoning = [] }) =>
    new ReActChatFormatter({ systemHeader: system_header, context })
      .format(tools.map(toTool), chat_history.map(toMessage), current_reasoning.map(toReasoning))
      .map(fromMessage),

  'ReActChatFormatter.from_defaults': ({ system_header, context, from_context }) => {
    const formatter = from_context
      ? ReActChatFormatter.fromContext(context)
      : ReActChatFormatter.fromDefaults({ systemHeader: system_header, context })
    const known: Record<string, string> = {
      [new ReActChatFormatter().systemHeader]: 'default',
      [ReActChatFormatter.fromDefaults({ context: 'x' }).systemHeader]: 'default_with_context',
    }
    return { header: known[formatter.systemHeader] ?? formatter.systemHeader, context: formatter.context }
  },

  'ReasoningStep.get_content': ({ step }) => reasoningText(toReasoning(step)),
  'ReasoningStep.is_done': ({ step }) => isReasoningDone(toReasoning(step)),

  'ToolMetadata.inspect': ({ tool }) => {
    const metadata = metadataOf(tool)
    return {
      parameters: attempt(() => metadata.getParametersDict()),
      fn_schema_str: attempt(() => metadata.fnSchemaStr),
      openai_tool: attempt(() => metadata.toOpenaiTool()),
      name: attempt(() => metadata.getName()),
    }
  },

  'Tool.call': async ({ tool, kwargs, args, adapt }) => {
    const made = adapt ? adaptToAsyncTool(toTool(tool)) : toTool(tool)
    return fromOutput(await made.call((kwargs ?? args[0]) as never))
  },

  'FunctionCalling.call_tool': async ({ tools, name, arguments: text }) => {
    const task = new Task({ input: '', memory: ChatMemoryBuffer.fromDefaults() })
    const call = { id: 'call', name, arguments: text }
    return fromOutput(
      await runToolCall(
        call,
        tools.map((tool: Json) => adaptToAsyncTool(toTool(tool))),
        runOptions(task),
      ),
    )
  },

  'FunctionCalling.resolve_tool_choice': ({ tool_choice }) => resolveToolChoice(tool_choice),

  'ToolNodeMapping.to_node': ({ tool }) => {
    const node = new ToolNodeMapping().toNode(toTool(tool))
    const [head = ''] = node.text.split('Tool schema: ')
    return {
      text_head: head,
      has_schema: node.text !== head,
      metadata: node.metadata,
      excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
      excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    }
  },

  'ObjectIndex.retrieve': async ({ tools, insert = [], similarity_top_k, queries, embed }) => {
    const mapping = new ToolNodeMapping<Tool>()
    const made: Tool[] = tools.map(toTool)
    const inserted: Tool[] = insert.map(toTool)
    const texts = Object.fromEntries(
      [...made, ...inserted].map((tool) => [
        mapping.toNode(tool).getContent('embed'),
        embed.tools[tool.metadata.getName()],
      ]),
    )
    const embedModel = new TableEmbedding({ texts, queries: embed.queries })
    const index = await ObjectIndex.fromObjects(made, mapping, { embedModel })
    for (const tool of inserted) await index.insertObject(tool)
    const retriever = index.asRetriever({ ...(similarity_top_k && { similarityTopK: similarity_top_k }) })
    const found: string[][] = []
    for (const query of queries) found.push((await retriever.retrieve(query)).map(({ metadata }) => metadata.getName()))
    return found
  },

  'AgentChatResponse.create': async ({ response, sources, source_nodes, streaming }) => {
    const options = {
      response,
      sources: sources?.map(({ content, nodes, raw_output }: Json) => {
        const sourceNodes = nodes?.map(scoredNode)
        const rawOutput = nodes ? new QueryResponse({ response: content, sourceNodes }) : raw_output
        return new ToolOutput({ content, toolName: 't', rawInput: {}, rawOutput })
      }),
      sourceNodes: source_nodes?.map(scoredNode),
    }
    const made = streaming
      ? new StreamingAgentChatResponse({ ...options, stream: [response ?? ''] })
      : new AgentChatResponse(options)
    if (made instanceof StreamingAgentChatResponse) await made.done
    return { response: made.response, string: String(made), source_nodes: made.sourceNodes.map(({ id }) => id) }
  },

  'TaskStep.next': ({ step, next, mutate }) => {
    const made = stepOf(step)
    if (!next) return { json: made.toDict() }
    const options = {
      ...('input' in next && { input: next.input }),
      ...('step_state' in next && { stepState: next.step_state }),
    }
    const following = made.getNextStep(next.step_id, options)
    const json = following.toDict()
    if (!mutate) return { json: made.toDict(), next: json }
    Object.assign(following.stepState, mutate)
    return { json: made.toDict(), next: json, state_after_mutating_next: made.stepState }
  },

  'TaskStep.link': ({ steps, links }) => {
    const made = new Map<string, TaskStep>(steps.map((step: Json) => [step.step_id, stepOf(step)]))
    for (const [from, to] of links) made.get(from)!.linkStep(made.get(to)!)
    return Object.fromEntries(Array.from(made, ([id, step]) => [id, step.toDict()]))
  },

  'CallbackManager.script': async ({ script, ignore_starts, ignore_ends }) => {
    const log = new EventLog(ignore_starts, ignore_ends)
    await runScript(script, log.manager)
    return log.events
  },

  'ChatMemoryBuffer.script': (given) => memoryScript(given),
  'AgentRunner.script': (given) => agentScript(given),
  'ParallelAgentRunner.script': (given) =>
    agentScript({ ...given, agent: { type: 'parallel', options: given.options } }),
}

// ---- memory ----------------------------------------------------------------------------------------------------------

const tokenizers: Record<string, (text: string) => string[]> = {
  space: (text) => text.split(' '),
  chars: (text) => Array.from(text),
}

function memoryOf(given: Json): { memory: ChatMemoryBuffer; history: ChatMessage[] } {
  const history: ChatMessage[] = (given.chat_history ?? []).map(toMessage)
  if (given.from_dict) return { memory: ChatMemoryBuffer.fromDict(given.from_dict), history }
  if (given.from_string) return { memory: ChatMemoryBuffer.fromString(given.from_string), history }
  const memory = ChatMemoryBuffer.fromDefaults({
    ...(given.token_limit !== undefined && { tokenLimit: given.token_limit }),
    ...(given.chat_history && { chatHistory: history }),
    ...(given.llm && { llm: new CaseModel(given.llm) }),
    ...(given.chat_store_key && { chatStoreKey: given.chat_store_key }),
    tokenizerFn: tokenizers[given.tokenizer ?? 'space'],
  })
  return { memory, history }
}

async function memoryScript(given: Json): Promise<Json> {
  const { memory, history } = memoryOf(given)
  const calls: Record<string, (call: Json) => unknown> = {
    put: ({ message }) => memory.put(toMessage(message)),
    get: ({ initial_token_count }) => memory.get({ initialTokenCount: initial_token_count }).map(fromMessage),
    get_all: () => memory.getAll().map(fromMessage),
    set: ({ messages }) => memory.set(messages.map(toMessage)),
    reset: () => memory.reset(),
    to_dict: () => memory.toDict(),
    to_string: () => memory.toString(),
    token_limit: () => memory.tokenLimit,
    round_trip: () => ChatMemoryBuffer.fromString(memory.toString()).getAll().map(fromMessage),
    mutate_get_all: ({ message }) => void memory.getAll().push(toMessage(message)),
    mutate_input: ({ message }) => void history.push(toMessage(message)),
    input_length: () => history.length,
  }
  return { results: wanted(await results(given.calls, (call) => calls[call.call]!(call))) }
}

async function results(calls: Json[], run: (call: Json) => unknown): Promise<Json[]> {
  const all: Json[] = []
  for (const call of calls) {
    try {
      all.push({ value: (await run(call)) ?? null })
    } catch (error) {
      const name = error instanceof Error ? error.name : String(error)
      all.push({ throws: true, error: name, message: (error as Error)?.message })
    }
  }
  return all
}

// ---- scripted workers ------------------------------------------------------------------------------------------------

class GraphWorker implements AgentWorker {
  callbackManager = null as CallbackManager | null
  readonly order: Json[] = []
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
    if (node.delay_ms) await new Promise((resolve) => setTimeout(resolve, node.delay_ms))
    this.order.push({ step: step.stepId, input: step.input })
    const run = (this.runs.get(step.stepId) ?? 0) + 1
    this.runs.set(step.stepId, run)
    if (node.throws && run <= (node.times ?? Number.POSITIVE_INFINITY))
      throw new ToolExecutionError('graph', node.throws)
    Object.assign(task.extraState, node.set)
    const nextSteps = (node.next ?? []).map((next: Json) => {
      const { name, input = null, is_ready = true } = typeof next === 'string' ? { name: next } : next
      return new TaskStep({ taskId: task.taskId, stepId: name, input, stepState: { name }, isReady: is_ready })
    })
    const output = node.raw ? node.output : new AgentChatResponse({ response: node.output })
    return new TaskStepOutput({ output, taskStep: step, nextSteps, isLast: node.is_last ?? false })
  }

  streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput> {
    return this.runStep(step, task, options)
  }

  finalizeTask({ input }: Task): void {
    this.finalized.push(input)
  }
}

function customWorker({ kind, limit = 2 }: Json, options: Json): CustomSimpleAgentWorker {
  const initial: Record<string, Json> = {
    counter: { count: 0, limit },
    bad_output: { count: 0, limit },
    retry: { attempt: 0, limit },
    tool_once: {},
    reserved_memory: { memory: 1 },
    reserved_sources: { sources: 1 },
  }
  let finalized = 0
  class ScriptedWorker extends CustomSimpleAgentWorker {
    protected override _initializeState() {
      return { ...initial[kind] }
    }

    protected override async _runStep(state: Json, task: Task, { input }: { input: string | null }): Promise<Json> {
      if (kind === 'retry') {
        state.attempt += 1
        const asked = new ChatMessage({ role: 'user', content: `${task.input}#${state.attempt}` })
        const { message } = await this.llm.chat([asked])
        const done = String(message.content).startsWith('OK') || state.attempt >= state.limit
        if (done) {
          state.memory.put(new ChatMessage({ role: 'user', content: task.input }))
          state.memory.put(new ChatMessage({ role: 'assistant', content: message.content }))
        }
        return [new AgentChatResponse({ response: String(message.content) }), done]
      }
      if (kind === 'tool_once') {
        const { message } = await this.llm.chat([new ChatMessage({ role: 'user', content: task.input })])
        const [name, json] = String(message.content).split('|')
        const tool = (await this.getTools(task.input)).find(({ metadata }) => metadata.name === name)!
        const output = await tool.call(JSON.parse(json!))
        state.sources.push(output)
        return [new AgentChatResponse({ response: output.content, sources: state.sources }), true]
      }
      state.count += 1
      if (kind === 'bad_output') return ['text', true]
      state.memory.put(new ChatMessage({ role: 'user', content: `c${state.count}:${input ?? '-'}` }))
      return [new AgentChatResponse({ response: `n${state.count}` }), state.count >= state.limit]
    }

    protected override _finalizeTask(state: Json): void {
      finalized += 1
      state.finalized = finalized
    }
  }
  return ScriptedWorker.fromTools(options)
}

// ---- agents ----------------------------------------------------------------------------------------------------------

interface Stage {
  agent: BaseAgentRunner
  worker: Json
  model: CaseModel
  log: EventLog
  queries: string[]
}

function camel(options: Json): Json {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]),
  )
}

function toOptions({ memory, chat_history, prefix_messages, system_header: _, ...rest }: Json): Json {
  return {
    ...camel(rest),
    ...(chat_history && { chatHistory: chat_history.map(toMessage) }),
    ...(prefix_messages && { prefixMessages: prefix_messages.map(toMessage) }),
    ...(memory && {
      memory: ChatMemoryBuffer.fromDefaults({
        tokenLimit: memory.token_limit,
        tokenizerFn: tokenizers['space'],
        chatHistory: (memory.chat_history ?? []).map(toMessage),
      }),
    }),
  }
}

function multimodalMessage({ prompt, role, imageDocuments }: Json): ChatMessage {
  const images = imageDocuments.map(({ image_url, image }: Json) =>
    image_url
      ? { type: 'image_url', image_url }
      : { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${image}`, detail: 'low' } },
  )
  return new ChatMessage({ role, content: [{ type: 'text', text: prompt }, ...images] })
}

const PARTS: Record<string, readonly string[]> = {
  react_runner: ['maxIterations', 'onToolError', 'onUnknownTool', 'onParseError'],
}

function stageOf(given: Json): Stage {
  const { type, options = {} } = given.agent
  const model = new CaseModel(given.llm ?? {})
  const log = new EventLog()
  const queries: string[] = []
  const tools: Tool[] = (given.tools ?? []).map(toTool)
  const map = given.tool_retriever?.map
  const toolRetriever = map && {
    retrieve: (query: string) => {
      queries.push(query)
      const names: string[] = map[query] ?? map['*'] ?? []
      return names.flatMap((name) => tools.filter(({ metadata }) => metadata.name === name))
    },
  }
  const toolOptions = {
    tools: toolRetriever && !given.tool_retriever.also_tools ? [] : tools,
    ...(toolRetriever && { toolRetriever }),
  }
  const header = 'system_header' in options ? options.system_header : '[{tool_names}]'
  const reactChatFormatter = header === null ? null : new ReActChatFormatter({ systemHeader: header })
  const callbackManager = log.manager
  const own = toOptions(options)
  const stage = (agent: Json, worker: Json = agent.agentWorker): Stage => ({ agent, worker, model, log, queries })
  const split = (keys: readonly string[]) => {
    const entries = Object.entries(own)
    return [
      Object.fromEntries(entries.filter(([key]) => keys.includes(key))),
      Object.fromEntries(entries.filter(([key]) => !keys.includes(key))),
    ]
  }
  const loopKeys = PARTS['react_runner']!
  switch (type) {
    case 'react':
      return stage(ReActAgent.fromTools({ llm: model, ...toolOptions, reactChatFormatter, callbackManager, ...own }))
    case 'react_runner': {
      const [forWorker, forRunner] = split(loopKeys)
      const worker = new ReActAgentWorker({
        llm: model,
        ...toolOptions,
        reactChatFormatter,
        callbackManager,
        ...forWorker,
      })
      return stage(new AgentRunner({ agentWorker: worker, llm: model, callbackManager, ...forRunner }))
    }
    case 'multimodal': {
      const [forWorker, forRunner] = split(loopKeys)
      const worker = new MultimodalReActAgentWorker({
        multiModalLlm: model,
        ...toolOptions,
        reactChatFormatter,
        callbackManager,
        generateChatMessageFn: multimodalMessage,
        ...forWorker,
      })
      return stage(new AgentRunner({ agentWorker: worker, callbackManager, ...forRunner }))
    }
    case 'function_calling':
      return stage(FunctionCallingAgent.fromTools({ llm: model, ...toolOptions, callbackManager, ...own }))
    case 'legacy_react':
      return stage(
        LegacyReActAgent.fromTools({ llm: model, ...toolOptions, reactChatFormatter, callbackManager, ...own }),
        {},
      )
    case 'custom': {
      const worker = customWorker(given.worker, { llm: model, ...toolOptions, callbackManager })
      return stage(new AgentRunner({ agentWorker: worker, callbackManager, ...own }))
    }
    case 'graph':
      return stage(new AgentRunner({ agentWorker: new GraphWorker(given.worker), callbackManager, ...own }))
    case 'parallel':
      return stage(new ParallelAgentRunner({ agentWorker: new GraphWorker(given.worker), callbackManager, ...own }))
    default:
      throw new Error(`unknown agent ${type}`)
  }
}

async function fromAnswer(answer: Json): Promise<Json> {
  if (answer instanceof StreamingAgentChatResponse) {
    let text = ''
    try {
      for await (const piece of answer) text += piece
      await answer.done
    } catch (error) {
      return { stream_error: (error as Error).message }
    }
    return {
      stream_text: text.trim(),
      response: answer.response,
      sources: answer.sources.map(({ content }) => content),
    }
  }
  const { response, sources, sourceNodes } = answer as AgentChatResponse
  return { response, sources: sources.map(fromOutput), source_nodes: sourceNodes.map(({ id }) => id) }
}

function fromStep({ output, taskStep, nextSteps, isLast }: TaskStepOutput): Json {
  const text = output instanceof StreamingAgentChatResponse ? { streaming: true } : { output: String(output) }
  return { input: taskStep.input, ...text, is_last: isLast, n_next: nextSteps.length }
}

export async function agentScript(given: Json, made: Stage = stageOf(given)): Promise<Json> {
  const { agent: runner, worker, model, log, queries } = made
  const agent = runner as Json
  const ids = new Map<string, string>()
  const id = (name: string) => ids.get(name) ?? name
  const withId = worker instanceof GraphWorker
  const listed = (output: TaskStepOutput) => ({
    ...fromStep(output),
    ...(withId && { step_id: output.taskStep.stepId }),
  })
  const stepOptions = ({ task, input, step, tool_choice }: Json) => ({
    ...(input !== undefined && { input }),
    ...(step !== undefined && {
      step: typeof step === 'string' ? step : runner.getUpcomingSteps(id(task))[step.upcoming],
    }),
    ...(tool_choice !== undefined && { toolChoice: tool_choice }),
  })
  const chatOptions = ({ chat_history, tool_choice }: Json) => ({
    ...(chat_history && { chatHistory: chat_history.map(toMessage) }),
    ...(tool_choice !== undefined && { toolChoice: tool_choice }),
  })
  const extra = (task: string): Json => runner.getTask(id(task)).extraState
  const templates = (prompts: Json) =>
    Object.fromEntries(Object.entries(prompts).map(([key, prompt]) => [key, (prompt as PromptTemplate).getTemplate()]))
  const calls: Record<string, (call: Json) => unknown> = {
    chat: async (call) => fromAnswer(await agent.chat(call.message, chatOptions(call))),
    stream_chat: async (call) => fromAnswer(await agent.streamChat(call.message, chatOptions(call))),
    create_task: async (call) => {
      const { taskId, input } = await runner.createTask(call.input, {
        ...(call.task_id && { taskId: call.task_id }),
        ...(call.extra_state && { extraState: call.extra_state }),
      })
      ids.set(call.as, taskId)
      return { input }
    },
    run_step: async (call) => fromStep(await agent.runStep(id(call.task), stepOptions(call))),
    stream_step: async (call) => fromStep(await agent.streamStep(id(call.task), stepOptions(call))),
    finalize_response: async ({ task, step }) => {
      const output = step === undefined ? undefined : runner.getCompletedSteps(id(task))[step]
      return fromAnswer(await runner.finalizeResponse(id(task), output))
    },
    undo_step: ({ task }) => runner.undoStep(id(task)),
    delete_task: ({ task }) => runner.deleteTask(id(task)),
    reset: () => agent.reset(),
    get_upcoming_steps: ({ task }) =>
      runner
        .getUpcomingSteps(id(task))
        .map(({ input, isReady, stepId }) => ({ input, is_ready: isReady, ...(withId && { step_id: stepId }) })),
    get_completed_steps: ({ task }) => runner.getCompletedSteps(id(task)).map(listed),
    get_completed_step: ({ task, index, step_id }) => {
      const stepId = step_id ?? runner.getCompletedSteps(id(task))[index]!.taskStep.stepId
      return listed(runner.getCompletedStep(id(task), stepId))
    },
    run_steps_in_queue: async ({ task }) => (await agent.runStepsInQueue(id(task))).map(listed),
    list_tasks: () => runner.listTasks().map(({ input }) => input),
    n_tasks: () => runner.state.taskDict.size,
    get_task: ({ task }) => ({ input: runner.getTask(id(task)).input }),
    chat_history: () => agent.chatHistory.map(fromMessage),
    new_memory: ({ task }) => extra(task).new_memory.getAll().map(fromMessage),
    sources: ({ task }) => extra(task).sources.map(({ content }: ToolOutput) => content),
    reasoning: ({ task }) => extra(task).current_reasoning.map(reasoningText),
    extra_state: ({ task, keys }) =>
      Object.fromEntries(
        keys.filter((key: string) => key in extra(task)).map((key: string) => [key, extra(task)[key]]),
      ),
    get_prompts: () => templates(agent.getPrompts()),
    worker_get_prompts: () => templates(worker.getPrompts()),
    update_prompts: ({ prompts }) =>
      agent.updatePrompts(
        Object.fromEntries(
          Object.entries(prompts).map(([key, template]) => [key, new PromptTemplate({ template: template as string })]),
        ),
      ),
    query: async ({ query }) => ({ response: (await agent.query(query)).response }),
    get_tools: async ({ input }) => (await worker.getTools(input)).map(({ metadata }: Tool) => metadata.name),
    repl: async ({ inputs, streaming }) => {
      let prompts = 0
      let shown = ''
      const io = {
        input: () => inputs[prompts++],
        output: (text: string) => {
          shown += text
        },
      }
      await (streaming ? agent.streamingChatRepl(io) : agent.chatRepl(io))
      const replies = [...shown.matchAll(/Assistant: ([^\n]*)/g)].map(([, reply]) => reply)
      return { n_prompts: prompts, replies }
    },
    step_order: () => worker.order,
    finalized: () => worker.finalized,
  }
  const all = await results(given.calls, (call) => {
    const run = calls[call.call]
    if (!run) throw new Error(`unknown call ${call.call}`)
    return run(call)
  })
  const record: string[] = given.record ?? []
  const recorded: Record<string, () => unknown> = {
    llm_calls: () => model.calls,
    n_llm_calls: () => model.calls.length,
    history: () => agent.chatHistory.map(fromMessage),
    events: () => log.events,
    retriever_queries: () => queries,
  }
  const extras = record.flatMap((key) => (recorded[key] ? [[key, recorded[key]()] as const] : []))
  return { results: wanted(all), ...Object.fromEntries(extras) }
}

/** The error of a failed call is compared by its name; messages are for reading. */
function wanted(all: Json[]): Json[] {
  return all.map(({ message: _, ...result }) => result)
}

export type { Stage }
export { EventLog, GraphWorker, stageOf, toolFunctions }
