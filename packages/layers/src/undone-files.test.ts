import { FunctionCallingAgent, journal, MemoryTaskStore } from '@x/agents'
import { durableAgent, StoredTasks } from '@x/durable'
import type { ScriptedAnswer } from '@x/llm/testing'
import { InMemoryKeyValueStore, type KeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { calls, model } from '../test/model.ts'
import { files, StoredFiles } from './index.ts'

const edit = (old_text: string, new_text: string, path = 'list.md') =>
  calls(['edit_file', { path, old_text, new_text }])
const write = (path: string, content: string) => calls(['write_file', { path, content }])
const read = (path = 'list.md') => calls(['read_file', { path }])
const list = () => calls(['list_files', {}])

async function drive(text = 'pears') {
  const store = new InMemoryKeyValueStore()
  const app = new StoredFiles(store)
  await app.write('list.md', text)
  return { store, app }
}

function agentOf(store: KeyValueStore, answers: readonly ScriptedAnswer[], taskStore = new MemoryTaskStore()) {
  return FunctionCallingAgent.fromTools({
    llm: model(...answers),
    layers: [files(store)],
    taskStore: journal(taskStore),
  })
}

/** The files of the application, with their texts. */
async function texts(app: StoredFiles) {
  const paths = (await app.list()).map(({ path }) => path)
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await app.read(path)])))
}

describe('undoStep', () => {
  it('takes an edit back for the application and for other tasks', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [edit('pears', 'figs'), 'Done.', read(), 'It says so.'])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runStep(taskId)
    expect(await app.read('list.md')).toBe('figs')
    await agent.undoStep(taskId)
    expect(await app.read('list.md')).toBe('pears')
    await agent.runTask(taskId)
    expect(await app.read('list.md')).toBe('pears')
    expect((await agent.chat('Read.')).sources.map(String)).toEqual(['pears'])
  })

  it('removes a file that the step has made, step by step', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [write('a.md', 'A'), edit('A', 'B', 'a.md'), edit('pears', 'figs'), list(), 'Done.'])
    const { taskId } = await agent.createTask('Draft!')
    for (let i = 0; i < 3; i++) await agent.runStep(taskId)
    const seen: object[] = [await texts(app)]
    for (let i = 0; i < 3; i++) {
      await agent.undoStep(taskId)
      seen.push(await texts(app))
    }
    expect(seen).toEqual([
      { 'a.md': 'B', 'list.md': 'figs' },
      { 'a.md': 'B', 'list.md': 'pears' },
      { 'a.md': 'A', 'list.md': 'pears' },
      { 'list.md': 'pears' },
    ])
    expect((await agent.runTask(taskId)).sources.map(String)).toEqual(['list.md (5)'])
  })

  it('in another process takes back what was written there, in each root', async () => {
    const store = new InMemoryKeyValueStore()
    const taskStore = new MemoryTaskStore()
    const make = () =>
      FunctionCallingAgent.fromTools({
        llm: model(write('a.md', 'A'), 'Done.'),
        layers: [files(store, { root: ({ user }: { user: string }) => user })],
        taskStore: journal(taskStore),
      })
    const first = make()
    await first.createTask('Draft!', { taskId: 't' })
    await first.runStep('t', { context: { user: 'ann' } })
    expect(await texts(new StoredFiles(store, 'ann'))).toEqual({ 'a.md': 'A' })
    const second = make()
    await second.resumeTask('t')
    await second.undoStep('t')
    expect(await texts(new StoredFiles(store, 'ann'))).toEqual({})
  })

  it('keeps what the application has written since', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [edit('pears', 'figs')])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runStep(taskId)
    await app.write('list.md', 'figs and nuts')
    await agent.undoStep(taskId)
    expect(await app.read('list.md')).toBe('figs and nuts')
  })

  it('takes back what a step wrote before it failed', async () => {
    const { store, app } = await drive()
    const agent = FunctionCallingAgent.fromTools({
      llm: model(
        list(),
        calls(['write_file', { path: 'a.md', content: 'A' }], ['read_file', { path: 'none' }]),
        'Done.',
      ),
      layers: [files(store)],
      onToolError: 'raise',
    })
    const { taskId } = await agent.createTask('Draft!')
    await agent.runStep(taskId)
    await expect(agent.runStep(taskId)).rejects.toMatchObject({ code: 'tool_execution' })
    await agent.undoStep(taskId)
    expect(await texts(app)).toEqual({ 'list.md': 'pears' })
  })
})

