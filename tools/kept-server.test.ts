// @module-tag system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startPostgres } from './postgres-server.ts'
import { registerServices, startRestate } from './restate-server.ts'

/** Whether a Postgres server answers: a server without TLS answers the request for it with the letter N. */
async function postgresAnswers(port: string): Promise<boolean> {
  const socket = connect(Number(port), '127.0.0.1')
  try {
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    // A server that is about to end closes the connection without an answer.
    const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return String(answer) === 'N'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const restateAnswers = (admin: string) =>
  fetch(`${admin}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

/** The servers: how one is started, its address, and whether a server answers there. */
const servers = [
  { name: 'postgres', start: startPostgres, address: 'port', answers: postgresAnswers },
  { name: 'restate', start: startRestate, address: 'admin', answers: restateAnswers },
] as const

describe.each(servers)('the server $name', ({ name, start, address, answers }) => {
  const addressOf = (server: object) => String(Reflect.get(server, address))

  it('answers until it is stopped, beside others', async () => {
    const [first, second] = await Promise.all([start(), start()])
    const state = () => Promise.all([first, second].map((server) => answers(addressOf(server))))
    expect(await state()).toEqual([true, true])
    await first.stop()
    expect(await state()).toEqual([false, true])
    await second.stop()
    await second.stop()
    expect(await state()).toEqual([false, false])
  })

  it('ends with a process that was killed', async () => {
    const program = `
      import { ${start.name} } from ${JSON.stringify(new URL(`./${name}-server.ts`, import.meta.url).href)}
      console.log((await ${start.name}()).${address})
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const found = String((await once(child.stdout, 'data'))[0]).trim()
    expect(await answers(found)).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => answers(found)).toBe(false)
  })
})

it('a Restate server that is restarted is another process at the same address', async () => {
  const server = await startRestate()
  const { pid, admin } = server
  await server.restart()
  expect(server.pid).not.toBe(pid)
  expect(server.admin).toBe(admin)
  expect(await restateAnswers(admin)).toBe(true)
  await server.stop()
  expect(await restateAnswers(admin)).toBe(false)
})

it('refuses services at an address where nobody answers', async () => {
  const server = await startRestate()
  expect((await fetch(`${server.ingress}/restate/health`)).status).toBe(200)
  await expect(registerServices(server, 'http://127.0.0.1:9')).rejects.toThrow('registerServices: http://127.0.0.1:9')
  await server.stop()
})
