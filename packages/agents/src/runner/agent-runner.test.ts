import { CallbackManager, ChatMessage, type MessageContent } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it, vi } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { agentFromLlm } from '../agent/agent-from-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from '../agent/react-agent.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { journal } from '../journal.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { ReActAgentWorker } from '../worker/react-agent-worker.ts'
import { AgentRunner } from './agent-runner.ts'
import { ParallelAgentRunner } from './parallel-agent-runner.ts'

const number = { type: 'number' } as const
const add = FunctionTool.fromDefaults({
  name: 'add',
  description: 'Adds two numbers.',
  schema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
  fn: ({ a, b }) => a + b,
})
const CALL = 'Thought: add\nAction: add\nAction Input: {"a": 1, "b": 2}'
const ANSWER = 'Thought: done\nAnswer: three'

/** A model that does not answer. */
const pending = new Promise<string>(() => {})

function react(answers: readonly ScriptedAnswer[], options: Partial<ReActAgentFromToolsOptions> = {}) {
  const llm = new ScriptedLLM({ answers })
  return { llm, agent: ReActAgent.fromTools({ llm, tools: [add], ...options }) }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const list: AgentEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

describe('cancelling', () => {
  it('does not start if the signal has already aborted', async () => {
    const { llm, agent } = react([ANSWER])
    await expect(agent.chat('x', { signal: AbortSignal.abort('no') })).rejects.toMatchObject({
      code: 'abort',
      cause: 'no',
    })
    expect(llm.calls).toHaveLength(0)
  })

  it('stops a model that ignores the signal, and does not change the task and the conversation', async () => {
    const { agent } = react([pending])
    const task = await agent.createTask('x')
    const controller = new AbortController()
    const running = agent.runStep(task.taskId, { signal: controller.signal })
    await Promise.resolve()
    await expect(agent.runStep(task.taskId)).rejects.toMatchObject({ code: 'task_busy' })
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'abort' })
    expect(agent.getUpcomingSteps(task.taskId)).toHaveLength(1)
    expect(agent.chatHistory).toEqual([])
  })

  it('stops tools, even those that ignore the signal, and reports nothing to the model', async () => {
    const controller = new AbortController()
    let heard: AbortSignal | undefined
    const slow = FunctionTool.fromDefaults({
      name: 'slow',
      schema: { type: 'object', properties: {} },
      fn: (_, { signal }) => {
        heard = signal
        controller.abort()
        return new Promise(() => {})
      },
    })
    const { agent } = react(['Thought: x\nAction: slow\nAction Input: {}', ANSWER], { tools: [slow] })
    await expect(agent.chat('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'abort' })
    expect(heard?.aborted).toBe(true)
    expect(agent.chatHistory).toEqual([])
    const [task] = agent.listTasks()
    expect(agent.getUpcomingSteps(task!.taskId)).toHaveLength(1)
  })

  it('stops a stream in the middle; the step can be run again', async () => {
    const controller = new AbortController()
    const { agent } = react([['Answer: one', ' two', pending], ANSWER])
    const answer = await agent.streamChat('x', { signal: controller.signal })
    const read = async () => {
      for await (const _ of answer) controller.abort()
    }
    await expect(read()).rejects.toMatchObject({ code: 'abort' })
    await expect(answer.done).rejects.toMatchObject({ code: 'abort' })
    expect(agent.chatHistory).toEqual([])
    const [task] = agent.listTasks()
    expect((await agent.runTask(task!.taskId)).response).toBe('three')
  })
})

describe('time limits', () => {
  const never = FunctionTool.fromDefaults({
    name: 'never',
    schema: { type: 'object', properties: {} },
    timeoutMs: 5,
    fn: () => new Promise(() => {}),
  })
  const NEVER = 'Thought: x\nAction: never\nAction Input: {}'

  it('are reported to the model if a tool exceeds its own', async () => {
    const { agent } = react([NEVER, ANSWER], { tools: [never] })
    const { sources } = await agent.chat('x')
    expect(sources[0]).toMatchObject({ isError: true, content: 'Error: Tool "never" took longer than 5 ms.' })
  })

  it('throw ToolTimeoutError for tools if the policy is raise', async () => {
    const { agent } = react([NEVER], { tools: [never], onToolError: 'raise' })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'tool_timeout', milliseconds: 5 })
  })

  it('throw DeadlineExceededError for steps and runs', async () => {
    for (const timeouts of [{ stepMs: 5 }, { totalMs: 5 }]) {
      const { agent } = react([pending], { timeouts })
      await expect(agent.chat('x')).rejects.toMatchObject({ code: 'deadline_exceeded' })
      expect(agent.getUpcomingSteps(agent.listTasks()[0]!.taskId)).toHaveLength(1)
    }
  })
})

