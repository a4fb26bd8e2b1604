/** A registry on this machine, for the rehearsal of a release. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mustRun } from '../command.ts'

/** The folder with the registry and the package managers, which are installed on first use. */
export const registryFolder = join(import.meta.dirname, '..', 'registry')

export interface Registry {
  url: string
  /** An npmrc with a token that may publish. */
  userConfig: string
  process: ChildProcess
}

/** A free port of this machine. */
export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    }),
  )
}

/** Starts a registry that knows no other, where publishing needs a token. Its data are in a folder. */
export async function startRegistry(data: string): Promise<Registry> {
  await mustRun('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn'], registryFolder)
  const url = `http://127.0.0.1:${await freePort()}`
  const config = join(data, 'registry.yaml') // JSON is YAML
  const settings = {
    storage: join(data, 'storage'),
    auth: { htpasswd: { file: join(data, 'htpasswd') } },
    packages: { '**': { access: '$all', publish: '$authenticated' } },
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
  writeFileSync(config, JSON.stringify(settings))
  const bin = join(registryFolder, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const args = [bin, '--config', config, '--listen', url.slice('http://'.length)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  try {
    for (let tries = 0; !(await fetch(`${url}/-/ping`).catch(() => null))?.ok; tries += 1) {
      if (tries === 300) throw new Error('The registry did not start.')
      await setTimeout(100)
    }
    const response = await fetch(`${url}/-/user/org.couchdb.user:rehearsal`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'rehearsal', password: 'rehearsal-only' }),
    })
    const { token } = (await response.json()) as { token: string }
    const userConfig = join(data, 'npmrc')
    writeFileSync(userConfig, `registry=${url}/\n${url.slice('http:'.length)}/:_authToken=${token}\n`)
    return { url, userConfig, process: child }
  } catch (error) {
    child.kill()
    throw error
  }
}
