/**
 * @module
 * What every engine for durable tasks does with several tasks and processes: its list, and when processes end, when there are several of
 * them, and when there is none.
 */
import type { AgentEvent } from '@x/agents'
import { type ListTasksOptions, ownedId, TasksAgent } from '@x/durable'
import { same } from '../storage/contract-check.ts'
import { type Engine, type EngineCheck, throws } from './checked-engine.ts'

/** How often the process ends while a task makes progress. */
const RESTARTS = 22

/** The checks of an engine with several tasks and processes, in order. */
export const processChecks: readonly EngineCheck[] = [
  {
    name: 'lists the tasks that have not ended, those of a state and those of a user',
    needs: 'list',
    check: async (engine) => {
      const { tasks, world } = engine
      const [user, other] = [engine.id('Ann'), engine.id('Bob')]
      const submit = async (owner: string, name: string, input: string) =>
        tasks.submit(input, { taskId: ownedId(owner, engine.id(name)) })
      const ids = async (options?: ListTasksOptions) => (await tasks.list!(options)).map(({ taskId }) => taskId)
      const first = await submit(user, 'list-1', 'pay a')
      await engine.reaches(first, 'waiting')
      const others = await submit(other, 'list-2', 'pay b')
      const finished = await submit(user, 'list-3', 'note a')
      const broken = ownedId(user, engine.id('list-4'))
      world.broken.add(broken)
      await submit(user, 'list-4', 'break')
      const last = await submit(user, 'list-5', 'note a\nask b')
      for (const taskId of [others, last]) await engine.reaches(taskId, 'waiting')
      await engine.reaches(finished, 'finished')
      await engine.reaches(broken, 'failed')
      const own = await tasks.list!({ user })
      const calls = [await tasks.waiting(first), await tasks.waiting(last)]
      same(
        own.map(({ at: _, ...task }) => task),
        [
          { taskId: first, status: 'waiting', input: 'pay a', calls: calls[0] },
          { taskId: last, status: 'waiting', input: 'note a\nask b', calls: calls[1] },
        ],
      )
      const [from = 0, to = 0] = own.map(({ at }) => at ?? 0)
      same(from > 0 && from <= to, true)
      same(await ids({ user, status: 'waiting' }), [first, last])
      same(await ids({ user, status: 'finished' }), [finished])
      same(await ids({ user, status: 'failed' }), [broken])
      const [{ problem } = {}] = await tasks.list!({ user, status: 'failed' })
      const { message } = await tasks.answer(broken).catch((error: unknown) => Object(error))
      same(problem?.message, message)
      same(await ids({ user, status: 'queued' }), [])
      same(
        (await ids()).filter((taskId) => [first, others, finished, broken, last].includes(taskId)),
        [first, others, last],
      )
      await engine.approveAll(first)
      await engine.reaches(first, 'finished')
      await tasks.cancel(last)
      same(await ids({ user }), [])
      same(await ids({ user, status: 'finished' }), [first, finished])
      same(await ids({ user, status: 'cancelled' }), [last])
      await throws('model_validation', () => tasks.list!({ status: 'ended' as never }))
      await throws('model_validation', () => tasks.list!({ user: '' }))
    },
  },
  {
    name: 'continues tasks after its process has ended',
    check: async (engine) => {
      if (!engine.canRestart) return
      const { world } = engine
      const { taskId } = await engine.waits('waits on', 'note a\npay b')
      const running = await engine.hangs('runs on', 'note a\nhang b\nnote c', 2)
      world.hanging.delete(running)
      await engine.restart()
      await engine.tasks.answer(running)
      same(engine.effects(running), ['1/0 note a', '2/0 hang b', '2/0 hang b', '3/0 note c'])
      same(await engine.tasks.status(taskId), 'waiting')
      await engine.approveAll(taskId)
      await engine.tasks.answer(taskId)
      same(engine.effects(taskId), ['1/0 note a', '2/0 pay b'])
    },
  },
  {
    name: 'asks again about a call that somebody else has approved, and takes the next decision',
    needs: 'events',
    check: async (engine) => {
      const agent = new TasksAgent(engine.tasks)
      const taskId = engine.id('approved by others')
      const last = async (input: string) => {
        let last: AgentEvent | undefined
        for await (last of agent.runEvents(input, { taskId, context: { user: 'Ann' } }));
        return last?.type === 'approval_required' ? last.calls[0]?.problem : last?.type
      }
      same(await last('pay a'), undefined)
      for (const [by, read] of [
        ['Bob', 'Somebody else has approved the call.'],
        ['Eve', 'Somebody else has approved the call.'],
        ['Ann', 'task_end'],
      ] as const) {
        await agent.resumeTask(taskId)
        await agent.approve(taskId, 'c0-0', { by })
        same(await last(''), read)
      }
      same(engine.effects(taskId), ['1/0 pay a'])
    },
  },
  {
    name: 'asks again if the tool of an approved call has changed, and says if the call may have run',
    check: async (engine) => {
      const { world } = engine
      const { taskId } = await engine.waits('begun', 'hold a')
      const ask = async () => (await engine.tasks.waiting(taskId))[0]
      const isAsked = () => engine.until('the question', async () => (await ask())?.problem !== undefined)
      const approve = () => engine.tasks.decide(taskId, { callId: 'c0-0', type: 'approve' })
      if (!(await engine.redeploy(' otherwise'))) return
      // What was shown is the call of the other tool.
      await approve()
      await isAsked()
      same(engine.effects(taskId), [])
      world.hanging.add(taskId)
      await approve()
      await engine.until('the call', async () => engine.effects(taskId).length === 1)
      world.hanging.delete(taskId)
      await engine.redeploy('')
      await isAsked()
      const { problem } = (await ask())!
      if (!problem?.endsWith('The call may have run already.'))
        throw new Error(`expected a call that may have run, received ${problem}`)
      await engine.tasks.decide(taskId, { callId: 'c0-0', type: 'edit', arguments: { what: 'b' } })
      await engine.until('the refusal', async () => (await ask())?.refused?.code === 'tool_input')
      await engine.tasks.decide(taskId, { callId: 'c0-0', type: 'reject', reason: 'no more' })
      const { sources } = await engine.tasks.answer(taskId)
      same(
        sources.map(({ content }) => content.split('. ').at(-1)),
        ['The user has rejected another attempt: no more'],
      )
      same(engine.effects(taskId), ['1/0 hold a'])
    },
  },
  {
    name: 'finishes a task that makes progress, however often its process ends',
    check: async (engine) => {
      if (!engine.canRestart) return
      const turns = Array.from({ length: RESTARTS }, (_, i) => `stall ${i}`)
      const taskId = await engine.submit('long', turns.join('\n'))
      for (let calls = 1; calls < 2 * RESTARTS; calls += 2) {
        await engine.until(`call ${calls}`, async () => engine.effects(taskId).length >= calls)
        await engine.restart()
      }
      same((await engine.tasks.answer(taskId)).response, `Done in ${RESTARTS} turns.`)
      same(engine.effects(taskId).length, 2 * RESTARTS)
    },
  },
  {
    name: 'finishes every task when two workers of two versions overlap, as in a rolling deployment',
    check: async (engine) => {
      const turns = ['slow a', 'slow b', 'slow c, slow d', 'slow e', 'slow f', 'slow g']
      const names = Array.from({ length: 12 }, (_, i) => `rolling ${i}`)
      const ids = await Promise.all(names.map((name) => engine.submit(name, turns.join('\n'))))
      const begin = (count: number) =>
        engine.until(`${count} calls`, async () => ids.flatMap((id) => engine.effects(id)).length >= count)
      await begin(12)
      const end = await engine.second()
      if (!end) return
      await begin(24)
      if (engine.canRestart) await engine.restart()
      await begin(36)
      await end()
      for (const taskId of ids) {
        same((await engine.tasks.answer(taskId)).response, 'Done in 6 turns.')
        same(await engine.tasks.status(taskId), 'finished')
        same(callsOf(engine, taskId), ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
      }
    },
  },
  {
    name: 'takes a decision once while no worker runs, and applies it later',
    check: async (engine) => {
      const { taskId } = await engine.waits('nobody', 'pay a, pay b')
      if (!(await engine.stop())) return
      try {
        const { tasks } = engine
        await tasks.decide(taskId, { callId: 'c0-1', type: 'reject' })
        same(
          (await tasks.waiting(taskId)).map(({ id }) => id),
          ['c0-0'],
        )
        same(await tasks.status(taskId), 'waiting')
        await throws('approval', () => tasks.decide(taskId, { callId: 'c0-1', type: 'approve' }))
        await tasks.decide(taskId, { callId: 'c0-0', type: 'approve' })
        same(await tasks.waiting(taskId), [])
        same(await tasks.status(taskId), 'queued')
        // Too late: it would have no effect.
        await throws('approval', () => tasks.decide(taskId, { callId: 'c0-0', type: 'reject' }))
        same(await engine.submit('later', 'note a'), engine.id('later'))
        same(await tasks.status(engine.id('later')), 'queued')
      } finally {
        await engine.restart()
      }
      await engine.tasks.answer(taskId)
      await engine.tasks.answer(engine.id('later'))
      same(engine.effects(taskId), ['1/0 pay a'])
    },
  },
  {
    name: 'has nothing to do for tasks that wait or have ended',
    check: async (engine) => {
      const { tasks, world } = engine
      const { taskId: waits } = await engine.waits('idle waits', 'pay a')
      const finished = await engine.submit('idle ends', 'note a')
      await tasks.answer(finished)
      const failed = engine.id('idle fails')
      world.broken.add(failed)
      await engine.submit('idle fails', 'break')
      await engine.reaches(failed, 'failed')
      const { taskId: cancelled } = await engine.waits('idle cancelled', 'pay a')
      await tasks.cancel(cancelled)
      const idle = [waits, finished, failed, cancelled]
      await engine.until('nothing to do', async () => {
        const active = await engine.active()
        return !active?.some((id) => idle.includes(id))
      })
      same(await tasks.status(waits), 'waiting')
    },
  },
  {
    name: 'deletes a task that has ended',
    needs: 'delete',
    check: async (engine) => {
      const { tasks } = engine
      const { taskId } = await engine.waits('deleted', 'note a\npay b')
      await throws('task_busy', () => tasks.delete(taskId))
      await engine.approveAll(taskId)
      await tasks.answer(taskId)
      await tasks.delete(taskId)
      await throws('task_not_found', () => tasks.status(taskId))
      await throws('task_not_found', () => tasks.delete(taskId))
      // A task with the same id is another one: nothing is known of the first, and nothing was decided about it.
      same(await engine.submit('deleted', 'note c\npay d'), taskId)
      await engine.reaches(taskId, 'waiting')
      await tasks.cancel(taskId)
      await tasks.delete(taskId)
      await throws('task_not_found', () => tasks.status(taskId))
    },
  },
]

/** What the calls of a task did, each once, whichever version made it. No key may have had two arguments. */
function callsOf(engine: Engine, taskId: string): string[] {
  const effects = new Set(engine.effects(taskId))
  const keys = new Map<string, string>()
  for (const effect of effects) {
    const [key = '', , what = ''] = effect.split(' ')
    if (keys.has(key)) throw new Error(`expected one call for the key ${key}, received ${keys.get(key)} and ${what}`)
    keys.set(key, what.replace('2', ''))
  }
  return [...keys.values()].sort()
}