describe('an agent with limits and repairs', () => {
  it('asks for the best answer at the limit of model calls', async () => {
    const { llm, agent } = react([CALL, CALL, 'Thought: enough\nAnswer: about three'], {
      maxIterations: 2,
      onMaxIterations: 'answer',
    })
    expect((await agent.chat('x')).response).toBe('about three')
    expect(llm.calls[2]!.messages!.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('best answer'),
    })
  })

  it('uses the thought as the answer if the model still requests a tool at the limit', async () => {
    const { agent } = react([CALL, 'Thought: roughly three\nAction: add\nAction Input: {}'], {
      maxIterations: 1,
      onMaxIterations: 'answer',
    })
    expect((await agent.chat('x')).response).toBe('roughly three')
  })

  it('continues a task with a higher limit', async () => {
    const { agent } = react([CALL, ANSWER], { maxIterations: 1 })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'max_iterations', lastOutput: 'Observation: 3' })
    agent.agentWorker.maxIterations = 2
    expect((await agent.runTask(agent.listTasks()[0]!.taskId)).response).toBe('three')
  })

  it('throws RepeatedFailureError if the same call fails again and again', async () => {
    const bad = 'Thought: x\nAction: nope\nAction Input: {"a": 1}'
    const { llm, agent } = react([bad, bad, bad], { maxRepeatedFailures: 3 })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'repeated_failure', toolName: 'nope' })
    expect(llm.calls).toHaveLength(3)
  })

  it('repairs calls before the failure is reported to the model', async () => {
    const { agent } = react(['Thought: x\nAction: plus\nAction Input: {"a": 1, "b": 2}', ANSWER], {
      repairToolCall: ({ call, error }) => (error.code === 'tool_not_found' ? { ...call, name: 'add' } : null),
    })
    const { sources } = await agent.chat('x')
    expect(sources.map(({ content, isError }) => [content, isError])).toEqual([['3', false]])
  })

  it('throws errors of the repair function unchanged, and reports them once to handlers', async () => {
    const handler = new RecordingCallbackHandler()
    const broken = new TypeError('no repair')
    for (const repairToolCall of [() => Promise.reject(broken), () => fail()]) {
      const callbackManager = new CallbackManager([handler])
      const { agent, llm } = react(['Thought: x\nAction: plus\nAction Input: {}', ANSWER], {
        repairToolCall,
        callbackManager,
      })
      await expect(agent.chat('x')).rejects.toBe(broken)
      expect(llm.calls).toHaveLength(1)
    }
    const ends = handler.events.flatMap((event) => (event.phase === 'end' ? [event.payload] : []))
    expect(ends).toEqual([{ exception: broken }, null, null, { exception: broken }, null, null])
    function fail(): never {
      throw broken
    }
  })

  it('throws BudgetExceededError at the budget of calls or of reported tokens', async () => {
    const { agent } = react([CALL, CALL], { budget: { maxModelCalls: 2 } })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'budget_exceeded' })
    const { agent: other } = react([CALL], { budget: { maxTokens: 10 } })
    await expect(other.chat('x')).rejects.toMatchObject({
      code: 'budget_exceeded',
      message: expect.stringContaining('tokens'),
    })
  })

  it('uses the whole budget of tool calls, and runs no call of a turn that requests more', async () => {
    const { agent } = react([CALL, ANSWER], { budget: { maxToolCalls: 1 } })
    expect(String(await agent.chat('x'))).toBe('three')
    const { agent: without } = react([ANSWER], { budget: { maxToolCalls: 0 } })
    expect(String(await without.chat('x'))).toBe('three')

    const fn = vi.fn(() => 'ran')
    const tool = FunctionTool.fromDefaults({ name: 'act', schema: {}, fn })
    const llm = functionCallingLlm([['1', '2', '3'].map((id) => toolCall(id, 'act', {})), 'ok'])
    const native = FunctionCallingAgent.fromTools({ llm, tools: [tool], budget: { maxToolCalls: 2 } })
    await expect(native.chat('x')).rejects.toMatchObject({ code: 'budget_exceeded' })
    expect(fn).not.toHaveBeenCalled()
  })

  it('stops if stopWhen returns true, with the last output as the answer', async () => {
    const { agent } = react([CALL], { stopWhen: ({ sources }) => sources.length === 1 })
    expect((await agent.chat('x')).response).toBe('3')
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: 3'])
  })

  it('ends with the output of a returnDirect tool, but not with its failure', async () => {
    const direct = FunctionTool.fromDefaults({
      name: 'direct',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      returnDirect: true,
      fn: ({ ok }) => {
        if (!ok) throw new Error('not yet')
        return 'the answer'
      },
    })
    const call = (ok: boolean) => `Thought: x\nAction: direct\nAction Input: {"ok": ${ok}}`
    const { agent } = react([call(false), call(true)], { tools: [direct] })
    const answer = await agent.chat('x')
    expect(answer.response).toBe('the answer')
    expect(answer.sources).toHaveLength(2)
  })

  it('changes the messages for the model with a hook', async () => {
    const { llm, agent } = react([ANSWER], { prepareMessages: (messages) => messages.slice(1) })
    await agent.chat('x')
    expect(llm.calls[0]!.messages).toEqual([{ role: 'user', content: 'x', additional_kwargs: {} }])
  })
})

