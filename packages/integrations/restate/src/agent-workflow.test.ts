import * as restate from '@restatedev/restate-sdk'
import {
  type AgentEvent,
  AgentTool,
  FunctionCallingAgent,
  FunctionTool,
  journalPort,
  structured,
  type ToolDecision,
} from '@x/agents'
import { type CallbackHandler, CallbackManager } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { agentOf, calls, failureOf, schema, scripted, tools } from '../test/scripted.ts'
import type { EventMark } from './agent-run.ts'
import { type AgentStatus, type AgentWorkflowOptions, agentWorkflow, reportOnce } from './index.ts'

type Made = Omit<AgentWorkflowOptions, 'restate' | 'name'>

const use = useRestate()
const deploy = (options: Made) => use((name, made: Made) => [agentWorkflow({ restate, name, ...made })], options)

describe('a run', () => {
  it('answers, and a second submission attaches to the first', async () => {
    const { note, ran } = tools()
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'note', { to: 'Ann' }]), 'Done.'), [note]) })
    expect(await app.status()).toEqual({ state: 'unknown', step: 0, calls: [] })
    expect((await app.send({ input: 'Go!', context: { user: 'me' } })).status).toBe('Accepted')
    expect((await app.send()).status).toBe('PreviouslyAccepted')
    await app.reaches('finished')
    expect(await app.attach()).toMatchObject({
      response: 'Done.',
      sources: [{ content: 'note Ann', tool_name: 'note' }],
    })
    expect(ran).toEqual(['note Ann task/1/0'])
    expect(await app.status()).toEqual({ state: 'finished', step: 2, calls: [] })
  })

  it('records its calls and three entries of state', async () => {
    const { note } = tools()
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'note', { to: 'Ann' }]), 'Done.'), [note]) })
    await app.run()
    const run = ['Command: Run', 'Notification: Run']
    const state = 'Command: SetState'
    expect(await app.entries()).toEqual([
      ...['Command: Input', state, ...run, state],
      ...[...run, ...run, state, 'Command: Output'],
    ])
  })

  it('is running when it has started, before anything is known about its steps', async () => {
    const app = await deploy({ agent: agentOf(scripted(new Promise<never>(() => {})), []) })
    await app.send()
    expect(await app.reaches('running')).toEqual({ state: 'running', step: 0, calls: [] })
    await app.cancel()
    await app.reaches('cancelled')
  })

  it('returns a structured answer and its usage', async () => {
    const output = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
    const llm = scripted(calls(['a', 'final_answer', { city: 'Lima' }]))
    const app = await deploy({ agent: agentOf(llm, [], { output: structured(output) }) })
    expect(await app.run()).toMatchObject({ output: { city: 'Lima' }, usage: { modelCalls: 1 } })
  })

  it('answers when a tool returns a value without a JSON form', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const results = [circular, Number.NaN, new Map([['a', 1]]), { rows: 12n }]
    const look = FunctionTool.fromDefaults({ name: 'look', schema, fn: () => results.shift() })
    const llm = scripted(...results.map((_, i) => calls([`c${i}`, 'look', { to: 'x' }])), 'Done.')
    const app = await deploy({ agent: agentOf(llm, [look]) })
    const { response, sources } = (await app.run()) as { response: string; sources: Record<string, unknown>[] }
    expect(response).toBe('Done.')
    for (const source of sources.slice(0, 3)) expect(source['raw_output']).toBe(source['content'])
    expect(sources[3]?.['raw_output']).toEqual({ rows: 12 })
  })

  it('runs agents that are tools, whose calls wait for approval too', async () => {
    const { note, pay, ran } = tools()
    const outer = scripted(calls(['o', 'clerk', { input: 'Pay!' }]), 'Done.')
    const inner = scripted(calls(['n', 'note', { to: 'Ann' }]), calls(['p', 'pay', { to: 'Bob' }]), 'Paid.')
    const app = await deploy({
      agent: (run) => {
        const clerk = FunctionCallingAgent.fromTools({ llm: inner, tools: [note, pay] })
        return agentOf(outer, [], { tools: [new AgentTool({ agent: clerk, name: 'clerk' })] })(run)
      },
    })
    await app.send()
    expect((await app.reaches('waiting')).calls).toMatchObject([{ id: 'o/p', name: 'pay' }])
    app.endpoint.disconnect()
    await app.decide({ callId: 'o/p', type: 'approve' })
    expect((await app.attach()).response).toBe('Done.')
    expect(ran).toEqual(['note Ann task/1/0/1/0', 'pay Bob task/1/0/2/0'])
    expect([outer.calls.length, inner.calls.length]).toEqual([2, 3])
  })

  it('passes the context of the request on', async () => {
    const seen: unknown[] = []
    const look = FunctionTool.fromDefaults({
      name: 'look',
      schema,
      needsApproval: true,
      fn: (_, { context }) => {
        seen.push(context)
        return 'ok'
      },
    })
    const llm = scripted(calls(['a', 'look', { to: 'x' }]), 'Done.')
    const app = await deploy({
      agent: (run) => {
        // The handlers status and decide create the agent too.
        if (!run.context) throw new Error('nobody')
        seen.push([run.context, run.taskId])
        return agentOf(llm, [look])(run)
      },
    })
    await app.handler('run/send', { input: 'Go!', context: { user: 'me' } })
    await app.reaches('waiting')
    await app.decide({ callId: 'a', type: 'approve' })
    await app.attach()
    expect(seen.slice(0, -1)).toEqual(seen.slice(0, -1).map(() => [{ user: 'me' }, 'task']))
    expect(seen.at(-1)).toEqual({ user: 'me' })
  })

  it('runs tools at the same time, and replays them in the order in which they finished', async () => {
    const { pay, tool, ran } = tools()
    const slow = tool('slow', { slow: (to) => 60 - 20 * Number(to) })
    const guarded = { maxToolConcurrency: 3, guards: { tool: () => undefined } }
    const turn = calls(['a', 'slow', { to: '0' }], ['b', 'slow', { to: '1' }], ['c', 'slow', { to: '2' }])
    const llm = scripted(turn, calls(['d', 'pay', { to: 'Ann' }]), 'Done.')
    let executions = 0
    const app = await deploy({
      agent: (run) => {
        executions++
        return agentOf(llm, [slow, pay], guarded)(run)
      },
      // The server suspends the run while it waits.
      options: { inactivityTimeout: 200 },
    })
    await app.send()
    await app.reaches('waiting')
    await new Promise((resolve) => setTimeout(resolve, 600))
    executions = 0
    await app.decide({ callId: 'd', type: 'approve' })
    expect((await app.attach()).sources.map(({ content }) => content)).toEqual([
      'slow 0',
      'slow 1',
      'slow 2',
      'pay Ann',
    ])
    // By the replay; `status` has made the agent for this version once, and `decide` makes no other one.
    expect(executions).toBe(1)
    expect(ran.sort()).toEqual(['pay Ann task/2/0', 'slow 0 task/1/0', 'slow 1 task/1/1', 'slow 2 task/1/2'])
  })

  it('continues after its connection was cut, without repeating recorded calls', async () => {
    const { tool, ran } = tools()
    const release: (() => void)[] = []
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema,
      fn: async (_, { idempotencyKey }) => {
        ran.push(`wait ${idempotencyKey}`)
        if (ran.filter((line) => line.startsWith('wait')).length === 1)
          await new Promise<void>((resolve) => release.push(resolve))
        return 'waited'
      },
    })
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), calls(['b', 'wait', { to: 'x' }]), 'Done.')
    const app = await deploy({ agent: agentOf(llm, [tool('note'), wait]) })
    const running = app.run()
    while (release.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    app.endpoint.disconnect()
    expect((await running).response).toBe('Done.')
    expect(ran).toEqual(['note Ann task/1/0', 'wait task/2/0', 'wait task/2/0'])
  })
})

