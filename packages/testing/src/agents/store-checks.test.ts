/// <reference types="node" />
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryTaskStore } from '@x/agents'
import type { JournalEntry } from '@x/agents/store'
import type { TaskStore } from '@x/core-model'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { isFull, rounds } from '../../../../tools/extent.ts'
import { killChecks } from './kill-checks.ts'
import { taskStoreChecks } from './task-store-checks.ts'

const cutFirstLine = async (path: string) => {
  const [first, ...others] = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, [first!.slice(0, 40), ...others].join('\n'))
}

describe('a task store in memory', () => {
  const options = { points: rounds(8, 25), ...(!isFull && { levels: [0, 3] }) }
  for (const { name, run } of killChecks(() => new MemoryTaskStore(), undefined, options)) it(name, run)
})

describe('a task store in files', () => {
  const create = async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'kills-')))
  const reopen = ({ folder }: FileTaskStore) => new FileTaskStore(folder)
  for (const { name, run } of killChecks(create, reopen, { levels: [1], points: rounds(3, 6) })) it(name, run)
})

describe('the kill checks', () => {
  const outcomes = async (store: (own: MemoryTaskStore) => Partial<TaskStore>) => {
    const create = () => {
      const own = new MemoryTaskStore()
      return Object.assign(Object.create(own) as MemoryTaskStore, store(own))
    }
    const checks = killChecks(create, undefined, { levels: [1], points: 12 })
    return Promise.all(
      checks.map(async ({ run }) =>
        run().then(
          () => 'passed',
          (error: Error) => error.message,
        ),
      ),
    )
  }

  it('refuse a store that loses the results of tools', async () => {
    const lost = await outcomes((own) => ({
      load: (id) => own.load(id)?.filter((entry) => (entry as { type?: string }).type !== 'inner') ?? null,
    }))
    expect(lost).not.toContain('passed')
  })
})

describe('a store in memory', () => {
  for (const { name, run } of taskStoreChecks(() => new MemoryTaskStore())) it(name, run)
})

describe('a store in files', () => {
  const newFileStore = async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))
  const damage = ({ folder }: FileTaskStore, taskId: string) =>
    cutFirstLine(join(folder, `${taskId.replace('T', '%0054')}.jsonl`))
  for (const { name, run } of taskStoreChecks(newFileStore, ({ folder }) => new FileTaskStore(folder), damage))
    it(name, run)
})

describe('a check', () => {
  it('fails for a store that breaks the contract', async () => {
    class Careless extends MemoryTaskStore {
      override append(taskId: string, entries: readonly JournalEntry[]): boolean {
        return super.append(taskId, entries, this.load(taskId)?.length ?? 0)
      }
    }
    const failed: string[] = []
    for (const { name, run } of taskStoreChecks(() => new Careless())) await run().catch(() => failed.push(name))
    expect(failed).toEqual([
      'refuses entries for another revision, and stores none of them',
      'lets only one of several concurrent writers append',
      'refuses a writer that another process has overtaken',
      'stores exactly the entries of the writers that won, in two processes',
      'begins again after a task was deleted',
    ])
  })
})