describe('approval', () => {
  let sent = 0
  const send = FunctionTool.fromDefaults({
    name: 'send',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    needsApproval: ({ to }) => to !== 'me',
    fn: ({ to }) => {
      sent++
      return `sent to ${to}`
    },
  })
  const SEND = 'Thought: send it\nAction: send\nAction Input: {"to": "ann"}'

  it('pauses the task, which can be saved, loaded and continued', async () => {
    sent = 0
    const { agent } = react([SEND], { tools: [send], taskStore: journal() })
    const failure = await agent.chat('x').catch((error) => error)
    expect(failure).toMatchObject({
      code: 'approval_required',
      calls: [{ id: 'call_1_0', name: 'send', arguments: { to: 'ann' } }],
    })
    const { taskId } = failure
    await expect(agent.runStep(taskId)).rejects.toMatchObject({ code: 'approval_required' })
    expect(agent.getCompletedSteps(taskId)[0]!.status).toBe('awaiting_approval')
    expect(sent).toBe(0)

    const other = react([ANSWER], { tools: [send], taskStore: journal() })
    await other.agent.loadTask(JSON.parse(JSON.stringify(agent.saveTask(taskId))))
    await expect(other.agent.approve(taskId, 'call_2')).rejects.toMatchObject({ code: 'approval' })
    await other.agent.approve(taskId, 'call_1_0')
    expect((await other.agent.runTask(taskId)).sources.map(String)).toEqual(['sent to ann'])
    expect(sent).toBe(1)
  })

  it('stops a query, whose task can be continued outside the conversation', async () => {
    const { agent } = react([SEND, ANSWER], { tools: [send] })
    const { taskId } = await agent.query('x').catch((error) => error)
    await agent.approve(taskId, 'call_1_0')
    expect(String(await agent.runTask(taskId))).toBe('three')
    expect(agent.chatHistory).toEqual([])
  })

  it('is not requested for arguments that need no approval', async () => {
    const { agent } = react([SEND.replace('ann', 'me'), ANSWER], { tools: [send] })
    expect((await agent.chat('x')).sources.map(String)).toEqual(['sent to me'])
  })

  it('is requested again for undecided calls', async () => {
    const ask = FunctionTool.fromDefaults({ name: 'ask', schema: {}, needsApproval: true, fn: () => 'done' })
    const llm = functionCallingLlm([['a', 'b'].map((id) => toolCall(id, 'ask', {})), 'ok'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [ask] })
    const { taskId } = await agent.chat('x').catch((error) => error)
    await agent.approve(taskId, 'a')
    const left = { code: 'approval_required', taskId, calls: [{ id: 'b' }] }
    await expect(agent.runTask(taskId)).rejects.toMatchObject(left)
    expect((await all(agent.runEvents('', { taskId }))).at(-1)).toMatchObject({ type: 'approval_required' })
    await agent.approve(taskId, 'b')
    expect(String(await agent.runTask(taskId))).toBe('ok')
  })

  it('reports a rejection and its reason to the model', async () => {
    const { llm, agent } = react([SEND, ANSWER], { tools: [send] })
    const { taskId } = await agent.chat('x').catch((error) => error)
    await agent.reject(taskId, 'call_1_0', 'not now')
    await agent.runTask(taskId)
    expect(llm.calls[1]!.messages!.at(-1)!['content']).toContain('not now')
  })

  it('runs the call with edited arguments', async () => {
    const { agent } = react([SEND, ANSWER], { tools: [send] })
    const { taskId } = await agent.chat('x').catch((error) => error)
    await agent.edit(taskId, 'call_1_0', { to: 'bob' })
    expect((await agent.runTask(taskId)).sources.map(String)).toEqual(['sent to bob'])
  })

  it('distinguishes several calls of one tool, and keeps the order of the turn', async () => {
    const calls = [
      toolCall('1', 'send', { to: 'ann' }),
      toolCall('2', 'send', { to: 'me' }),
      toolCall('3', 'send', { to: 'bob' }),
    ]
    const llm = functionCallingLlm([calls, 'done'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [send] })
    const { taskId, calls: waiting } = await agent.chat('x').catch((error) => error)
    expect(waiting.map(({ id }: { id: string }) => id)).toEqual(['1', '3'])
    await agent.approve(taskId, '3')
    await agent.reject(taskId, '1')
    const { sources } = await agent.runTask(taskId)
    expect(sources.map(({ content, isError }) => [content, isError])).toEqual([
      ['Error: the user has rejected this call.', true],
      ['sent to me', false],
      ['sent to bob', false],
    ])
    expect(
      agent.chatHistory.filter(({ role }) => role === 'tool').map((m) => m.additionalKwargs['tool_call_id']),
    ).toEqual(['1', '2', '3'])
  })

  it('cannot be bypassed by a repair', async () => {
    sent = 0
    const { agent } = react([SEND.replace('send\n', 'post\n'), ANSWER], {
      tools: [send],
      repairToolCall: ({ call }) => ({ ...call, name: 'send' }),
    })
    const { sources } = await agent.chat('x')
    expect(sources[0]).toMatchObject({ isError: true, toolName: 'post' })
    expect(sent).toBe(0)
  })

  it('is requested again in a fork', async () => {
    const { agent } = react([SEND], { tools: [send] })
    const { taskId } = await agent.chat('x').catch((error) => error)
    await agent.approve(taskId, 'call_1_0')
    const fork = await agent.forkTask(taskId)
    expect(agent.getPendingApprovals(fork.taskId)).toHaveLength(1)
    expect(agent.getPendingApprovals(taskId)).toHaveLength(0)
  })
})

