// @module-tag system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { registerServices, startRestate } from './restate-server.ts'

async function answers(admin: string): Promise<boolean> {
  return fetch(`${admin}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function stopsAnswering(admin: string): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (!(await answers(admin))) return true
    await setTimeout(50)
  }
  return false
}

describe('startRestate', () => {
  it('starts a server that answers until it is stopped', async () => {
    const server = await startRestate()
    expect(await answers(server.admin)).toBe(true)
    expect((await fetch(`${server.ingress}/restate/health`)).status).toBe(200)
    await expect(registerServices(server, 'http://127.0.0.1:9')).rejects.toThrow('registerServices: http://127.0.0.1:9')
    await server.stop()
    await server.stop()
    expect(await answers(server.admin)).toBe(false)
  })

  it('ends the server of a process that was killed', async () => {
    const program = `
      import { startRestate } from ${JSON.stringify(new URL('./restate-server.ts', import.meta.url).href)}
      console.log((await startRestate()).admin)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const admin = String((await once(child.stdout, 'data'))[0]).trim()
    expect(await answers(admin)).toBe(true)
    child.kill('SIGKILL')
    expect(await stopsAnswering(admin)).toBe(true)
  })
})
