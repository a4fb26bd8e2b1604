/** Twenty small programs, each of one feature that long work needs: eleven layers of this package, and nine features of `@x/agents`. */
import {
  FunctionCallingAgent,
  FunctionTool,
  HandoffTool,
  journal,
  keepWithin,
  MemoryTaskStore,
  structured,
  summarizeWith,
} from '@x/agents'
import { approvals, decide, type Layer, partialOutput, streaming, toolLoop } from '@x/agents/loop'
import type { ChatMessage } from '@x/core-model'
import { StoredTasks, type TaskRun } from '@x/durable'
import { InMemoryKeyValueStore } from '@x/storage'
import { expect, it } from 'vitest'
import { byBm25 } from '../src/bm25.ts'
import {
  background,
  clearResults,
  cost,
  costOf,
  files,
  longTermMemory,
  offload,
  StoredFiles,
  sandbox,
  skills,
  steer,
  subagents,
  todo,
  todosOf,
  toolSearch,
  UserMemory,
} from '../src/index.ts'
import { CountingLLM, calls, model, sent } from './model.ts'

const text = (messages: readonly ChatMessage[]) => messages.map(({ content }) => String(content))
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  fn: ({ at }) => `${at} is ${'very '.repeat(200)}green`,
})
const first = (message: ChatMessage) => (message.additionalKwargs['tool_calls'] as { id: string }[])[0]!.id

