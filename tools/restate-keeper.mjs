/** Runs a Restate server; see keeper.mjs. Prints its addresses and its process id as JSON. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, isAlive, keepServer } from './keeper.mjs'

/** The ports of each attempt. */
const ports = []
await keepServer('restate', (folder) => (attempt) => launch(folder, attempt), 'SIGKILL')

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

async function launch(folder, attempt) {
  ports[attempt] ??= await freePorts(3)
  const [ingress, admin, node] = ports[attempt].map((port) => `127.0.0.1:${port}`)
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
      // So that a proxy of connections can distribute the work over several processes.
      RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: '8',
      RESTATE_BIND_ADDRESS: node,
      RESTATE_ADVERTISED_ADDRESS: `http://${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: ingress,
      RESTATE_ADMIN__BIND_ADDRESS: admin,
    },
  })
  const addresses = { ingress: `http://${ingress}`, admin: `http://${admin}` }
  const urls = [`${addresses.ingress}/restate/health`, `${addresses.admin}/health`]
  const line = JSON.stringify({ ...addresses, folder, pid: server.pid })
  return { server, ready: isReady(server, urls).then((ready) => (ready ? line : null)) }
}

async function isReady(server, urls) {
  for (let attempt = 0; attempt < 600 && isAlive(server); attempt++) {
    const responses = await Promise.all(urls.map((url) => fetch(url).catch(() => null)))
    if (responses.every((response) => response?.ok)) return true
    await pause(50)
  }
  return false
}
