import { type BaseLLM, type ChatMessage, isToolkitError, type ObjectRetrieveOptions } from '@x/core-model'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { ConversationBusyError, MaxIterationsError, TaskClaimedError } from '../errors.ts'
import {
  AgentChatResponse,
  type AgentEvent,
  AgentRunner,
  AgentTool,
  agentFromLlm,
  FunctionCallingAgent,
  FunctionTool,
  type PendingToolCall,
  ReActAgent,
  RetrieverTool,
  type Task,
  type Tool,
  type ToolCallContext,
} from '../index.ts'
import { keepWithin } from '../layers/keep-within.ts'
import { structured } from '../layers/structured.ts'
import type { StepPlan } from '../loop/hooks.ts'
import { eventsOf, type StepEvent, toolLoop } from '../loop.ts'
import {
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
  type GuardContext,
  type LoopState,
  type SummaryRequest,
} from '../protocol.ts'
import type { CallEventOf } from '../tool/typed-tools.ts'

interface Session {
  user: string
}
interface Database {
  query: (sql: string) => string
}

declare const llm: BaseLLM
declare const image: ChatMessage

const schema = { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] } as const
const order = FunctionTool.fromDefaults({
  name: 'order',
  schema,
  fn: ({ product }, { context }: ToolCallContext<Session>) => `${product} for ${context.user}`,
})
const search = FunctionTool.fromDefaults({
  name: 'search',
  schema,
  fn: ({ product }, { context }: ToolCallContext<Database>) => context.query(product),
})
const time = FunctionTool.fromDefaults({ name: 'time', schema: { type: 'object', properties: {} }, fn: () => 'noon' })

it('an agent needs the context of its tools', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [order, time] })
  const context = { user: 'Ann' }
  agent.chat('Tea!', { context })
  agent.chat([{ type: 'text', text: 'Tea!' }], { context, toolChoice: 'time' })
  agent.chat(image, { context })
  agent.conversation().streamChat('Tea!', { context })
  agent.runEvents('Tea!', { context, stream: false })
  agent.runStep('t', { context })
  // @ts-expect-error: the context is missing
  agent.chat('Tea!')
  // @ts-expect-error: the context is missing
  agent.streamChat('Tea!', { toolChoice: 'auto' })
  // @ts-expect-error: the user is missing
  agent.chat('Tea!', { context: {} })
  // @ts-expect-error: the user is a string
  agent.runEvents('Tea!', { context: { user: 5 } })
  // @ts-expect-error: the context is missing
  agent.conversation().chat('Tea!')
  // @ts-expect-error: the context is missing
  agent.runTask('t')
  // @ts-expect-error: the context is missing
  agent.streamTask('t', {})
  // @ts-expect-error: the context is missing
  agent.runStep('t')
  // @ts-expect-error: the context is missing
  agent.query('Tea?')
  // @ts-expect-error: the context is missing
  agent.asQueryComponent()
})

it('the contexts of different tools are needed together', () => {
  for (const agent of [
    FunctionCallingAgent.fromTools({ llm, tools: [order, search, time] }),
    agentFromLlm({ llm, tools: [order, search, time] }),
  ]) {
    agent.chat('Tea!', { context: { user: 'Ann', query: () => '' } })
    // @ts-expect-error: there is no database
    agent.chat('Tea!', { context: { user: 'Ann' } })
  }
})

it('tools without a context accept calls without a context', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [time] })
  agent.chat('What time is it?')
  agent.chat('What time is it?', { context: 'anything' })
  ReActAgent.fromTools({ llm }).runTask('t')
  const dynamic: readonly Tool[] = [order]
  ReActAgent.fromTools({ llm, tools: dynamic }).chat('Tea!')
})

it('an agent as a tool needs the context of its agent', () => {
  const shop = new AgentTool({ agent: ReActAgent.fromTools({ llm, tools: [order] }), name: 'shop' })
  const agent = ReActAgent.fromTools({ llm, tools: [shop, search] })
  agent.chat('Tea!', { context: { user: 'Ann', query: () => '' } })
  // @ts-expect-error: the shop needs a user
  agent.chat('Tea!', { context: { query: () => '' } })
  // @ts-expect-error: neither tool has this name
  agent.chat('Tea!', { context: { user: 'Ann', query: () => '' }, toolChoice: 'shopping' })
})

