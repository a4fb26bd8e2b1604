/**
 * The cases of the query pipeline area: components, pipelines, and agents whose steps are pipeline runs.
 */
import {
  AgentChatResponse,
  AgentFnComponent,
  AgentInputComponent,
  AgentRunner,
  ChatMemoryBuffer,
  QueryPipelineAgentWorker,
  QueryResponse,
  ReActAgent,
  ReActChatFormatter,
  ToolExecutionError,
  ToolRunnerComponent,
} from '@x/agents'
import {
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  NodeWithScore,
  QueryBundle,
  type QueryComponent,
  TextNode,
  ToolOutput,
} from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/internal'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'
import {
  ArgPackComponent,
  FnComponent,
  InputComponent,
  KwargPackComponent,
  Link,
  QueryPipeline,
  RouterComponent,
} from '@x/query-pipeline'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'
import { agentScript, CaseModel, EventLog, fromMessage, fromOutput, type Json, toMessage, toTool } from './agents.ts'

export const area: Area = {
  async check(testCase: Case) {
    const { op, given, expect } = testCase
    const run = operations[op]
    if (!run) throw new Error(`unknown operation ${op}`)
    if (expect.throws) await expectThrows(() => run(given), { error: expect.error })
    else expectEqual(await run(given), expect.value, { matchers: true })
  },
}

// ---- values ----------------------------------------------------------------------------------------------------------

function scoredNode({ id, text = '', score = null, metadata = {} }: Json): NodeWithScore {
  return new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })
}

const typed: Record<string, (value: Json) => unknown> = {
  $node: scoredNode,
  $text_node: ({ id, text }) => new TextNode({ id, text }),
  $message: toMessage,
  $chat_response: (content) => new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }) }),
  $completion: (text) => new CompletionResponse({ text }),
  $query_bundle: (queryStr) => new QueryBundle({ queryStr }),
  $response: (response) => ({ response, sourceNodes: [] }),
  $stream: (items) => streamOf(items.map(toValue)),
  $chat_delta: (delta) => new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: delta }), delta }),
  $tool_output: ({ tool_name, content, raw_input, raw_output }) =>
    new ToolOutput({ toolName: tool_name, content, rawInput: raw_input, rawOutput: raw_output }),
}

async function* streamOf(items: unknown[]): AsyncGenerator<unknown> {
  yield* items
}

function toValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(toValue)
  if (typeof value !== 'object' || value === null) return value
  const [key] = Object.keys(value)
  if (key && typed[key]) return typed[key]!(value[key])
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toValue(item)]))
}

function fromValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(fromValue)
  if (value instanceof NodeWithScore) return { $node: { id: value.id, score: value.score } }
  if (value instanceof ChatResponse) return { $chat_response: value.message.content }
  if (value instanceof CompletionResponse) return { $completion: value.text }
  if (value instanceof QueryResponse) return { $response: value.response }
  if (value instanceof ToolOutput) return { $tool_output: fromOutput(value) }
  if (value instanceof ChatMessage) return { $message: fromMessage(value) }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromValue(item)]))
}

// ---- components ------------------------------------------------------------------------------------------------------

const functions: Record<string, { fn: (inputs: Json) => unknown; required: string[]; optional?: string[] }> = {
  add1: { fn: ({ x }) => x + 1, required: ['x'] },
  add: { fn: ({ a, b }) => a + b, required: ['a', 'b'] },
  mul10: { fn: ({ x }) => x * 10, required: ['x'] },
  mul100: { fn: ({ x }) => x * 100, required: ['x'] },
  concat: { fn: ({ a, b }) => `${a}${b}`, required: ['a', 'b'] },
  upper: { fn: ({ x }) => x.toUpperCase(), required: ['x'] },
  length: { fn: ({ x }) => x.length, required: ['x'] },
  identity: { fn: ({ x }) => x, required: ['x'] },
  pair: { fn: ({ x, y }) => [x, y], required: ['x', 'y'] },
  opt_add: { fn: ({ x, y = 5 }) => 10 * x + y, required: ['x'], optional: ['y'] },
  to_list: { fn: ({ x }) => [x], required: ['x'] },
  nothing: { fn: () => null, required: ['x'] },
  to_obj: { fn: ({ x }) => ({ v: x }), required: ['x'] },
  join: { fn: ({ items }) => items.join(','), required: ['items'] },
  sum: { fn: ({ items }) => items.reduce((sum: number, item: number) => sum + item, 0), required: ['items'] },
  zero: { fn: () => 0, required: [] },
  boom: {
    fn: () => {
      throw new ToolExecutionError('boom', 'boom')
    },
    required: ['x'],
  },
}

const oneValue = (name: string | undefined) => (name ? (value: Json) => functions[name]!.fn({ x: value }) : undefined)

const answer = (response: unknown, done: boolean) => [new AgentChatResponse({ response: String(response) }), done]