describe('decisions', () => {
  const llm = () => scripted(calls(['a', 'pay', { to: 'Ann' }], ['b', 'pay', { to: 'Bob' }]), 'Done.')

  it('are waited for, may arrive in any order, and count once', async () => {
    const { pay, ran } = tools()
    const app = await deploy({ agent: agentOf(llm(), [pay]) })
    await app.send()
    const { calls: waiting } = await app.reaches('waiting')
    const asked = { name: 'pay', awaits: 'approval', approvalId: expect.any(String) }
    expect(waiting).toEqual([
      { ...asked, id: 'a', arguments: '{"to":"Ann"}' },
      { ...asked, id: 'b', arguments: '{"to":"Bob"}' },
    ])
    expect(ran).toEqual([])
    await app.decide({ callId: 'b', type: 'reject', reason: 'no' })
    expect(await failureOf(app.decide({ callId: 'b', type: 'approve' }))).toMatchObject({
      status: 409,
      code: 'approval',
    })
    await app.decide({ callId: 'a', type: 'edit', arguments: { to: 'Eve' } })
    const answer = await app.attach()
    expect(answer.sources.map(({ content }) => content)).toEqual([
      'pay Eve',
      'Error: the user has rejected this call: no',
    ])
    expect(ran).toEqual(['pay Eve task/1/0'])
  })

  it('are refused if they are malformed or no call waits for them', async () => {
    const { pay } = tools()
    const app = await deploy({ agent: agentOf(llm(), [pay]) })
    const wrong: unknown[] = [{ type: 'approve' }, { callId: 'a', type: 'accept' }]
    for (const decision of wrong)
      expect(await failureOf(app.decide(decision))).toMatchObject({ status: 400, code: 'configuration' })
    expect(await failureOf(app.decide({ callId: 'a', type: 'approve' }))).toMatchObject({
      status: 409,
      code: 'approval',
    })
  })

  it('may be repeated if the arguments do not fit the tool', async () => {
    const { pay, ran } = tools()
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }]), 'Done.'), [pay]) })
    await app.send()
    await app.reaches('waiting')
    await app.decide({ callId: 'a', type: 'edit', arguments: { to: {} } })
    let status: AgentStatus
    do status = await app.status()
    while (!status.calls[0]?.refused)
    expect(status.calls[0].refused).toMatchObject({ code: 'tool_input' })
    expect(status.calls[0].refused.message).toContain('to: expected a string')
    expect(status.calls[0].refused.count).toBe(1)
    await app.decide({ callId: 'a', type: 'approve' })
    expect((await app.attach()).response).toBe('Done.')
    expect(ran).toEqual(['pay Ann task/1/0'])
  })

  it('provide the results of external tools', async () => {
    const ask = FunctionTool.external({ name: 'ask', schema })
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'ask', { to: 'Ann' }]), 'Done.'), [ask]) })
    await app.send()
    expect((await app.reaches('waiting')).calls[0]?.awaits).toBe('result')
    await app.decide({ callId: 'a', type: 'result', result: { colour: 'green' } } satisfies ToolDecision)
    expect((await app.attach()).sources[0]?.content).toBe('{"colour":"green"}')
  })
})