it('hooks receive the context of the tools, or require a context of their own', () => {
  ReActAgent.fromTools({
    llm,
    tools: [order],
    prepareStep: ({ context }) => {
      expectTypeOf(context).toEqualTypeOf<Session>()
      return null
    },
    guards: { input: (_, { context }) => ({ replace: context.user }) },
    stopWhen: ({ context }) => context.user === 'Ann',
    repairToolCall: ({ call, context }) => ({ ...call, arguments: { user: context.user } }),
    prepareMessages: (messages, _, { user }) => (user === 'Ann' ? messages : []),
  })
  const agent = FunctionCallingAgent.fromTools({
    llm,
    tools: [time],
    prepareStep: ({ context }: StepPlan<Session>) => ({ modelOptions: { headers: { user: context.user } } }),
  })
  agent.chat('x', { context: { user: 'Ann' } })
  // @ts-expect-error: the hook needs a user
  agent.chat('x')
  const guarded = ReActAgent.fromTools({
    llm,
    tools: [order],
    guards: { answer: (_, { context }: GuardContext<Database>) => ({ replace: context.query('') }) },
  })
  guarded.chat('x', { context: { user: 'Ann', query: () => '' } })
  // @ts-expect-error: the tool needs a user
  guarded.chat('x', { context: { query: () => '' } })
})

it('a tool choice is the name of a tool if the names are known', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [order, time] })
  const context = { user: 'Ann' }
  for (const toolChoice of ['auto', 'none', 'required', 'order', 'time', { type: 'web_search' }] as const)
    agent.chat('x', { context, toolChoice })
  // @ts-expect-error: no tool has this name
  agent.chat('x', { context, toolChoice: 'ordr' })
  const tools: readonly FunctionTool[] = []
  ReActAgent.fromTools({ llm, tools }).chat('x', { toolChoice: 'any name' })
  FunctionCallingAgent.fromTools({ llm, toolRetriever: { retrieve: () => [] } }).chat('x', { toolChoice: 'any name' })
})

it('the default tool choice and prepareStep use names of tools if they are known', () => {
  const tools = [order, time] as const
  ReActAgent.fromTools({ llm, tools, defaultToolChoice: 'order', prepareStep: () => ({ tools: ['order', 'time'] }) })
  FunctionCallingAgent.fromTools({ llm, tools, prepareStep: async () => ({ toolChoice: 'time' }) })
  FunctionCallingAgent.fromTools({ llm, tools: [time], prepareStep: () => ({ tools: [search], toolChoice: 'search' }) })
  agentFromLlm({ llm, tools, defaultToolChoice: 'required', prepareStep: () => ({ tools: [search, 'time'] }) })
  // @ts-expect-error: no tool has this name
  ReActAgent.fromTools({ llm, tools, defaultToolChoice: 'ordr' })
  // @ts-expect-error: no tool has this name
  agentFromLlm({ llm, tools, defaultToolChoice: 'ordr' })
  // @ts-expect-error: no tool has this name
  ReActAgent.fromTools({ llm, tools, prepareStep: () => ({ tools: ['ordr'] }) })
  // @ts-expect-error: no tool has this name
  FunctionCallingAgent.fromTools({ llm, tools, prepareStep: async () => ({ toolChoice: 'ordr' }) })
  const dynamic: readonly FunctionTool[] = []
  ReActAgent.fromTools({ llm, tools: dynamic, defaultToolChoice: 'x', prepareStep: () => ({ tools: ['y'] }) })
  ReActAgent.fromTools({ llm, toolRetriever: { retrieve: () => [] }, prepareStep: () => ({ toolChoice: 'z' }) })
})

