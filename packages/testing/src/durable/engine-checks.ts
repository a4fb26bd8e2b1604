/**
 * @module
 * What every engine for durable tasks does.
 */
import type { AgentEvent, ToolDecision } from '@x/agents'
import { ChatMessage, isToolkitError, type Json, ToolkitError } from '@x/core-model'
import { isOwned, ownedId, type TaskEvents, TasksAgent, validEvents } from '@x/durable'
import { same } from '../storage/contract-check.ts'
import { type EngineCheck, throws } from './checked-engine.ts'

/** The checks of an engine, in order. */
export const engineChecks: readonly EngineCheck[] = [
  {
    name: 'runs a task, and a second submission with its id changes nothing',
    check: async (engine) => {
      const taskId = await engine.submit('plain', 'note a\nnote b, note c')
      same(taskId, engine.id('plain'))
      const answer = await engine.tasks.answer(taskId)
      same(answer.response, 'Done in 2 turns.')
      same(String(answer), answer.response)
      same(
        answer.sources.map(({ content }) => content),
        ['note a', 'note b', 'note c'],
      )
      same(answer.sources.map(String), ['note a', 'note b', 'note c'])
      same(Object.keys(answer).includes('toString'), false)
      same(await engine.tasks.status(taskId), 'finished')
      same(await engine.tasks.waiting(taskId), [])
      same(engine.effects(taskId), ['1/0 note a', '2/0 note b', '2/1 note c'])
      same(await engine.submit('plain', 'note d'), taskId)
      same((await engine.tasks.answer(taskId)).response, 'Done in 2 turns.')
      same(engine.effects(taskId).length, 3)
      const other = await engine.tasks.submit('note a')
      same((await engine.tasks.answer(other)).response, 'Done in 1 turns.')
    },
  },
  {
    name: 'throws task_not_found for an unknown task, and configuration for an id that cannot be one',
    check: async (engine) => {
      const { tasks } = engine
      const none = engine.id('none')
      for (const method of ['status', 'answer', 'waiting', 'cancel'] as const)
        await throws('task_not_found', () => tasks[method](none))
      await throws('task_not_found', () => tasks.decide(none, { callId: 'a', type: 'approve' }))
      await throws('configuration', () => tasks.submit('note a', { taskId: '' }))
      await throws('model_validation', () => tasks.submit('', { taskId: none }))
    },
  },
  {
    name: 'passes the context and earlier messages on',
    check: async (engine) => {
      const { tasks, world } = engine
      const taskId = engine.id('context')
      const context: Json = { user: 'Ann' }
      const chatHistory = [
        new ChatMessage({ role: 'user', content: 'Hello.' }),
        new ChatMessage({ role: 'assistant', content: 'Hi.' }),
      ]
      await tasks.submit('note a', { taskId, context, chatHistory })
      same((await tasks.answer(taskId)).response, 'Hello. Hi. Done in 1 turns.')
      same(world.effects.find((effect) => effect.taskId === taskId)?.context, context)
    },
  },
  {
    name: 'waits for decisions, which count once',
    check: async (engine) => {
      const { tasks } = engine
      const { taskId, calls } = await engine.waits('decisions', 'note a\npay b, pay c, pay d, ask e')
      same(
        calls.map(({ id, name, arguments: args, awaits }) => [id, name, JSON.parse(String(args)), awaits]),
        [
          ['c1-0', 'pay', { what: 'b' }, 'approval'],
          ['c1-1', 'pay', { what: 'c' }, 'approval'],
          ['c1-2', 'pay', { what: 'd' }, 'approval'],
          ['c1-3', 'ask', { what: 'e' }, 'result'],
        ],
      )
      await throws('approval', () => tasks.decide(taskId, { callId: 'none', type: 'approve' }))
      await throws('configuration', () => tasks.decide(taskId, { callId: 'c1-0' } as ToolDecision))
      await throws('configuration', () => tasks.decide(taskId, { callId: 'c1-0', type: 'accept' } as never))
      await tasks.decide(taskId, { callId: 'c1-3', type: 'result', result: { colour: 'green' } })
      await tasks.decide(taskId, { callId: 'c1-2', type: 'reject', reason: 'too much' })
      await engine.until('the decided calls', async () => (await tasks.waiting(taskId)).length === 2)
      await throws('approval', () => tasks.decide(taskId, { callId: 'c1-2', type: 'approve' }))
      same(await tasks.status(taskId), 'waiting')
      await tasks.decide(taskId, { callId: 'c1-1', type: 'edit', arguments: { what: 'less' } })
      await tasks.decide(taskId, { callId: 'c1-0', type: 'approve', by: 'Ann' })
      const { sources } = await tasks.answer(taskId)
      const contents = sources.map(({ content }) => String(content))
      same([contents[0], contents[1], contents[2], contents[4]], ['note a', 'pay b', 'pay less', '{"colour":"green"}'])
      if (!contents[3]?.includes('too much')) throw new Error(`expected the reason, received ${contents[3]}`)
      same(engine.effects(taskId).slice(1).sort(), ['2/0 pay b', '2/1 pay less'])
      await throws('approval', () => tasks.decide(taskId, { callId: 'c1-0', type: 'approve' }))
    },
  },
  {
    name: 'takes decisions that are made at the same time',
    check: async (engine) => {
      const decided = Array.from({ length: 10 }, async (_, i) => {
        const { taskId, calls } = await engine.waits(`at once ${i}`, 'pay a, pay b, pay c, pay d, pay e')
        // Two users decide about each call.
        const decisions = [...calls, ...calls].map(({ id }) =>
          engine.tasks.decide(taskId, { callId: id, type: 'approve' }),
        )
        for (const { reason } of (await Promise.allSettled(decisions)) as Partial<PromiseRejectedResult>[])
          if (reason !== undefined) same(reason.code, 'approval')
        await engine.tasks.answer(taskId)
        same(engine.effects(taskId).sort(), ['1/0 pay a', '1/1 pay b', '1/2 pay c', '1/3 pay d', '1/4 pay e'])
      })
      await Promise.all(decided)
    },
  },
  {
    name: 'refuses arguments that do not fit, and the call still waits',
    check: async (engine) => {
      const { tasks } = engine
      const { taskId } = await engine.waits('refused', 'pay a, pay b')
      const wrong = { callId: 'c0-1', type: 'edit', arguments: { what: {} } } as const
      await tasks.decide(taskId, wrong)
      await engine.until('the refusal', async () => (await tasks.waiting(taskId)).some(({ refused }) => refused))
      const [first, second] = await tasks.waiting(taskId)
      same([first?.id, first?.refused, second?.id, second?.refused?.code], ['c0-0', undefined, 'c0-1', 'tool_input'])
      same(second?.refused?.count, 1)
      await tasks.decide(taskId, wrong)
      const countOf = async () => (await tasks.waiting(taskId))[1]?.refused?.count
      await engine.until('the second refusal', async () => (await countOf()) === 2)
      await engine.approveAll(taskId)
      await tasks.answer(taskId)
      same(engine.effects(taskId).sort(), ['1/0 pay a', '1/1 pay b'])
    },
  },
  {
    name: 'lets 20 tasks wait without occupying anything',
    check: async (engine) => {
      const names = Array.from({ length: 20 }, (_, i) => `waits ${i}`)
      const waiting = await Promise.all(names.map((name) => engine.waits(name, 'pay a')))
      const other = await engine.submit('passes', 'note a')
      await engine.until('another task', async () => (await engine.tasks.status(other)) === 'finished')
      for (const { taskId } of waiting) same(await engine.tasks.status(taskId), 'waiting')
      await Promise.all(waiting.map(({ taskId }) => engine.approveAll(taskId)))
      for (const { taskId } of waiting) {
        await engine.tasks.answer(taskId)
        same(engine.effects(taskId), ['1/0 pay a'])
      }
    },
  },
  {
    name: 'throws the error of a task that failed',
    check: async (engine) => {
      const taskId = engine.id('fails')
      engine.world.broken.add(taskId)
      await engine.submit('fails', 'note a\nbreak')
      const error = await engine.tasks.answer(taskId).catch((thrown: unknown) => thrown)
      if (!(error instanceof Error) || !error.message.includes('power cut'))
        throw new Error(`expected the error of the model, received ${error}`)
      same(await engine.tasks.status(taskId), 'failed')
      await engine.tasks.cancel(taskId)
      same(await engine.tasks.status(taskId), 'failed')
    },
  },
  {
    name: 'continues a task that failed, without repeating its calls',
    needs: 'retry',
    check: async (engine) => {
      const { tasks } = engine
      const taskId = engine.id('retried')
      engine.world.broken.add(taskId)
      await engine.submit('retried', 'note a\nbreak\nnote b')
      await engine.reaches(taskId, 'failed')
      await tasks.retry(taskId)
      await tasks.answer(taskId).catch(() => {})
      await engine.reaches(taskId, 'failed')
      engine.world.broken.delete(taskId)
      await tasks.retry(taskId)
      same((await tasks.answer(taskId)).response, 'Done in 3 turns.')
      same(engine.effects(taskId), ['1/0 note a', '2/0 note mended', '3/0 note b'])
      const crashed = engine.id('crashed')
      engine.world.broken.add(crashed)
      await engine.submit('crashed', 'note a, crash b\nnote c')
      await engine.reaches(crashed, 'failed')
      engine.world.broken.delete(crashed)
      await tasks.retry(crashed)
      await tasks.answer(crashed)
      same(engine.effects(crashed), ['1/0 note a', '1/1 crash b', '1/1 crash b', '2/0 note c'])
      await throws('task_finalized', () => tasks.retry(taskId))
      await throws('task_not_found', () => tasks.retry(engine.id('none')))
    },
  },
  {
    name: 'continues a task once when two clients retry it at the same time',
    needs: 'retry',
    check: async (engine) => {
      const { tasks, world } = engine
      const retried = Array.from({ length: 5 }, async (_, i) => {
        const taskId = await engine.hangs(`both retry ${i}`, 'note a\nhang b', 2)
        await tasks.cancel(taskId)
        same(await tasks.status(taskId), 'cancelled')
        world.hanging.delete(taskId)
        const results = await Promise.allSettled([tasks.retry(taskId), tasks.retry(taskId)])
        for (const { reason } of results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[])
          if (!isToolkitError(reason, 'task_finalized')) await throws('task_busy', () => Promise.reject(reason))
        same((await tasks.answer(taskId)).response, 'Done in 2 turns.')
        same(engine.effects(taskId), ['1/0 note a', '2/0 hang b', '2/0 hang b'])
      })
      await Promise.all(retried)
    },
  },
  {
    name: 'cancels a task that waits or runs',
    check: async (engine) => {
      const { tasks, world } = engine
      const { taskId } = await engine.waits('cancelled', 'pay a')
      await tasks.cancel(taskId)
      same(await tasks.status(taskId), 'cancelled')
      await throws('task_cancelled', () => tasks.answer(taskId))
      same(await tasks.waiting(taskId), [])
      await throws('approval', () => tasks.decide(taskId, { callId: 'c0-0', type: 'approve' }))
      await tasks.cancel(taskId)
      const running = await engine.hangs('stopped', 'hang a\nnote b', 1)
      await throws('left', () =>
        tasks.answer(running, { signal: AbortSignal.abort(new ToolkitError('Left', 'left', '')) }),
      )
      await tasks.cancel(running)
      same(await tasks.status(running), 'cancelled')
      await engine.until('the abort of the call', async () => world.aborted.has(running))
      await throws('task_cancelled', () => tasks.answer(running))
      same(engine.effects(running), ['1/0 hang a'])
    },
  },
  {
    name: 'continues a task that was cancelled',
    needs: 'retry',
    check: async (engine) => {
      const { tasks, world } = engine
      const { taskId } = await engine.waits('waits again', 'note a\npay b')
      await throws('task_busy', () => tasks.retry(taskId))
      await tasks.cancel(taskId)
      same(await tasks.status(taskId), 'cancelled')
      await tasks.retry(taskId)
      await engine.reaches(taskId, 'waiting')
      await engine.approveAll(taskId)
      await tasks.answer(taskId)
      same(engine.effects(taskId), ['1/0 note a', '2/0 pay b'])
      const running = await engine.hangs('runs again', 'note a\nhang b\nnote c', 2)
      await tasks.cancel(running)
      same(await tasks.status(running), 'cancelled')
      world.hanging.delete(running)
      await tasks.retry(running)
      await tasks.answer(running)
      same(engine.effects(running), ['1/0 note a', '2/0 hang b', '2/0 hang b', '3/0 note c'])
    },
  },
  {
    name: 'forks a task at a step',
    needs: 'fork',
    check: async (engine) => {
      const { tasks, world } = engine
      const taskId = await engine.submit('origin', 'note a\nnote b\nbreak')
      await tasks.answer(taskId)
      await throws('invalid_step', () => tasks.fork(taskId, { atStep: 9 }))
      await throws('task_already_exists', () => tasks.fork(taskId, { taskId }))
      await throws('task_not_found', () => tasks.fork(engine.id('none')))
      const fork = await tasks.fork(taskId, { atStep: 1, taskId: engine.id('fork') })
      same(fork, engine.id('fork'))
      same(
        (await tasks.answer(fork)).sources.map(({ content }) => content),
        ['note a', 'note b', 'note mended'],
      )
      same(engine.effects(fork), ['2/0 note b', '3/0 note mended'])
      same(engine.effects(taskId).length, 3)
      const whole = await tasks.fork(taskId)
      same((await tasks.answer(whole)).response, 'Done in 3 turns.')
      same(
        world.effects.filter((effect) => effect.taskId === whole),
        [],
      )
      const owned = await tasks.submit('note a', { taskId: ownedId('ann', engine.id('owned')) })
      await tasks.answer(owned)
      same(isOwned('ann', await tasks.fork(owned)), true)
    },
  },
  {
    name: 'reports the events of a task, also to readers that come later or continue',
    needs: 'events',
    check: async (engine) => {
      const { tasks } = engine
      const { taskId } = await engine.waits('events', 'note a\npay b')
      // A reader leaves while it waits for an event.
      const left = tasks.events(taskId, { from: 1000 })[Symbol.asyncIterator]()
      const silent = left.next()
      await left.return?.()
      await silent.catch(() => {})
      const records: TaskEvents[] = []
      const reading = (async () => {
        for await (const record of tasks.events(taskId)) records.push(record)
      })()
      await engine.until('the pause', async () => typesOf(records).includes('approval_required'))
      await engine.approveAll(taskId)
      await reading
      const types = typesOf(records)
      same(
        types.filter((type) => !type.endsWith('_delta') && type !== 'usage'),
        [
          ...['step_start', 'tool_call', 'tool_result', 'step_end'],
          ...['step_start', 'approval_required', 'step_end'],
          ...['step_start', 'tool_call', 'tool_result', 'step_end'],
          ...['step_start', 'step_end', 'task_end'],
        ],
      )
      same(textOf(records), 'Done in 2 turns.')
      const again: TaskEvents[] = []
      for await (const record of tasks.events(taskId, { from: 1 })) again.push(record)
      same(again, records.slice(1))
      const aborted = AbortSignal.abort()
      for await (const record of tasks.events(taskId, { signal: aborted })) throw new Error(`received ${record.call}`)
      await throws('task_not_found', async () => {
        for await (const record of tasks.events(engine.id('none'))) throw new Error(`received ${record.call}`)
      })
    },
  },
  {
    name: 'ends the events of a fork that waits where it was made',
    needs: ['fork', 'events'],
    check: async (engine) => {
      const { tasks } = engine
      const { taskId } = await engine.waits('paid', 'note a\npay b')
      await engine.approveAll(taskId)
      await tasks.answer(taskId)
      const fork = await tasks.fork(taskId, { atStep: 1, taskId: engine.id('unpaid') })
      const last = async () => {
        let last: AgentEvent | undefined
        for await (last of new TasksAgent(tasks).open(fork).events());
        return last?.type === 'approval_required' ? last.calls.map(({ id }) => id) : last?.type
      }
      same(await last(), ['c1-0'])
      await engine.approveAll(fork)
      same(await last(), 'task_end')
      same(engine.effects(fork), ['2/0 pay b'])
    },
  },
  {
    name: 'reports text once when the call after it is repeated',
    needs: 'events',
    check: async (engine) => {
      if (!engine.canRestart) return
      const taskId = await engine.hangs('text', 'Let me look: hang a', 1)
      engine.world.hanging.delete(taskId)
      await engine.restart()
      await engine.tasks.answer(taskId)
      const records: TaskEvents[] = []
      for await (const record of engine.tasks.events(taskId)) records.push(record)
      same(textOf(records), 'Let me lookDone in 1 turns.')
    },
  },
  {
    name: 'runs tasks for handlers of chats, a turn at a time',
    needs: 'events',
    check: async (engine) => {
      const taskId = engine.id('turns')
      const agent = new TasksAgent(engine.tasks)
      const read = async (events: AsyncIterable<AgentEvent>) => {
        const types: string[] = []
        for await (const { type } of events) if (!type.endsWith('_delta') && type !== 'usage') types.push(type)
        return types
      }
      const turn = (input: string) => read(agent.runEvents(input, { taskId }))
      /** What a reader sees that reconnects to another process. */
      const back = async () => {
        const types = await read(new TasksAgent(engine.tasks).open(taskId).events())
        const count = (wanted: string) => types.filter((type) => type === wanted).length
        return [types.at(0), count('tool_result'), count('approval_required'), types.at(-1)]
      }
      const call = ['step_start', 'tool_call', 'tool_result', 'step_end']
      same(await turn('note a\npay b, ask c\npay d'), [...call, 'step_start', 'approval_required'])
      same(await back(), ['step_start', 1, 1, 'approval_required'])
      await agent.resumeTask(taskId)
      await agent.provideResult(taskId, 'c1-1', 'green')
      same(await turn(''), [])
      await engine.until('the result', async () => (await engine.tasks.waiting(taskId)).length === 1)
      await agent.resumeTask(taskId)
      await agent.approve(taskId, 'c1-0')
      const types = await turn('')
      same([types.at(0), types.at(-1)], ['step_start', 'approval_required'])
      same(types.includes('tool_result'), true)
      same(await back(), ['step_start', 3, 1, 'approval_required'])
      await agent.resumeTask(taskId)
      await agent.reject(taskId, 'c2-0')
      same((await turn('')).at(-1), 'task_end')
      same(await back(), ['step_start', 4, 0, 'task_end'])
      same(engine.effects(taskId), ['1/0 note a', '2/0 pay b'])
    },
  },
]

function typesOf(records: readonly TaskEvents[]): AgentEvent['type'][] {
  return validEvents(records).map(({ type }) => type)
}

function textOf(records: readonly TaskEvents[]): string {
  return validEvents(records)
    .map((event) => (event.type === 'text_delta' ? event.delta : ''))
    .join('')
}