describe('errors', () => {
  it('are repeated by the engine if they are retryable, after retryAfterMs', async () => {
    const busy = () => new ModelCallError('busy', { kind: 'overloaded', retryAfterMs: 30 })
    const llm = scripted(busy(), busy(), 'Done.')
    const app = await deploy({ agent: agentOf(llm) })
    expect((await app.run()).response).toBe('Done.')
    expect(llm.calls.length).toBe(3)
  })

  it('end the run when they were repeated as often as allowed', async () => {
    const busy = () => new ModelCallError('busy', { kind: 'overloaded' })
    const llm = scripted(busy(), busy(), 'never')
    const app = await deploy({ agent: agentOf(llm), retry: { maxRetryAttempts: 2 } })
    expect(await failureOf(app.run())).toEqual({ status: 500, code: 'retries_exhausted', message: 'busy' })
    expect(llm.calls.length).toBe(2)
    expect(await app.status()).toMatchObject({ state: 'failed', error: { code: 'retries_exhausted', message: 'busy' } })
  })

  it.each([
    ['of the run', { maxIterations: 1 }, 'max_iterations'],
    ['of a guard', { guards: { input: () => ({ block: 'secrets' }) } }, 'guard_blocked'],
  ])('%s end the run immediately', async (_, options, code) => {
    const { note } = tools()
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), 'never')
    const app = await deploy({ agent: agentOf(llm, [note], options) })
    expect(await failureOf(app.run())).toMatchObject({ code })
    expect(await app.status()).toMatchObject({ state: 'failed', error: { code } })
  })

  it('of other code end the run immediately, also when they are replayed', async () => {
    const llm = scripted(new TypeError('a bug'), 'never')
    const app = await deploy({ agent: agentOf(llm) })
    expect(await failureOf(app.run())).toEqual({ status: 500, code: 'error', message: 'a bug' })
    expect(llm.calls.length).toBe(1)
  })

  it('of the function that creates the agent are repeated', async () => {
    let attempts = 0
    let isReady = false
    const app = await deploy({
      agent: (run) => {
        attempts++
        if (!isReady) throw new Error('no key')
        return agentOf(scripted('Done.'))(run)
      },
    })
    await app.send()
    const { error } = await app.reaches('refused')
    expect(error).toMatchObject({ code: 'agent_setup', causes: 'no key' })
    isReady = true
    expect((await app.attach()).response).toBe('Done.')
    expect(attempts).toBeGreaterThan(1)
  })

  it('of wrong options of the agent end the run immediately', async () => {
    let attempts = 0
    const app = await deploy({
      agent: (run) => {
        attempts++
        return agentOf(scripted('never'), [], { maxStep: 3 } as never)(run)
      },
    })
    const metadata = { code: 'agent_setup', causes: expect.stringContaining('maxStep') }
    await expect(app.run()).rejects.toMatchObject({ data: { metadata } })
    expect(attempts).toBe(1)
  })

  it('of tools are outputs', async () => {
    const broken = FunctionTool.fromDefaults({
      name: 'broken',
      schema,
      fn: (): string => {
        throw new Error('no paper')
      },
    })
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'broken', { to: 'x' }]), 'Sorry.'), [broken]) })
    expect(await app.run()).toMatchObject({
      response: 'Sorry.',
      sources: [{ content: 'Error: no paper', is_error: true }],
    })
  })

  it('end the run when a tool returns more than the engine can record', async () => {
    const read = FunctionTool.fromDefaults({ name: 'read', schema, fn: ({ to }) => 'x'.repeat(Number(to)) })
    const llm = scripted(calls(['a', 'read', { to: '32000000' }]), 'Never.')
    const app = await deploy({ agent: agentOf(llm, [read]) })
    const failure = await failureOf(app.run())
    expect(failure).toMatchObject({ status: 500, code: 'result_too_large' })
    expect(failure.message).toMatch(
      /^The result of "step-1\/tool-0" has 32\.0 MB as JSON; Restate records at most 30 MB/,
    )
    expect(await app.status()).toMatchObject({ state: 'failed', error: { code: 'result_too_large' } })
    expect(llm.calls).toHaveLength(1)
  })

  it('end the run when its answer is larger than the engine can record, also when it is replayed', async () => {
    const read = FunctionTool.fromDefaults({ name: 'read', schema, fn: () => 'x'.repeat(10_000_000) })
    const { pay } = tools()
    const llm = scripted(
      calls(['a', 'read', { to: 'x' }], ['b', 'read', { to: 'x' }]),
      calls(['c', 'pay', { to: 'Ann' }]),
      'Done.',
    )
    const app = await deploy({ agent: agentOf(llm, [read, pay]) })
    await app.send()
    await app.reaches('waiting')
    app.endpoint.disconnect()
    await app.decide({ callId: 'c', type: 'approve' })
    expect(await failureOf(app.attach())).toMatchObject({ code: 'result_too_large' })
    expect((await app.status()).error).toMatchObject({ message: expect.stringMatching(/^The answer of task "task"/) })
  })

  it('of requests name the invalid part', async () => {
    const app = await deploy({ agent: agentOf(scripted()) })
    expect(await failureOf(app.run({ question: 'x' }))).toMatchObject({ status: 400, code: 'configuration' })
    expect(await failureOf(app.run({ input: 'x', chatHistory: 'y' }, 'other'))).toMatchObject({ status: 400 })
    expect(() => agentWorkflow({ restate, name: 'x', agnet: 1 } as never)).toThrow(
      'agentWorkflow.agnet: unknown option; did you mean agent?',
    )
    const wrong = { restate: { serve: restate.serve }, name: 'x', agent: agentOf(scripted()) }
    expect(() => agentWorkflow(wrong as never)).toThrow('restate: expected the module @restatedev/restate-sdk')
    expect(() => agentWorkflow({ restate, name: 'x' } as never)).toThrow(
      'agentWorkflow.agent: expected a function, received nothing',
    )
  })
})