it('retrievers and summaries can require a context of the run', () => {
  const toolRetriever = {
    retrieve: (_: string, { context }: ObjectRetrieveOptions<Session> = {}) => (context?.user ? [time] : []),
  }
  const agent = ReActAgent.fromTools({ llm, toolRetriever })
  agent.chat('x', { context: { user: 'Ann' } })
  // @ts-expect-error: the retriever needs a user
  agent.chat('x')
  const summarizing = FunctionCallingAgent.fromTools({
    llm,
    tools: [order],
    contextWindow: keepWithin({
      summarize: ({ context }: SummaryRequest<Session>) => context.user,
    }),
  })
  summarizing.chat('x', { context: { user: 'Ann' } })
  const own = ReActAgent.fromTools({
    llm,
    contextWindow: keepWithin({ summarize: ({ context }: SummaryRequest<Database>) => context.query('') }),
  })
  // @ts-expect-error: the summary needs a database
  own.chat('x')
  const find = new RetrieverTool({
    retriever: { retrieve: (_, options: ObjectRetrieveOptions<Session> = {}) => (options.context ? [] : []) },
  })
  // @ts-expect-error: the retriever needs a user
  ReActAgent.fromTools({ llm, tools: [find] }).chat('x')
})

it('answers and conversations have the output type of the schema', () => {
  const agent = ReActAgent.fromTools({ llm, output: structured(z.object({ city: z.string() })) })
  expectTypeOf(agent.chat('x')).resolves.toEqualTypeOf<AgentChatResponse<{ city: string }>>()
  expectTypeOf(agent.conversation().chat('x')).resolves.toEqualTypeOf<AgentChatResponse<{ city: string }>>()
  expectTypeOf(ReActAgent.fromTools({ llm }).chat('x')).resolves.toEqualTypeOf<AgentChatResponse<null>>()
})

it('the extra state of a task is typed', async () => {
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [time] })
  const task = await agent.createTask('x', { extraState: { cart: ['tea'] } })
  expectTypeOf(task.extraState.cart).toEqualTypeOf<string[]>()
  expectTypeOf(task.extraState.n_iterations).toEqualTypeOf<number>()
  expectTypeOf(agent.getTask('t').extraState.usage).toEqualTypeOf<LoopState['usage']>()
  expectTypeOf(ReActAgent.fromTools({ llm }).getTask('t').extraState.current_reasoning).toBeArray()
  expectTypeOf(task).toExtend<Task>()
})

it('a runner of a custom worker requires the context of the worker', () => {
  const runner = new AgentRunner<Session>({ agentWorker: ReActAgent.fromTools({ llm }).agentWorker })
  runner.chat('x', { context: { user: 'Ann' } })
  // @ts-expect-error: the context is missing
  runner.chat('x')
})

it('the steps of a custom worker declare their state and context', () => {
  interface State {
    greeted: number
  }
  class Greeter extends CustomSimpleAgentWorker {
    protected override _initializeState(): State {
      return { greeted: 0 }
    }
    protected override _runStep(_state: State, _task: Task, { context }: CustomStepOptions<Session>): CustomStepResult {
      return [new AgentChatResponse({ response: `Hello ${context.user}` }), true]
    }
  }
  const agentWorker = Greeter.fromTools({ llm })
  new AgentRunner<Session>({ agentWorker }).chat('x', { context: { user: 'Ann' } })
})

it('a tool checks the context of a direct call', () => {
  order.call({ product: 'tea' }, { context: { user: 'Ann' } })
  // @ts-expect-error: the user is a string
  order.call({ product: 'tea' }, { context: { user: 5 } })
})

it('says what a decision about a call contains', () => {
  const call = { id: 'a', name: 'pay', arguments: {}, needsApproval: true }
  const rejected: PendingToolCall = { ...call, decision: 'reject', reason: 'too much' }
  if (rejected.decision === 'reject') expectTypeOf(rejected.reason).toEqualTypeOf<string | undefined>()
  // @ts-expect-error: a result from outside is required
  const provided: PendingToolCall = { ...call, decision: 'result' }
  expectTypeOf(provided.id).toBeString()
  // @ts-expect-error: only a rejection has a reason
  const approved: PendingToolCall = { ...call, decision: 'approve', reason: 'fine' }
  expectTypeOf(approved.id).toBeString()
})