const agentInputs: Record<string, (task: Json, state: Json) => unknown> = {
  task_input: (task) => ({ input: task.input }),
  count: (task, state) => ({ q: task.input, n: state.n ?? 0 }),
  state_log: (task, state) => ({ q: task.input, log: (state.log ?? []).join(',') }),
  not_dict: () => 3,
}

const agentFunctions: Record<
  string,
  (params: Json) => { required: string[]; fn: (task: Json, state: Json, inputs: Json) => unknown }
> = {
  finish_after: ({ limit }) => ({
    required: ['q', 'n'],
    fn: (_task, state, { q }) => {
      state.n = (state.n ?? 0) + 1
      return answer(`${q}-${state.n}`, state.n >= limit)
    },
  }),
  answer: () => ({
    required: ['input'],
    fn: async (_task, _state, { input }) => answer(await inputTextOrStream(input), true),
  }),
  remember: () => ({
    required: ['input'],
    fn: async (task, state, { input }) => {
      const text = await inputTextOrStream(input)
      state.memory.put(new ChatMessage({ role: 'user', content: task.input }))
      state.memory.put(new ChatMessage({ role: 'assistant', content: text }))
      return answer(text, true)
    },
  }),
  log_until: () => ({
    required: ['input'],
    fn: async (_task, state, { input }) => {
      const text = await inputTextOrStream(input)
      state.log = [...(state.log ?? []), text]
      return answer(text, text.startsWith('DONE'))
    },
  }),
  upper_in_state: () => ({
    required: ['input'],
    fn: async (_task, state, { input }) => {
      state.up = (await inputTextOrStream(input)).toUpperCase()
      return state.up
    },
  }),
  not_pair: () => ({ required: ['input'], fn: () => 'zzz' }),
  text_pair: () => ({ required: ['input'], fn: () => ['hi', true] }),
}

/** What a case wants to know besides its result. */
class Recorder {
  readonly executed: string[] = []
  readonly models: CaseModel[] = []
  /** The conversations that agents used as components have had. */
  readonly memories: RecordedMemory[] = []

  get calls(): Json[] {
    return this.models.flatMap(({ calls }) => calls)
  }
}

/** Tells of the memories that are made beside the conversation: a component's run has one of its own. */
class RecordedMemory extends ChatMemoryBuffer {
  made: RecordedMemory[] = []

  override fresh(): RecordedMemory {
    const memory = new RecordedMemory({ tokenLimit: this.tokenLimit })
    this.made.push(memory)
    return memory
  }
}

function component(given: Json, recorder: Recorder): QueryComponent {
  const partial = given.partial === undefined ? {} : { partial: toValue(given.partial) }
  switch (given.type) {
    case 'input':
      return new InputComponent(partial)
    case 'fn': {
      const { fn, required, optional = [] } = functions[given.fn]!
      const params = { required: given.req_params ?? required, optional: given.opt_params ?? optional }
      return new FnComponent({ fn, params, outputKey: given.output_key, ...partial })
    }
    case 'arg_pack':
      return new ArgPackComponent({ convertFn: oneValue(given.convert), ...partial })
    case 'kwarg_pack':
      return new KwargPackComponent({ convertFn: oneValue(given.convert), ...partial })
    case 'prompt': {
      const prompt = new PromptTemplate({ template: given.template })
      return (given.partial_format ? prompt.partialFormat(given.partial_format) : prompt).asQueryComponent(partial)
    }
    case 'chat_prompt':
      return new ChatPromptTemplate({ messageTemplates: given.messages.map(toMessage) }).asQueryComponent(partial)
    case 'llm_chat':
    case 'llm_complete': {
      const model = new CaseModel({ ...given.llm, prefix: given.prefix }, { isChatModel: given.type === 'llm_chat' })
      recorder.models.push(model)
      return model.asQueryComponent(partial)
    }
    case 'tool_runner':
      return new ToolRunnerComponent({ tools: given.tools.map(toTool), ...partial })
    case 'similarity':
      return new SimilarityPostprocessor({ similarityCutoff: given.similarity_cutoff }).asQueryComponent(partial)
    case 'router': {
      const selector = { select: () => given.selected.map((index: number) => ({ index })) }
      const components = given.components.map((inner: Json) => component(inner, recorder))
      return new RouterComponent({ selector, choices: given.choices, components, ...partial })
    }
    case 'react_agent': {
      const model = new CaseModel(given.llm)
      recorder.models.push(model)
      const memory = new RecordedMemory({ tokenLimit: 3000 })
      memory.set((given.chat_history ?? []).map(toMessage))
      recorder.memories.push(memory)
      const reactChatFormatter = new ReActChatFormatter({ systemHeader: 'H' })
      const tools = (given.tools ?? []).map(toTool)
      return ReActAgent.fromTools({ llm: model, tools, memory, reactChatFormatter }).asQueryComponent(partial)
    }
    case 'agent_input':
      return new AgentInputComponent({ fn: agentInputs[given.fn]!, ...partial })
    case 'agent_fn': {
      const { fn, required } = agentFunctions[given.fn]!(given.params ?? {})
      return new AgentFnComponent({ fn, params: { required }, ...partial })
    }
    case 'pipeline':
      return pipeline(given, recorder)
    default:
      throw new Error(`unknown component ${given.type}`)
  }
}

