import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, spawnArguments } from '../../../../tools/command.ts'

/** A Redis server with empty data. */
export interface RedisServer {
  url: string
  /** Kills the server at once, and starts it again with its data at its address. */
  restart(): Promise<void>
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts a Redis server for tests: the `redis-server` of the system, which is installed from the packages of Debian if it is missing. Each
 * write is synchronized with the disk. It ends with the process that started it.
 * @throws if there is no `redis-server` and it cannot be installed.
 */
export async function startRedis(): Promise<RedisServer> {
  install()
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  let child: ChildProcess
  const end = () => child.kill('SIGKILL')
  const start = async () => {
    const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes']
    const { command: program, args, shell } = spawnArguments('redis-server', [...own, '--appendfsync', 'always'])
    child = spawn(program, args, { shell, stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const text of child.stdout!) if (/ready to accept connections/i.test(String(text))) break
    child.stdout!.resume()
    if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}.`)
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    end()
    await once(child, 'exit')
  }
  await start()
  process.once('exit', end)
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await kill()
      await start()
    },
    async stop() {
      process.off('exit', end)
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function install(): void {
  const isThere = () => runCommand('redis-server', ['--version'], { quiet: true }).status === 0
  if (isThere()) return
  // The service that the package would start is not needed.
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
  ])
    runCommand('apt-get', args, {
      quiet: true,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
  if (!isThere())
    throw new Error('The tests of @x/redis need redis-server, and `apt-get install redis-server` did not install it.')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** For `globalSetup` of Vitest: starts a Redis server for all tests of a package. Its address is in the environment variable REDIS_URL. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startRedis()
  process.env['REDIS_URL'] = server.url
  return () => server.stop()
}
