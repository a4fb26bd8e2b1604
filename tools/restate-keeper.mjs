/**
 * Runs a Restate server until the standard input ends, then stops it and deletes its data. Started by restate-server.ts; prints its
 * addresses and its process id as JSON.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const inputEnded = once(process.stdin.resume(), 'close')
const folder = await mkdtemp(join(tmpdir(), 'restate-'))
let server = null
try {
  const started = await start()
  server = started.server
  process.stdout.write(`${JSON.stringify({ ...started.addresses, pid: server.pid })}\n`)
  await Promise.race([inputEnded, once(server, 'exit')])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  if (isAlive(server)) {
    // At once: the data is deleted anyway.
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  process.stdin.destroy()
}

function isAlive(process) {
  return process && process.exitCode === null && process.signalCode === null
}

/** The program of the npm package for this system. */
function program() {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  try {
    // The package for the system is a dependency of the package with the common name.
    const from = createRequire(createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'))
    return from.resolve(`${name}/bin/restate-server`)
  } catch (cause) {
    throw new Error(`${name} is not installed: there is no Restate server for tests on this system.`, { cause })
  }
}

/** Starts the server on free ports. Another process may take one of them first: then on different ones. */
async function start() {
  let log = ''
  for (let attempt = 0; attempt < 5; attempt++) {
    const [ingress, admin, node] = await Promise.all([freeAddress(), freeAddress(), freeAddress()])
    const base = join(folder, `${attempt}`)
    const server = spawn(program(), ['--no-logo', '--base-dir', base, '--node-name', 'test', '--listen-mode', 'tcp'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        // The folders that it makes for temporary data stay behind when it is killed.
        TMPDIR: folder,
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
        RESTATE_DEFAULT_NUM_PARTITIONS: '4',
        RESTATE_LOG_FILTER: 'warn',
        // A proxy that knows connections only can spread the work over several processes then.
        RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: '8',
        RESTATE_BIND_ADDRESS: node,
        RESTATE_ADVERTISED_ADDRESS: `http://${node}`,
        RESTATE_INGRESS__BIND_ADDRESS: ingress,
        RESTATE_ADMIN__BIND_ADDRESS: admin,
      },
    })
    log = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (piece) => {
        if (log.length < 100_000) log += piece
      })
    server.once('error', ({ message }) => {
      log += message
    })
    const addresses = { ingress: `http://${ingress}`, admin: `http://${admin}` }
    if (await isReady(server, [`${addresses.ingress}/restate/health`, `${addresses.admin}/health`]))
      return { server, addresses }
    server.kill('SIGKILL')
  }
  throw new Error(log)
}

async function isReady(server, urls) {
  for (let attempt = 0; attempt < 600 && isAlive(server); attempt++) {
    const responses = await Promise.all(urls.map((url) => fetch(url).catch(() => null)))
    if (responses.every((response) => response?.ok)) return true
    await pause(50)
  }
  return false
}

async function freeAddress() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return `127.0.0.1:${port}`
}