const add = FunctionTool.fromDefaults({
  name: 'add',
  schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  fn: ({ a }) => a,
})
const dated = FunctionTool.fromDefaults({
  name: 'dated',
  schema: z.object({ day: z.string().transform((day) => new Date(day)), note: z.string().default('') }),
  fn: ({ day }) => day.getTime(),
})
const find = new RetrieverTool({ name: 'find', retriever: { retrieve: () => [] } })

it('the event of a call has the arguments of its tool, as the model writes them', async () => {
  const tools = [add, dated, find] as const
  const check = async (events: AsyncIterable<AgentEvent<CallEventOf<typeof tools>>>) => {
    for await (const event of events) {
      if (event.type === 'step_end') expectTypeOf(event.isLast).toEqualTypeOf<boolean>()
      if (event.type !== 'tool_call') continue
      expectTypeOf(event.taskId).toEqualTypeOf<string>()
      if (event.toolName === 'add') expectTypeOf(event.arguments.a).toEqualTypeOf<number>()
      // @ts-expect-error: the tool has no such argument
      if (event.toolName === 'add') event.arguments.b
      if (event.toolName === 'dated') {
        expectTypeOf(event.arguments.day).toEqualTypeOf<string>()
        expectTypeOf(event.arguments.note).toEqualTypeOf<string | undefined>()
      }
      if (event.toolName === 'find') expectTypeOf(event.arguments).toEqualTypeOf<Record<string, unknown>>()
      // @ts-expect-error: no tool has this name
      if (event.toolName === 'ad') continue
    }
  }
  for (const agent of [
    ReActAgent.fromTools({ llm, tools: [add, dated, find] }),
    FunctionCallingAgent.fromTools({ llm, tools: [add, dated, find] }),
  ]) {
    check(agent.runEvents('x'))
    check(agent.conversation().runEvents('x'))
    const events: AsyncIterable<AgentEvent> = agent.runEvents('x')
    events satisfies AsyncIterable<AgentEvent>
  }
  check(agentFromLlm({ llm, tools }).runEvents('x'))
})

it('the event of a call in a loop has the arguments of its tool', () => {
  const loop = toolLoop({ llm, tools: [add, dated] })
  loop.run('x', {
    onEvent: (event) => {
      if (event.type === 'tool_call' && event.toolName === 'add')
        expectTypeOf(event.arguments.a).toEqualTypeOf<number>()
    },
  })
  expectTypeOf(eventsOf(loop, 'x').next()).resolves.toExtend<IteratorResult<StepEvent, unknown>>()
})

it('the event of a call has any arguments if a tool is not known', () => {
  const dynamic: readonly Tool[] = [add]
  for (const agent of [ReActAgent.fromTools({ llm, tools: dynamic }), ReActAgent.fromTools({ llm })])
    expectTypeOf(agent.runEvents('x')).toEqualTypeOf<AsyncGenerator<AgentEvent>>()
  toolLoop({ llm }).run('x', { onEvent: (event) => expectTypeOf(event).toEqualTypeOf<StepEvent>() })
})

it('a tool that is passed twice is an error', () => {
  // @ts-expect-error two tools have the name "add"
  ReActAgent.fromTools({ llm, tools: [add, dated, add] })
  // @ts-expect-error two tools have the name "add"
  FunctionCallingAgent.fromTools({ llm, tools: [add, add] })
  // @ts-expect-error two tools have the name "add"
  agentFromLlm({ llm, tools: [add, add] })
  const more: readonly Tool[] = [add]
  agentFromLlm({ llm, tools: [add, ...more] })
})

declare const error: unknown

it('the codes of this package narrow to its classes', () => {
  if (isToolkitError(error, 'max_iterations')) expectTypeOf(error).toEqualTypeOf<MaxIterationsError>()
  if (isToolkitError(error, 'task_claimed')) expectTypeOf(error).toEqualTypeOf<TaskClaimedError>()
  if (isToolkitError(error, 'conversation_busy')) expectTypeOf(error).toEqualTypeOf<ConversationBusyError>()
})
