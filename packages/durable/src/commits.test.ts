import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
import { SimpleChatStore, type TaskStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import type { SubmitTaskOptions, TaskRun } from './durable-tasks.ts'
import { StoredTasks } from './stored-tasks.ts'
import { taskTimeline } from './task-timeline.ts'

type Entries = readonly { type?: string }[]

/** A store that calls `before` and `after` each commit. */
function watched(store: TaskStore, before: (entries: Entries) => void, after = () => {}): TaskStore {
  return Object.assign(Object.create(store) as TaskStore, {
    append: async (id: string, entries: Entries, revision: number) => {
      before(entries)
      const isStored = await store.append(id, entries, revision)
      after()
      return isStored
    },
  })
}

/** The agent of the tasks: it calls a tool that has an effect, and answers. */
function agentOf(effects: string[]) {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: {},
    fn: (_, { idempotencyKey }) => {
      effects.push(idempotencyKey ?? '')
      return 'paid'
    },
  })
  const answers = (messages: readonly { content: unknown }[]) =>
    String(messages.at(-1)?.content).includes('paid') ? 'Answer: Paid.' : 'Thought: pay\nAction: pay\nAction Input: {}'
  return ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: answers as never }), tools: [pay], taskStore })
}

it('a task of one step is written in seven commits; in a conversation of a store, its place is saved before its messages', async () => {
  const commits: string[] = []
  const store = watched(new MemoryTaskStore(), (entries) => commits.push(entries.map(({ type }) => type).join(' + ')))
  const agent = ({ taskStore }: TaskRun) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Four.'] }), taskStore })
  const tasks = new StoredTasks({ store, agent, chatStore: new SimpleChatStore() })
  await tasks.start()
  await tasks.answer(await tasks.submit('2 + 2?'))
  expect(commits.splice(0)).toEqual([
    'submitted',
    'started',
    'task + step_start',
    'result',
    'step',
    'finalizing + finalized',
    'answered + finalized',
  ])
  await tasks.answer(await tasks.submit('2 + 2?', { conversation: { id: 'ann', length: 0 } }))
  await tasks.stop()
  expect(commits.slice(-3)).toEqual(['finalizing', 'finalized', 'answered + finalized'])
})

const places: [string, SubmitTaskOptions][] = [
  ['a conversation of its own', {}],
  ['a conversation of a store', { conversation: { id: 'ann', length: 0 } }],
]
it.each(places)(
  'a process that ends before or after any commit loses and repeats nothing, with %s',
  async (_, options) => {
    let last = 0
    for (let count = 0; count >= last; ) {
      last++
      for (const isBefore of [true, false]) {
        const [store, effects, chatStore] = [new MemoryTaskStore(), [] as string[], new SimpleChatStore()]
        let isDead = false
        count = 0
        const die = () => {
          isDead ||= count >= last
          if (isDead) throw new Error('this process was killed')
        }
        const dying = watched(
          store,
          () => {
            if (isDead || (++count === last && isBefore)) die()
          },
          die,
        )
        const page = new StoredTasks({ store, pollingIntervalMs: 5 })
        await page.submit('Pay!', { taskId: 't', ...options })
        const shared = { agent: agentOf(effects), chatStore, pollingIntervalMs: 5, leaseMs: 20 }
        const first = new StoredTasks({ ...shared, store: dying })
        await first.start()
        while (!isDead && (await page.status('t')) !== 'finished') await page.changed()
        const next = new StoredTasks({ ...shared, store })
        await next.start()
        expect((await page.answer('t')).response).toBe('Paid.')
        await Promise.all([first.stop(), next.stop()])
        expect([...new Set(effects)]).toEqual(['t/1/0'])
        const kinds = ((await taskTimeline(store, 't')) ?? []).map(({ kind }) => kind)
        expect(kinds).toEqual(['input', 'thought', 'call', 'result', 'answer'])
        if (options.conversation)
          expect(chatStore.getMessages('ann').map(({ content }) => content)).toEqual(['Pay!', 'Paid.'])
      }
    }
    // One more than there are.
    expect(last).toBe(options.conversation ? 12 : 11)
  },
)