const conditions: Record<string, (wanted: Json) => (value: Json) => boolean> = {
  gt: (wanted) => (value) => value > wanted,
  lt: (wanted) => (value) => value < wanted,
  ge: (wanted) => (value) => value >= wanted,
  le: (wanted) => (value) => value <= wanted,
  eq: (wanted) => (value) => value === wanted,
  ne: (wanted) => (value) => value !== wanted,
  always: () => () => true,
  never: () => () => false,
  truthy: () => (value) => Boolean(value),
  even: () => (value) => value % 2 === 0,
  odd: () => (value) => value % 2 !== 0,
  contains: (wanted) => (value) => value.includes(wanted),
}

function pipeline(given: Json, recorder: Recorder): QueryPipeline {
  const made = new QueryPipeline(given.partial === undefined ? {} : { partial: toValue(given.partial) })
  const modules: [string, Json][] = given.chain
    ? given.chain.map((item: Json, i: number) => [`c${i}`, item])
    : given.modules
  for (const [key, item] of modules) {
    const inner = component(item, recorder)
    const run = inner.runComponent.bind(inner)
    inner.runComponent = (inputs, options) => {
      recorder.executed.push(key)
      return run(inputs, options)
    }
    made.add(key, inner)
  }
  if (given.chain) {
    for (let i = 1; i < modules.length; i++) made.addLinks([new Link(`c${i - 1}`, `c${i}`)])
  }
  for (const { src, dest, src_key, dest_key, condition, input_fn } of given.links ?? []) {
    made.addLink(src, dest, {
      srcKey: src_key,
      destKey: dest_key,
      ...(condition && { conditionFn: conditions[condition.op]!(condition.value) }),
      ...(input_fn && { inputFn: oneValue(input_fn) }),
    })
  }
  return made
}

// ---- operations ------------------------------------------------------------------------------------------------------

function recorded(given: Json, recorder: Recorder): Json {
  const record: string[] = given.record ?? []
  return {
    ...(record.includes('llm_calls') && { llm_calls: recorder.calls }),
    ...(record.includes('agent_histories') && {
      agent_histories: recorder.memories.flatMap(({ made }) => made.map((memory) => memory.getAll().map(fromMessage))),
    }),
  }
}

const sorted = (keys: readonly string[]) => [...keys].sort()

const operations: Record<string, (given: Json) => unknown> = {
  stringable: ({ input }) => inputTextOrStream(toValue(input)),

  'QueryComponent.keys': (given) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = component(given.component, new Recorder())
    return {
      required: sorted(inputKeys.required),
      optional: sorted(inputKeys.optional),
      free_required: sorted(freeReqInputKeys),
      output: sorted(outputKeys),
    }
  },

  'QueryComponent.run': async (given) => {
    const recorder = new Recorder()
    const output = await component(given.component, recorder).runComponent(toValue(given.input))
    return { output: fromValue(output), llm_calls: recorder.calls }
  },

  'QueryPipeline.run': async (given) => {
    const recorder = new Recorder()
    const { args = [], kwargs = {}, return_values_direct } = given.input
    const output = await pipeline(given.pipeline, recorder).run(
      { args: args.map(toValue), inputs: toValue(kwargs) },
      { returnValuesDirect: return_values_direct },
    )
    return { output: fromValue(output), executed: sorted(recorder.executed), ...recorded(given, recorder) }
  },

  'QueryPipeline.run_multi': async (given) => {
    const recorder = new Recorder()
    const output = await pipeline(given.pipeline, recorder).runMulti(toValue(given.input))
    return { output: fromValue(output), executed: sorted(recorder.executed), ...recorded(given, recorder) }
  },

  'QueryPipeline.structure': (given) => {
    const made = pipeline(given.pipeline, new Recorder())
    return { root_keys: made.getRootKeys(), leaf_keys: made.getLeafKeys(), order: made.getStaticOrder() }
  },

  'QueryPipelineAgent.script': async (given) => {
    const recorder = new Recorder()
    const log = new EventLog()
    const worker = new QueryPipelineAgentWorker({ pipeline: pipeline(given.pipeline, recorder) })
    const agent = new AgentRunner({ agentWorker: worker, callbackManager: log.manager })
    const model = {
      get calls() {
        return recorder.calls
      },
    } as unknown as CaseModel
    const value = await agentScript(given, { agent, worker, model, log, queries: [] })
    return { ...value, ...(given.record?.includes('executed') && { executed: recorder.executed }) }
  },
}