const programs: Record<string, () => Promise<void>> = {
  'old results are cleared, and one is read again': async () => {
    const one = calls(['look', { at: 'a' }])
    const llm = model(one, calls(['look', { at: 'b' }]), calls(['get_result', { id: first(one) }]), 'Done.')
    const loop = toolLoop({ llm, tools: [look], layers: [clearResults({ keep: 1, above: 300 })] })
    const { sources } = await loop.run('Look.')
    expect(sent(llm, 2).join()).not.toContain('a is')
    expect(sources.at(-1)!.content).toContain('a is')
  },
  'a large output becomes a file that is read by lines': async () => {
    const store = new InMemoryKeyValueStore()
    const { sources } = await toolLoop({
      llm: model(calls(['look', { at: 'a' }]), 'Done.'),
      tools: [look],
      layers: [offload(store, { above: 50 })],
    }).run('Look.')
    const [file] = await new StoredFiles(store).list()
    expect(sources[0]!.content).toContain(file!.path)
    const llm = model(calls(['read_output', { file: file!.path }]), 'Done.')
    const again = await toolLoop({ llm, layers: [offload(store)] }).run('Read.')
    expect(again.sources[0]!.content).toContain('a is very')
  },
  'files are written, edited exactly and searched': async () => {
    const store = new InMemoryKeyValueStore()
    const llm = model(
      calls(['write_file', { path: 'a.md', content: 'pears' }]),
      calls(['edit_file', { path: 'a.md', old_text: 'pears', new_text: 'plums' }]),
      calls(['search_files', { text: 'plum' }]),
      'Done.',
    )
    const { sources } = await toolLoop({ llm, layers: [files(store)] }).run('Write.')
    expect(sources.at(-1)!.content).toBe('a.md:1: plums')
  },
  'a to-do list is kept in the state of the task': async () => {
    const todos = [{ content: 'Bake', status: 'pending' }]
    const { task } = await toolLoop({ llm: model(calls(['write_todos', { todos }]), 'Done.'), layers: [todo()] }).run(
      'Cake!',
    )
    expect(todosOf(task)).toEqual(todos)
  },
  'a skill is read on demand': async () => {
    const llm = model(calls(['read_skill', { name: 'mail' }]), 'Done.')
    const source = { 'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nBe kind.' }
    const { sources } = await toolLoop({ llm, layers: [skills(source)] }).run('Mail Ann.')
    expect(sent(llm, 0)[0]).toContain('- mail: Writes mails.')
    expect(sources[0]!.content).toBe('Be kind.')
  },
  'a user is remembered in the next conversation, and can be forgotten': async () => {
    const store = new InMemoryKeyValueStore()
    const layers = [longTermMemory(store, { rank: byBm25 })]
    const context = { user: 'ann' }
    await toolLoop({ llm: model(calls(['remember', { fact: 'Ann likes pears.' }]), 'Ok.'), layers }).run(
      'I like pears.',
      { context },
    )
    const llm = model('Pears.', 'Ok.')
    await toolLoop({ llm, layers }).run('Which pears?', { context })
    expect(sent(llm, 0)[0]).toContain('Ann likes pears.')
    await new UserMemory(store, 'ann').clear()
    await toolLoop({ llm, layers }).run('Which pears?', { context })
    expect(sent(llm, 1)).toEqual(['Which pears?'])
  },
  'a task in the background returns a ticket, and its end is a message': async () => {
    const agent = ({ taskStore }: TaskRun) => FunctionCallingAgent.fromTools({ llm: model('Found.'), taskStore })
    const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent, pollingIntervalMs: 5 })
    await tasks.start()
    const llm = model(calls(['start_background_task', { task: 'Find.' }]), 'Wait.', 'Done.')
    const { messages } = await toolLoop({ llm, layers: [background(tasks, { wait: true })] }).run('Go.')
    await tasks.stop()
    expect(text(messages).some((one) => one.endsWith('has ended:\nFound.'))).toBe(true)
  },
  'a message reaches a running task at its next step': async () => {
    const steering = steer(new InMemoryKeyValueStore())
    const send = FunctionTool.fromDefaults({
      name: 'send',
      schema: {},
      fn: async () => {
        await steering.send('t', 'In blue.')
        await steering.send('t', 'And small.')
      },
    })
    const llm = model(calls(['send', {}]), 'Done.')
    await toolLoop({ llm, tools: [send], layers: [steering] }).run('Paint.', { taskId: 't' })
    expect(sent(llm, 1).slice(-2)).toEqual(['In blue.', 'And small.'])
  },
  'helpers work at the same time, within the budget of the whole': async () => {
    const helper = (answer: string) => FunctionCallingAgent.fromTools({ llm: model(answer) })
    const llm = model(calls(['one', { input: 'a' }], ['two', { input: 'b' }]), 'Both.')
    const layers = [subagents({ one: helper('1'), two: helper('2') })]
    const answer = await FunctionCallingAgent.fromTools({ llm, layers, budget: { maxModelCalls: 4 } }).chat('Go.')
    expect(answer.sources.map(String)).toEqual(['1', '2'])
    expect(answer.usage?.modelCalls).toBe(4)
  },
  'a task knows what it has cost': async () => {
    const llm = new CountingLLM('scripted', [
      [[1_000_000, 0, 0], calls(['look', { at: 'a' }])],
      [[0, 1_000_000, 0], calls()],
    ])
    const loop = toolLoop({ llm, tools: [look], layers: [cost({ scripted: { input: 2, output: 3 } })] })
    const { task } = await loop.run('Look.')
    expect(costOf(task)).toMatchObject({ total: 5, steps: { 1: 2, 2: 3 } })
  },
  'code is run by a sandbox of the application': async () => {
    const run = async ({ code }: { code: string }) => ({ output: code.toUpperCase() })
    const { sources } = await toolLoop({
      llm: model(calls(['run_code', { code: 'a' }]), 'Done.'),
      layers: [sandbox(run)],
    }).run('Run.')
    expect(sources[0]!.content).toBe('A')
  },
  'an own layer sees each request': async () => {
    const seen: number[] = []
    const mine: Layer = {
      model: (next) => (request, scope) => {
        seen.push(request.messages.length)
        return next(request, scope)
      },
    }
    await toolLoop({ llm: model(calls(['look', { at: 'a' }]), 'Done.'), tools: [look], layers: [mine] }).run('Look.')
    expect(seen).toEqual([1, 3])
  },
  'a tool is searched among many': async () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      FunctionTool.fromDefaults({ name: `tool${i}`, schema: {}, fn: () => `${i}` }),
    )
    const llm = model(calls(['search_tools', { query: 'look' }]), calls(['look', { at: 'a' }]), 'Done.')
    const { sources } = await toolLoop({ llm, tools: [...many, look], layers: [toolSearch()] }).run('Look.')
    expect(sources[1]!.isError).toBe(false)
  },
  'a structured answer is shown while it is written': async () => {
    const schema = { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] } as const
    const seen: unknown[] = []
    const llm = model(calls(['final_answer', { fruit: 'pear' }]))
    const layers = [
      streaming(),
      structured(schema, { mode: 'tool' }),
      partialOutput((output) => void seen.push(output)),
    ] as const
    const { output } = await toolLoop({ llm, layers }).run('Fruit?')
    expect(output).toEqual({ fruit: 'pear' })
  },
  'a person edits a call before it runs': async () => {
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object', properties: { sum: { type: 'number' } } },
      needsApproval: true,
      fn: ({ sum }) => `paid ${sum}`,
    })
    const call = calls(['pay', { sum: 100 }])
    const loop = toolLoop({ llm: model(call, 'Done.'), tools: [pay], layers: [approvals()] })
    const { task } = await loop.run('Pay.')
    await decide(loop, task, first(call), { decision: 'approve', arguments: { sum: 10 } })
    expect((await loop.resume(task)).sources[0]!.content).toBe('paid 10')
  },
  'calls of one turn run at the same time': async () => {
    let [running, most] = [0, 0]
    const slow = FunctionTool.fromDefaults({
      name: 'slow',
      schema: {},
      fn: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
      },
    })
    await toolLoop({ llm: model(calls(['slow', {}], ['slow', {}]), 'Done.'), tools: [slow] }).run('Go.')
    expect(most).toBe(2)
  },
  'a conversation is handed to another agent': async () => {
    const other = FunctionCallingAgent.fromTools({ llm: model('I am the other one.') })
    const tools = [new HandoffTool({ agent: other, name: 'other', description: 'Knows more.' })]
    const answer = await FunctionCallingAgent.fromTools({ llm: model(calls(['other', {}])), tools }).chat('Hi')
    expect(answer.response).toBe('I am the other one.')
  },
  'a long conversation is summarized': async () => {
    const summary = model('They spoke about pears.')
    const llm = model('Done.')
    const history = toolLoop({ llm: model(...Array.from({ length: 6 }, () => 'pears '.repeat(100))) })
    let messages: ChatMessage[] = []
    for (let i = 0; i < 6; i++) ({ messages } = await history.run('More!', { messages }))
    const window = keepWithin({ maxTokens: 600, summarize: summarizeWith({ llm: summary }) })
    await toolLoop({ llm, layers: [window] }).run('And?', { messages })
    expect(sent(llm, 0).join()).toContain('They spoke about pears.')
  },
  'a task survives its process': async () => {
    const store = new MemoryTaskStore()
    const begin = FunctionCallingAgent.fromTools({
      llm: model(calls(['look', { at: 'a' }])),
      tools: [look],
      taskStore: journal(store),
    })
    const { taskId } = await begin.createTask('Look.')
    await begin.runStep(taskId)
    const next = FunctionCallingAgent.fromTools({ llm: model('Done.'), tools: [look], taskStore: journal(store) })
    await next.resumeTask(taskId)
    expect((await next.runTask(taskId)).response).toBe('Done.')
  },
  'a step is undone and done in another way': async () => {
    const agent = FunctionCallingAgent.fromTools({
      llm: model(calls(['look', { at: 'a' }]), calls(['look', { at: 'b' }]), 'Done.'),
      tools: [look],
    })
    const { taskId } = await agent.createTask('Look.')
    await agent.runStep(taskId)
    await agent.undoStep(taskId)
    const answer = await agent.runTask(taskId)
    expect(answer.sources.map(String).join()).toContain('b is')
    expect(answer.sources).toHaveLength(1)
  },
}

it.each(Object.entries(programs))('%s', async (_name, run) => run())

it('there are twenty', () => expect(Object.keys(programs)).toHaveLength(20))