describe('a cancelled run', () => {
  it('ends a run that waits for a decision', async () => {
    const { pay, ran } = tools()
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }])), [pay]) })
    const running = failureOf(app.run())
    await app.reaches('waiting')
    await app.cancel()
    expect(await running).toMatchObject({ status: 409, message: 'Cancelled' })
    expect(await app.status()).toMatchObject({ state: 'cancelled' })
    expect(ran).toEqual([])
  })

  it('aborts the tool that runs, and does not call the model again', async () => {
    let started = () => {}
    const isRunning = new Promise<void>((resolve) => {
      started = resolve
    })
    let reason: unknown
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema,
      fn: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          started()
          signal?.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          })
        }),
    })
    const llm = scripted(calls(['a', 'wait', { to: 'x' }]), 'never')
    const app = await deploy({ agent: agentOf(llm, [wait]) })
    const running = failureOf(app.run())
    await isRunning
    await app.cancel()
    expect(await running).toMatchObject({ status: 409, message: 'Cancelled' })
    expect(reason).toMatchObject({ name: 'CancelledError' })
    expect(llm.calls.length).toBe(1)
  })
})

describe('events', () => {
  it('are reported once, although the run is replayed', async () => {
    const { pay, note } = tools()
    const events: [AgentEvent, EventMark][] = []
    const ended: string[] = []
    const handler: CallbackHandler = { onEventEnd: (type) => void ended.push(type) }
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), calls(['b', 'pay', { to: 'Bob' }]), 'Done.')
    const app = await deploy({
      agent: (run) =>
        agentOf(llm, [note, pay], { callbackManager: new CallbackManager([reportOnce(run, handler)]) })(run),
      onEvent: async (event, mark) => {
        events.push([event, mark])
        throw new Error('the side channel is broken')
      },
    })
    await app.send()
    await app.reaches('waiting')
    // The server ends the attempt after some time; the next attempt replays.
    app.endpoint.disconnect()
    await app.decide({ callId: 'b', type: 'approve' })
    await app.reaches('finished')
    const whole = events.filter(([{ type }]) => !type.endsWith('_delta'))
    expect(whole.map(([{ type }]) => type)).toEqual([
      ...['step_start', 'usage', 'tool_call', 'tool_result', 'step_end'],
      ...['step_start', 'usage', 'approval_required', 'step_end'],
      ...['step_start', 'tool_call', 'tool_result', 'step_end'],
      ...['step_start', 'usage', 'step_end', 'task_end'],
    ])
    expect(whole.map(([, { position }]) => position)).toEqual(whole.map((_, i) => i))
    expect(whole.map(([, { step }]) => step)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])
    expect(new Set(events.map(([, { attempt }]) => attempt)).size).toBe(2)
    expect(ended.filter((type) => type === 'task_step').length).toBe(4)
    expect(ended.filter((type) => type === 'function_call').length).toBe(2)
  })
})