describe('runEvents', () => {
  it('yields the same events for text and for native tool calls', async () => {
    const shape = (events: AgentEvent[]) =>
      events.flatMap(({ type }) => (type === 'reasoning' || type === 'text_delta' ? [] : [type]))
    const text = await all(react([CALL, ANSWER]).agent.runEvents('x'))
    const llm = functionCallingLlm([[toolCall('1', 'add', { a: 1, b: 2 })], 'three'])
    const native = await all(FunctionCallingAgent.fromTools({ llm, tools: [add] }).runEvents('x'))
    expect(shape(text)).toEqual([
      'step_start',
      'usage',
      'tool_call',
      'tool_result',
      'step_end',
      'step_start',
      'usage',
      'step_end',
      'task_end',
    ])
    expect(shape(native)).toEqual(shape(text))
    for (const events of [text, native]) {
      const deltas = events.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []))
      expect(deltas.join('')).toBe('three')
    }
  })

  it('ends after the request for approval; a second run continues the task', async () => {
    const ask = FunctionTool.fromDefaults({
      name: 'ask',
      schema: { type: 'object', properties: {} },
      needsApproval: true,
      fn: () => 'ok',
    })
    const { agent } = react(['Thought: x\nAction: ask\nAction Input: {}', ANSWER], { tools: [ask] })
    const first = await all(agent.runEvents('x'))
    const asked = first.find((event) => event.type === 'approval_required')!
    expect(first.at(-1)!.type).toBe('step_end')
    await agent.approve(asked.taskId, asked.calls[0]!.id)
    const rest = await all(agent.runEvents('', { taskId: asked.taskId }))
    expect(rest.at(-1)).toMatchObject({ type: 'task_end', answer: { text: 'three' } })
  })

  it('yields an error as an event and throws it', async () => {
    const { agent } = react([new Error('down')])
    const seen: string[] = []
    const read = async () => {
      for await (const { type } of agent.runEvents('x')) seen.push(type)
    }
    await expect(read()).rejects.toThrow('down')
    expect(seen).toEqual(['step_start', 'error'])
  })

  it('cancels the run if the reader stops', async () => {
    const { llm, agent } = react([CALL, ANSWER])
    for await (const { type } of agent.runEvents('x')) if (type === 'step_start') break
    expect(llm.calls.length).toBeLessThan(2)
    expect(agent.chatHistory).toEqual([])
  })
})

