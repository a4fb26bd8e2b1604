/**
 * Measures what a Restate server keeps of tasks that wait for a decision: the files in its folder, after so many tasks, when all of them
 * are suspended.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as restate from '@restatedev/restate-sdk'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { agentWorkflow } from '../src/index.ts'
import { serve } from './endpoint.ts'
import { agentOf, calls, scripted, tools } from './scripted.ts'

/** Runs begin together in groups of so many. */
const AT_ONCE = 50

export interface RestateStorage {
  tasks: number
  /** All files of the server, in bytes. */
  bytes: number
}

/** Measures the storage for each of these numbers of tasks, which must grow. */
export async function measureRestateStorage(counts: readonly number[]): Promise<RestateStorage[]> {
  const server = await startRestate()
  const waits = agentWorkflow({
    restate,
    name: 'waits',
    agent: (run) => agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }]), 'Paid.'), [tools().pay])(run),
    options: { inactivityTimeout: 100 },
  })
  const endpoint = await serve([waits])
  try {
    await registerServices(server, endpoint.uri)
    const found: RestateStorage[] = []
    let tasks = 0
    for (const count of counts) {
      for (; tasks < count; tasks += AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - tasks) }, (_, i) => submit(server, tasks + i)))
      tasks = count
      while ((await suspended(server)) < count) await sleep(500)
      // Until the server has written what it had in memory.
      await sleep(5000)
      found.push({ tasks: count, bytes: await sizeOf(server.folder) })
    }
    return found
  } finally {
    endpoint.close()
    await server.stop()
  }
}

async function submit({ ingress }: RestateServer, task: number): Promise<void> {
  const response = await fetch(`${ingress}/waits/task-${task}/run/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Order all parts.' }),
  })
  if (!response.ok) throw new Error(`submit: ${response.status} ${await response.text()}`)
}

async function suspended({ admin }: RestateServer): Promise<number> {
  const query =
    "SELECT count(*) AS tasks FROM sys_invocation WHERE target_handler_name = 'run' AND status = 'suspended'"
  const response = await fetch(`${admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { rows } = (await response.json()) as { rows: { tasks: number }[] }
  return rows[0]?.tasks ?? 0
}

/** What is written in the files of a folder, in bytes: the server reserves more on the disk. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    // The server replaces files meanwhile.
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}