describe('a fork', () => {
  it('has files of its own, as they were at its step, and changes none of its original', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [
      edit('pears', 'figs'),
      write('new.md', 'N'),
      'Done.',
      list(),
      edit('figs', 'nuts'),
      write('own.md', 'O'),
      'Forked.',
    ])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runTask(taskId)
    const fork = await agent.forkTask(taskId, { atStep: 1, taskId: 'copy' })
    expect((await agent.runTask(fork.taskId)).sources.map(String)[1]).toBe('list.md (4)')
    expect(await texts(app)).toEqual({ 'list.md': 'figs', 'new.md': 'N' })
    expect(await texts(new StoredFiles(store, '', 'copy'))).toEqual({ 'list.md': 'nuts', 'own.md': 'O' })
  })

  it('at step 0 begins with the files before the task, also with StoredTasks', async () => {
    const { store, app } = await drive()
    const llm = model(
      edit('pears', 'figs'),
      write('a.md', 'A'),
      'Edited.',
      read(),
      list(),
      edit('pears', 'nuts'),
      'Forked.',
    )
    const agent = durableAgent(() => ({ llm, layers: [files(store)] }))
    const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
    await tasks.start()
    await tasks.answer(await tasks.submit('Edit!', { taskId: 't' }))
    const fork = await tasks.fork('t', { atStep: 0 })
    const { sources } = await tasks.answer(fork)
    expect(sources.map(String)).toEqual(['pears', 'list.md (5)', 'list.md is written.'])
    expect(await texts(app)).toEqual({ 'list.md': 'figs', 'a.md': 'A' })
    expect(await texts(new StoredFiles(store, '', fork))).toEqual({ 'list.md': 'nuts' })
    await tasks.stop()
  })

  it('sees what the application writes to other files, and of those that it has not changed', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [write('a.md', 'A'), 'Done.', read(), read('late.md'), 'Forked.'])
    const { taskId } = await agent.createTask('Draft!')
    await agent.runTask(taskId)
    await agent.forkTask(taskId, { atStep: 1, taskId: 'copy' })
    await app.write('list.md', 'plums')
    await app.write('late.md', 'L')
    expect((await agent.runTask('copy')).sources.map(String).slice(1)).toEqual(['plums', 'L'])
  })

  it('undoes its steps and those of its original in its own files', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [edit('pears', 'figs'), write('a.md', 'A'), 'Done.', edit('figs', 'nuts'), list()])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runTask(taskId)
    await agent.forkTask(taskId, { atStep: 2, taskId: 'copy' })
    const copy = new StoredFiles(store, '', 'copy')
    await agent.runStep('copy')
    const seen: object[] = [await texts(copy)]
    for (let i = 0; i < 3; i++) {
      await agent.undoStep('copy')
      seen.push(await texts(copy))
    }
    expect(seen).toEqual([
      { 'a.md': 'A', 'list.md': 'nuts' },
      { 'a.md': 'A', 'list.md': 'figs' },
      { 'list.md': 'figs' },
      { 'list.md': 'pears' },
    ])
    expect(await texts(app)).toEqual({ 'a.md': 'A', 'list.md': 'figs' })
  })

  it('of a fork has the files of the fork', async () => {
    const { store } = await drive()
    const agent = agentOf(store, [edit('pears', 'figs'), 'Done.', edit('figs', 'nuts'), 'One.', read(), 'Two.'])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runTask(taskId)
    await agent.forkTask(taskId, { atStep: 1, taskId: 'one' })
    await agent.runTask('one')
    await agent.forkTask('one', { atStep: 2, taskId: 'two' })
    expect((await agent.runTask('two')).sources.map(String).at(-1)).toBe('nuts')
  })

  it('is not changed by its original, which continues or is undone', async () => {
    const { store, app } = await drive()
    const agent = agentOf(store, [edit('pears', 'figs'), edit('figs', 'nuts'), read(), 'Done.'])
    const { taskId } = await agent.createTask('Edit!')
    await agent.runStep(taskId)
    await agent.forkTask(taskId, { atStep: 1, taskId: 'copy' })
    await agent.runStep(taskId)
    expect(await app.read('list.md')).toBe('nuts')
    await agent.undoStep(taskId)
    await agent.undoStep(taskId)
    expect(await app.read('list.md')).toBe('pears')
    expect((await agent.runTask('copy')).sources.map(String).at(-1)).toBe('figs')
  })

  it('has the files of its step, whoever has written them since', async () => {
    const { store, app } = await drive()
    const ofAnother = (content: string) =>
      agentOf(store, [write('list.md', content), write('a.md', content), 'Written.']).chat('Write!')
    const agent = agentOf(store, [edit('pears', 'figs'), write('a.md', 'A'), edit('plums', 'nuts'), 'Done.'])
    await agent.createTask('Edit!', { taskId: 't' })
    await agent.runStep('t')
    await app.write('list.md', 'plums')
    await agent.runTask('t')
    for (const content of ['one', 'two', 'three']) await ofAnother(content)
    await app.write('list.md', 'last')
    const seen = []
    for (const atStep of [0, 1, 2, 3]) {
      await agent.forkTask('t', { atStep, taskId: `at ${atStep}` })
      seen.push(await texts(new StoredFiles(store, '', `at ${atStep}`)))
    }
    const asWritten = [
      { 'list.md': 'pears' },
      { 'list.md': 'figs' },
      { 'a.md': 'A', 'list.md': 'figs' },
      { 'a.md': 'A', 'list.md': 'nuts' },
    ]
    expect(seen).toEqual(asWritten)
    // A fork of a fork, and steps that are undone in one.
    for (const back of [2, 1, 0]) {
      await agent.undoStep('at 3')
      await agent.forkTask('at 3', { taskId: `back ${back}` })
      expect(await texts(new StoredFiles(store, '', `back ${back}`))).toEqual(asWritten[back])
    }
    expect(await texts(app)).toEqual({ 'a.md': 'three', 'list.md': 'last' })
  })

  it('leaves nothing in the store once its files are cleared', async () => {
    const { store, app } = await drive()
    const before = store.toDict()
    const layer = files(store)
    const agent = FunctionCallingAgent.fromTools({
      llm: model(edit('pears', 'figs'), read(), 'Done.', write('a.md', 'A'), 'Forked.'),
      layers: [layer],
    })
    const { taskId } = await agent.createTask('Read!')
    await agent.runTask(taskId)
    for (const text of ['plums', 'nuts', 'pears']) await app.write('list.md', text)
    await agent.forkTask(taskId, { atStep: 1, taskId: 'copy' })
    await agent.runTask('copy')
    await layer.clear('copy')
    await layer.clear(taskId)
    const size = (data: object) => Object.values(data).map((values) => Object.keys(values).length)
    expect(size(store.toDict())).toEqual(size(before))
  })
})
