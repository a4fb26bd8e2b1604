import * as restate from '@restatedev/restate-sdk'
import type { AgentEvent } from '@x/agents'
import { FunctionTool } from '@x/agents'
import { ModelCallError } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { type Answer, useRestate } from '../test/deployment.ts'
import { agentOf, calls, failureOf, schema, scripted, tools } from '../test/scripted.ts'
import type { EventMark } from './agent-run.ts'
import { type AgentStatus, type AgentStepsOptions, agentSteps } from './index.ts'

type Made = Omit<AgentStepsOptions, 'restate' | 'name'>

const use = useRestate()
const deploy = async (options: Made) => {
  const app = await use((name, made: Made) => [agentSteps({ restate, name, ...made })], options)
  return Object.assign(app, {
    start: (request: unknown = 'Go!') => app.handler<AgentStatus>('start', request),
    answer: () => app.handler<Answer>('answer'),
  })
}

describe('a task of steps', () => {
  it('returns the answer to callers before and after its end', async () => {
    const { note, ran } = tools()
    const app = await deploy({ agent: agentOf(scripted(calls(['a', 'note', { to: 'Ann' }]), 'Done.'), [note]) })
    expect(await failureOf(app.answer())).toMatchObject({ code: 'task_not_found' })
    expect(await app.start()).toEqual({ state: 'running', step: 0, calls: [] })
    const [one, other] = await Promise.all([app.answer(), app.answer()])
    expect(one).toMatchObject({ response: 'Done.', sources: [{ content: 'note Ann' }] })
    expect(other).toEqual(one)
    expect(await app.start()).toEqual({ state: 'finished', step: 2, calls: [] })
    expect(await app.answer()).toEqual(one)
    expect(ran).toEqual(['note Ann task/1/0'])
  })

  it('waits for the answer of a task that `run` starts, also over a decision, and when it was started before', async () => {
    const { note, pay, ran } = tools()
    const llm = scripted(
      calls(['a', 'note', { to: 'Ann' }]),
      calls(['b', 'pay', { to: 'Bob' }]),
      'Done.',
      new Error('a bug'),
    )
    const app = await deploy({ agent: agentOf(llm, [note, pay]) })
    const answers = [app.run(), app.run('Another question.')]
    expect((await app.reaches('waiting')).step).toBe(2)
    await app.decide({ callId: 'b', type: 'approve' })
    for (const answer of answers) expect(await answer).toMatchObject({ response: 'Done.' })
    expect(await app.run()).toMatchObject({ response: 'Done.' })
    expect(await app.start()).toMatchObject({ state: 'finished' })
    expect(ran).toEqual(['note Ann task/1/0', 'pay Bob task/2/0'])
    expect(await failureOf(app.run({ input: 'Go!' }, 'other'))).toMatchObject({ message: 'a bug' })
    expect(await failureOf(app.run({ question: 'Go!' }, 'third'))).toMatchObject({ code: 'configuration' })
  })

  it('is cancelled while `run` runs its first steps', async () => {
    const never = scripted(new Promise<never>(() => {}))
    const app = await deploy({ agent: agentOf(never) })
    const answer = failureOf(app.run())
    await app.reaches('running')
    await app.cancel()
    expect(await answer).toMatchObject({ message: 'Cancelled' })
    expect((await app.reaches('cancelled')).calls).toEqual([])
  })

  it('runs several steps in an invocation, and stops where calls wait', async () => {
    const { note, pay, ran } = tools()
    const answers = ['a', 'b', 'c', 'd'].map((id) => calls([id, 'note', { to: id }]))
    const llm = scripted(...answers, calls(['e', 'pay', { to: 'Bob' }]), 'Done.')
    const executions = new Map<number, number>()
    const app = await deploy({
      stepsPerInvocation: 3,
      agent: agentOf(llm, [note, pay]),
      onEvent: ({ type }, { step, attempt }) => {
        if (type === 'step_start') executions.set(step, attempt)
      },
    })
    await app.start()
    expect((await app.reaches('waiting')).step).toBe(5)
    await app.decide({ callId: 'e', type: 'approve' })
    expect((await app.answer()).response).toBe('Done.')
    const [one, two, three, four, five] = [...executions].sort(([a], [b]) => a - b).map(([, attempt]) => attempt)
    expect([two, three, five]).toEqual([one, one, four])
    expect(four).not.toBe(one)
    expect(ran.map((effect) => effect.split(' ')[1])).toEqual(['a', 'b', 'c', 'd', 'Bob'])
  })

  it('runs quick steps in one invocation, and starts another one after an interrupted step', async () => {
    const { note, ran } = tools()
    const llm = scripted(...['a', 'b', 'c', 'd'].map((id) => calls([id, 'note', { to: id }])), 'Done.')
    const executions = new Map<number, number[]>()
    let isCut = false
    const app = await deploy({
      agent: agentOf(llm, [note]),
      onEvent: ({ type }, { step, attempt }) => {
        if (type === 'step_start') executions.set(step, [...(executions.get(step) ?? []), attempt])
        if (isCut || type !== 'tool_result' || step !== 2) return
        isCut = true
        app.endpoint.disconnect()
      },
    })
    await app.start()
    await app.answer()
    const attempts = Array.from({ length: 5 }, (_, i) => executions.get(i + 1)!.at(-1))
    // The second execution of the first invocation runs the end of step 2, or step 3 if the end of step 2 was recorded before the
    // connection was lost.
    expect(attempts[3]).toBe(attempts[4])
    expect(attempts[3]).not.toBe(attempts[0])
    expect(new Set(ran).size).toBe(4)
  })

  it('continues a task that failed within several steps of an invocation, without repeating its calls', async () => {
    const { note, ran } = tools()
    const llm = scripted(
      calls(['a', 'note', { to: 'Ann' }]),
      new Error('power cut'),
      calls(['b', 'note', { to: 'Bob' }]),
      'Done.',
    )
    const app = await deploy({ stepsPerInvocation: 10, agent: agentOf(llm, [note]) })
    await app.start()
    expect(await failureOf(app.answer())).toMatchObject({ message: expect.stringContaining('power cut') })
    await app.handler('retry')
    expect((await app.answer()).response).toBe('Done.')
    expect(ran).toEqual(['note Ann task/1/0', 'note Bob task/2/0'])
  })

  it('continues with different code after a decision', async () => {
    const { note, pay, ran } = tools()
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), calls(['b', 'pay', { to: 'Bob' }]), 'Done.')
    const app = await deploy({ agent: agentOf(llm, [note, pay]) })
    await app.start()
    expect((await app.reaches('waiting')).calls).toMatchObject([{ id: 'b', name: 'pay' }])
    app.upgrade({ agent: agentOf(llm, [pay]), version: '2' })
    expect(await failureOf(app.decide({ callId: 'c', type: 'approve' }))).toMatchObject({
      status: 409,
      code: 'approval',
    })
    expect(await failureOf(app.decide({ callId: 'b' }))).toMatchObject({ status: 400, code: 'configuration' })
    await app.decide({ callId: 'b', type: 'edit', arguments: {} })
    expect((await app.status()).calls).toMatchObject([{ id: 'b', refused: { code: 'tool_input' } }])
    await app.decide({ callId: 'b', type: 'edit', arguments: { to: 'Eve' } })
    expect((await app.answer()).response).toBe('Done.')
    expect(ran).toEqual(['note Ann task/1/0', 'pay Eve task/2/0'])
    expect(await failureOf(app.decide({ callId: 'b', type: 'approve' }))).toMatchObject({
      status: 409,
      code: 'approval',
    })
  })

  it('fails when its state is larger than the engine can record', async () => {
    const read = FunctionTool.fromDefaults({ name: 'read', schema, fn: () => 'x'.repeat(16_000_000) })
    const app = await deploy({
      agent: agentOf(scripted(calls(['a', 'read', { to: 'x' }]), 'Never.'), [read], { maxToolOutputTokens: null }),
    })
    await app.start()
    const failure = await failureOf(app.answer())
    expect(failure).toMatchObject({ code: 'result_too_large', message: expect.stringMatching(/^Task "task" has/) })
    expect(await app.status()).toMatchObject({ state: 'failed', error: { code: 'result_too_large' } })
  })

  it('reports each event once, and its errors', async () => {
    const { note } = tools()
    const seen: [AgentEvent, EventMark][] = []
    const busy = new ModelCallError('busy', { kind: 'overloaded', retryAfterMs: 20 })
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), busy, new Error('a bug'))
    const app = await deploy({ agent: agentOf(llm, [note]), onEvent: (event, mark) => void seen.push([event, mark]) })
    await app.start({ input: 'Go!', context: { user: 'me' } })
    expect(await failureOf(app.answer())).toEqual({ status: 500, code: 'error', message: 'a bug' })
    expect(await app.status()).toEqual({
      state: 'failed',
      step: 2,
      calls: [],
      error: { code: 'error', name: 'Error', message: 'a bug' },
    })
    const whole = seen.filter(([{ type }]) => !type.endsWith('_delta'))
    // The model was called again, so the events since the last result were reported again, at their positions.
    const first = whole.filter(([, mark], i) => whole.findIndex(([, { position }]) => position === mark.position) === i)
    expect(whole.length - first.length).toBe(3)
    expect(first.map(([{ type }, { position, step }]) => `${position} ${step} ${type}`)).toEqual([
      '0 1 step_start',
      '1 1 usage',
      '2 1 tool_call',
      '3 1 tool_result',
      '4 1 step_end',
      '5 2 step_start',
      '6 2 error',
    ])
    expect(await failureOf(app.answer())).toMatchObject({ message: 'a bug' })
  })

  it('counts a step once that is retried', async () => {
    const { note, ran } = tools()
    const marks: string[] = []
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), new Error('a bug'), 'Done.')
    const onEvent = ({ type }: AgentEvent, { step, position }: EventMark) => {
      if (type === 'step_start' || type === 'task_end') marks.push(`${position} ${step} ${type}`)
    }
    const app = await deploy({ agent: agentOf(llm, [note]), onEvent })
    await app.start()
    expect(await failureOf(app.answer())).toMatchObject({ message: 'a bug' })
    await app.handler('retry')
    expect((await app.answer()).response).toBe('Done.')
    expect(await app.status()).toEqual({ state: 'finished', step: 2, calls: [] })
    expect([...new Set(marks)]).toEqual(['0 1 step_start', '5 2 step_start', '8 2 task_end'])
    expect(ran).toEqual(['note Ann task/1/0'])
  })

  it('counts events on after a decision', async () => {
    const { pay } = tools()
    const marks: string[] = []
    const app = await deploy({
      agent: agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }]), 'Done.'), [pay]),
      onEvent: ({ type }, { position }) => {
        if (type === 'step_start' || type === 'task_end') marks.push(`${position} ${type}`)
      },
    })
    await app.start()
    await app.reaches('waiting')
    await app.decide({ callId: 'a', type: 'approve' })
    await app.answer()
    expect([...new Set(marks)]).toEqual(['0 step_start', '4 step_start', '8 step_start', '11 task_end'])
  })

  it('reports the events of a step whose process ended after its last call', async () => {
    const { note } = tools()
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }]), 'Done.')
    const later: string[] = []
    let cut: EventMark | undefined
    const app = await deploy({
      agent: agentOf(llm, [note]),
      onEvent: ({ type }, mark) => {
        if (cut && mark.step === 1 && mark.attempt !== cut.attempt) later.push(type)
        if (cut || type !== 'tool_result') return
        cut = mark
        app.endpoint.disconnect()
      },
    })
    await app.start()
    await app.answer()
    expect(later).toEqual(['tool_result', 'step_end'])
  })

  it('is cancelled while it waits, and while a step runs', async () => {
    const { pay, ran } = tools()
    const waiting = await deploy({ agent: agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }])), [pay]) })
    await waiting.start()
    await waiting.reaches('waiting')
    const answer = failureOf(waiting.answer())
    await waiting.cancel()
    expect(await answer).toMatchObject({ message: 'Cancelled' })
    expect((await waiting.status()).state).toBe('cancelled')

    let started = () => {}
    const isRunning = new Promise<void>((resolve) => {
      started = resolve
    })
    const endless = FunctionTool.fromDefaults({
      name: 'endless',
      schema,
      fn: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          started()
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    const running = await deploy({ agent: agentOf(scripted(calls(['a', 'endless', { to: 'x' }])), [endless]) })
    await running.start()
    await isRunning
    await running.cancel()
    expect(await failureOf(running.answer())).toMatchObject({ message: 'Cancelled' })
    expect((await running.reaches('cancelled')).calls).toEqual([])
    expect(ran).toEqual([])
  })

  it('is deleted by forget, and has no conversation in a chat store', async () => {
    const app = await deploy({ agent: agentOf(scripted('One.', 'Two.')) })
    await app.start({ input: 'x', conversation: { id: 'ann', length: 0 } })
    expect(await failureOf(app.answer())).toMatchObject({ status: 400, code: 'configuration' })
    await app.handler('forget')
    await app.start()
    expect((await app.answer()).response).toBe('One.')
    await app.handler('forget')
    expect((await app.status()).state).toBe('unknown')
    await app.start()
    expect((await app.answer()).response).toBe('Two.')
  })

  it('refuses different code in the middle of a step, until the earlier code is served again', async () => {
    const { note, ran } = tools()
    let isBlocked = true
    const blocked = FunctionTool.fromDefaults({
      name: 'blocked',
      schema,
      fn: () => {
        ran.push('blocked')
        return isBlocked ? new Promise<string>(() => {}) : 'ok'
      },
    })
    const llm = scripted(calls(['a', 'note', { to: 'Ann' }], ['b', 'blocked', { to: 'x' }]), 'Done.')
    const earlier = { agent: agentOf(llm, [note, blocked]) }
    const app = await deploy(earlier)
    await app.start()
    while (!ran.includes('blocked')) await new Promise((resolve) => setTimeout(resolve, 5))
    isBlocked = false
    app.upgrade({ agent: agentOf(llm, [blocked]) })
    app.endpoint.disconnect()
    expect(await app.reaches('refused')).toMatchObject({ error: { code: 'run_changed' } })
    app.upgrade(earlier)
    expect((await app.answer()).response).toBe('Done.')
    expect(ran).toEqual(['note Ann task/1/0', 'blocked', 'blocked'])
  })
})