describe('runEvents of a model that throws undefined', () => {
  it('rejects', async () => {
    const { agent } = react([Promise.reject(undefined)])
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const { type } of agent.runEvents('x')) seen.push(type)
    })()
    await expect(reading.then(() => 'ended')).rejects.toBeUndefined()
    expect(seen).toEqual(['step_start', 'error'])
  })
})

describe('agentFromLlm', () => {
  it('returns a FunctionCallingAgent or a ReActAgent, depending on the model', async () => {
    expect(agentFromLlm({ llm: functionCallingLlm(['x']) })).toBeInstanceOf(FunctionCallingAgent)
    expect(agentFromLlm({ llm: new ScriptedLLM(), tools: [add], maxFinishedTasks: 3 })).toBeInstanceOf(ReActAgent)
  })
})

describe('tasks', () => {
  it('are deleted oldest first above maxFinishedTasks, also after deletions and a reset', async () => {
    const { agent } = react(Array(9).fill(ANSWER), { maxFinishedTasks: 3 })
    const kept = () => agent.listTasks().map(({ input }) => input)
    const chat = async (...inputs: string[]) => {
      for (const input of inputs) await agent.chat(input)
    }
    await chat('a', 'b', 'c', 'd')
    expect(kept()).toEqual(['b', 'c', 'd'])
    await agent.deleteTask(agent.listTasks()[0]!.taskId)
    await agent.deleteTask(agent.listTasks()[1]!.taskId)
    await chat('e', 'f')
    expect(kept()).toEqual(['c', 'e', 'f'])
    await agent.reset()
    agent.maxFinishedTasks = 1
    await chat('g', 'h', 'i')
    expect(kept()).toEqual(['i'])
  })

  it('do not change if a worker throws synchronously', async () => {
    class Hasty extends ReActAgentWorker {
      override runStep(): never {
        throw new Error('too fast')
      }
    }
    const runner = new AgentRunner({ agentWorker: new Hasty({ llm: new ScriptedLLM() }) })
    const { taskId } = await runner.createTask('x')
    for (let i = 0; i < 2; i++) await expect(runner.runStep(taskId)).rejects.toThrow('too fast')
    expect(runner.getUpcomingSteps(taskId)).toHaveLength(1)
    await expect(runner.runStep('unknown')).rejects.toMatchObject({ code: 'task_not_found' })
  })

  it('are not created if newId throws', async () => {
    const newId = () => {
      throw new Error('no id')
    }
    const runner = new AgentRunner({ agentWorker: react([]).agent.agentWorker, newId })
    const run = async (start: () => Promise<unknown>) => start().catch(({ message }) => `rejects: ${message}`)
    for (const start of [() => runner.chat('x'), () => runner.streamChat('x'), () => runner.createTask('x')])
      expect(await run(start)).toBe('rejects: no id')
  })

  it('await any thenable of hooks and tools, tools up to their time limit', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    const later = (value?: unknown) => ({ then: (resolve: (value: unknown) => void) => setTimeout(resolve, 1, value) })
    class Foreign extends ReActAgentWorker {
      override initializeStep(task: Task): never {
        return later(super.initializeStep(task)) as never
      }
      override finalizeTask(task: Task): never {
        super.finalizeTask(task)
        return (task.input === 'x' ? later() : 'no promise') as never
      }
    }
    // biome-ignore lint/suspicious/noThenProperty: one that never settles
    const stuck = { metadata: add.metadata, takesArguments: true, timeoutMs: 5, call: () => ({ then() {} }) } as never
    const llm = new ScriptedLLM({ answers: [CALL, ANSWER, ANSWER] })
    const runner = new AgentRunner({ agentWorker: new Foreign({ llm, tools: [stuck] }) })
    const { sources } = await runner.chat('x')
    expect(sources.map(String)).toEqual([expect.stringContaining('longer than 5 ms')])
    expect(String(await runner.chat('y'))).toBe('three')
    expect(runner.chatHistory).toHaveLength(4)
  })

  it('are deleted oldest first when they finish above maxFinishedTasks', async () => {
    const { agent } = react(Array(5).fill(ANSWER), { maxFinishedTasks: 2 })
    for (const text of ['a', 'b', 'c', 'd']) await agent.chat(text)
    await agent.createTask('open')
    expect(agent.listTasks().map(({ input }) => input)).toEqual(['c', 'd', 'open'])
  })

  it.each([AgentRunner, ParallelAgentRunner])('stop when they are deleted while they run: %o', async (Runner) => {
    const forgetful = FunctionTool.fromDefaults({
      name: 'add',
      schema: { type: 'object' },
      fn: () => runner.reset(),
    })
    const llm = new ScriptedLLM({ answers: [CALL, CALL, ANSWER] })
    const runner: AgentRunner | ParallelAgentRunner = new Runner({
      agentWorker: new ReActAgentWorker({ llm, tools: [forgetful] }),
    })
    await expect(runner.chat('x')).rejects.toMatchObject({ code: 'task_not_found' })
    expect(llm.calls).toHaveLength(1)
  })

  it('throw ModelValidationError for unknown options', () => {
    expect(() => react([], { maxIteration: 3 } as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('run tools concurrently up to a limit, and keep the order of the calls', async () => {
    let running = 0
    let most = 0
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema: { type: 'object', properties: { ms: number }, required: ['ms'] },
      fn: async ({ ms }) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, ms))
        running--
        if (ms === 1) throw new Error('short')
        return ms
      },
    })
    const calls = [9, 1, 5, 3].map((ms) => toolCall(`${ms}`, 'wait', { ms }))
    const llm = functionCallingLlm([calls, 'done'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [wait], maxToolConcurrency: 3 })
    const { sources } = await agent.chat('x')
    expect(sources.map(String)).toEqual(['9', 'Error: short', '5', '3'])
    expect(most).toBe(3)
  })

  it('report a failure of a tool to handlers once, in the innermost event', async () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const down = new Error('down')
    const search = FunctionTool.fromDefaults({
      name: 'add',
      schema: { type: 'object' },
      fn: () => callbackManager.event('query', null, () => Promise.reject(down)),
    })
    const { agent } = react([CALL], { tools: [search], callbackManager, onToolError: 'raise' })
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'tool_execution', cause: down })
    const ends = handler.events.flatMap((event) => (event.phase === 'end' ? [[event.type, event.payload]] : []))
    expect(ends.filter(([type]) => type !== 'llm')).toEqual([
      ['query', { exception: down }],
      ['function_call', null],
      ['task_step', null],
      ['agent_step', null],
    ])
  })

  it('report a failure of a tool inside an agent tool to handlers once, in the innermost event', async () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const down = new Error('down')
    const search = FunctionTool.fromDefaults({ name: 'search', schema: {}, fn: () => Promise.reject(down) })
    const turns = { callbackManager, onToolError: 'raise' } as const
    const inner = react(['Action: search\nAction Input: {}'], { ...turns, tools: [search] }).agent
    const ask = FunctionTool.fromDefaults({ name: 'add', schema: {}, fn: () => inner.chat('y') })
    await expect(react([CALL], { ...turns, tools: [ask] }).agent.chat('x')).rejects.toMatchObject({ cause: down })
    const ends = handler.events.flatMap((event) => (event.phase === 'end' ? [[event.type, event.payload]] : []))
    expect(ends).toEqual([
      ['function_call', { exception: down }],
      ['task_step', null],
      ['agent_step', null],
      ['function_call', null],
      ['task_step', null],
      ['agent_step', null],
    ])
  })

  it('report queries to handlers and leave no task', async () => {
    const handler = new RecordingCallbackHandler()
    const { agent } = react([ANSWER], { callbackManager: new CallbackManager([handler]) })
    expect(String(await agent.query('x'))).toBe('three')
    expect(agent.listTasks()).toEqual([])
    expect(handler.summary().map(([phase, type]) => `${phase} ${type}`)).toEqual([
      'start agent_step',
      'start task_step',
      'end task_step',
      'end agent_step',
    ])
  })

  it('read the answer from a message with parts', async () => {
    const content: MessageContent = [
      { type: 'text', text: 'Answer: ' },
      { type: 'text', text: 'yes' },
    ]
    const { agent } = react([new ChatMessage({ role: 'assistant', content })])
    expect(await agent.chat('x')).toBeInstanceOf(AgentChatResponse)
    expect(agent.chatHistory.at(-1)!.content).toBe('yes')
  })
})