describe('an upgrade of the code with a run in flight', () => {
  const start = async (options: Pick<Made, 'options'> = {}) => {
    const { pay, note, ran } = tools()
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), calls(['b', 'pay', { to: 'Bob' }]), 'Done.')
    const earlier = { agent: agentOf(llm, [note, pay]), ...options }
    const app = await deploy(earlier)
    await app.send()
    await app.reaches('waiting')
    const upgrade = (options: Made) => {
      app.upgrade(options)
      app.endpoint.disconnect()
    }
    const approve = () => app.decide({ callId: 'b', type: 'approve' })
    return { app, llm, pay, note, ran, upgrade, approve, restore: () => upgrade(earlier) }
  }
  const allRan = ['note Ann task/1/0', 'pay Bob task/2/0']

  it('finishes the run if tools were added', async () => {
    const { app, llm, pay, note, ran, upgrade, approve } = await start()
    upgrade({ agent: agentOf(llm, [tools().tool('more'), pay, note]) })
    await approve()
    expect((await app.attach()).response).toBe('Done.')
    expect(ran).toEqual(allRan)
  })

  it.each([
    ['a tool was removed', 'its tool "note" was removed'],
    ['a tool has different parameters', 'its tool "note" has changed from "'],
    ['the version is different', 'its version has changed from "" to "2"'],
  ])('refuses the run if %s, until the earlier code is served again', async (_, message) => {
    const { app, llm, pay, note, ran, upgrade, approve, restore } = await start()
    const none = { type: 'object', properties: {} } as const
    const changed = FunctionTool.fromDefaults({ name: 'note', schema: none, fn: () => '' })
    if (message.includes('removed')) upgrade({ agent: agentOf(llm, [pay]) })
    else if (message.includes('note')) upgrade({ agent: agentOf(llm, [changed, pay]) })
    else upgrade({ agent: agentOf(llm, [note, pay]), version: '2' })
    const refused = await app.status()
    expect(refused).toMatchObject({
      state: 'refused',
      step: 2,
      error: { code: 'run_changed', name: 'RunChangedError' },
    })
    expect(refused.error?.message).toContain(message)
    expect(await failureOf(approve())).toMatchObject({ status: 409, code: 'run_changed' })
    expect(ran).toEqual(['note Ann task/1/0'])
    restore()
    await approve()
    expect((await app.attach()).response).toBe('Done.')
    expect(ran).toEqual(allRan)
  })

  it('continues the run with any code that makes the same call, if nothing is recorded yet', async () => {
    const llm = scripted(new Promise<never>(() => {}), 'Done.')
    const app = await deploy({ agent: agentOf(llm, [tools().note]) })
    await app.send()
    while (llm.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    app.upgrade({ agent: agentOf(llm, []), version: '2' })
    app.endpoint.disconnect()
    expect((await app.attach()).response).toBe('Done.')
    expect(await app.status()).toMatchObject({ state: 'finished' })
  })

  it('pauses a refused run after the attempts of the retry policy; it continues with the earlier code when it is resumed', async () => {
    const retryPolicy = { maxAttempts: 2, onMaxAttempts: 'pause', initialInterval: 10 } as const
    const { app, llm, pay, approve, restore, upgrade } = await start({ options: { retryPolicy } })
    upgrade({ agent: agentOf(llm, [pay]) })
    while ((await app.invocation()).status !== 'paused') await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await app.status()).toMatchObject({ state: 'refused', error: { code: 'run_changed' } })
    restore()
    await app.operate('resume')
    await approve()
    expect((await app.attach()).response).toBe('Done.')
  })

  it('ends a refused run after the attempts of a retry policy that kills', async () => {
    const retryPolicy = { maxAttempts: 2, onMaxAttempts: 'kill', initialInterval: 10 } as const
    const { app, llm, pay, upgrade } = await start({ options: { retryPolicy } })
    upgrade({ agent: agentOf(llm, [pay]) })
    expect((await failureOf(app.attach())).message).toContain('its tool "note" was removed')
  })

  it('can be ended by an operator while it is refused, and begun anew', async () => {
    const { app, llm, pay, upgrade } = await start()
    upgrade({ agent: agentOf(llm, [pay]) })
    expect(await app.status()).toMatchObject({ state: 'refused' })
    const waiting = failureOf(app.attach())
    await app.operate('kill')
    expect(await waiting).toMatchObject({ message: 'killed' })
    expect(await app.status()).toMatchObject({ state: 'refused' })
    await app.operate('purge')
    while ((await app.status()).state !== 'unknown') await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await app.run()).response).toBe('Done.')
  })

  it('waits if its durable calls have different names, until the earlier code is served again', async () => {
    const { app, llm, pay, note, ran, upgrade, approve, restore } = await start()
    let attempts = 0
    upgrade({
      agent: (run) => {
        attempts++
        return agentOf(llm, [note, pay])({ ...run, durable: journalPort((name, fn) => run.durable(`new/${name}`, fn)) })
      },
    })
    await approve()
    while (attempts < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(ran).toEqual(['note Ann task/1/0'])
    restore()
    expect((await app.attach()).response).toBe('Done.')
    expect(ran).toEqual(allRan)
    expect(llm.calls.length).toBe(3)
  })
})
