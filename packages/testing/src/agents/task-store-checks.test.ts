import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryTaskStore } from '@x/agents'
import type { JournalEntry } from '@x/agents/store'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { taskStoreChecks } from './task-store-checks.ts'

describe('a store in memory', () => {
  for (const { name, run } of taskStoreChecks(() => new MemoryTaskStore())) it(name, run)
})

describe('a store in files', () => {
  const newFileStore = async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))
  for (const { name, run } of taskStoreChecks(newFileStore, ({ folder }) => new FileTaskStore(folder))) it(name, run)
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
