// @module-tag system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startPostgres } from './postgres-server.ts'

/** Whether a Postgres server answers: a server without TLS answers the request for it with the letter N. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    const [answer] = await once(socket, 'data')
    return String(answer) === 'N'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function stopsAnswering(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (!(await answers(port))) return true
    await setTimeout(50)
  }
  return false
}

describe('startPostgres', () => {
  it('starts servers that answer until they are stopped', async () => {
    const servers = await Promise.all([startPostgres(), startPostgres()])
    const [first, second] = servers
    expect(await Promise.all(servers.map(({ port }) => answers(port)))).toEqual([true, true])
    await first.stop()
    expect([await answers(first.port), await answers(second.port)]).toEqual([false, true])
    await second.stop()
    await second.stop()
    expect(await answers(second.port)).toBe(false)
  })

  it('ends the server of a process that was killed', async () => {
    const program = `
      import { startPostgres } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url).href)}
      console.log((await startPostgres()).port)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const port = Number((await once(child.stdout, 'data'))[0])
    expect(await answers(port)).toBe(true)
    child.kill('SIGKILL')
    expect(await stopsAnswering(port)).toBe(true)
  })
})
