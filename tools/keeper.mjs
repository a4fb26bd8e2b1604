/** Shared parts of the programs that run a server for tests; see kept-server.ts. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The number of attempts to start a server on other ports, when another process takes its ports first. */
const ATTEMPTS = 5
const LONGEST_LOG = 100_000

/**
 * Runs a server until the standard input of this process ends, then stops it and deletes its data. Prints one line when it is ready. A line
 * of the input kills the server and starts it again.
 *
 * The process that starts this one is the only writer to its standard input, so a process that was killed ends its server too.
 * @param name - the start of the name of its folder.
 * @param prepare - makes the server ready to be started in a new, empty folder. Returns a function that starts it on ports that are free:
 * the process, and a promise of the line to print, or of null if it does not start. Called again with the same number, it starts the server
 * with its data on the same ports.
 * @param signal - what ends the server at once: its data is deleted anyway.
 */
export async function keepServer(name, prepare, signal) {
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  const input = createInterface(process.stdin)
  const inputEnded = once(process.stdin, 'close')
  const folder = await mkdtemp(join(tmpdir(), `${name}-`))
  let server = null
  try {
    const launch = await prepare(folder)
    const log = { text: '' }
    let attempt = 0
    const start = async () => {
      if (server) await end(server, signal)
      log.text = ''
      const started = await launch(attempt)
      server = started.server
      collect(server, log)
      return started.ready
    }
    let line = await start()
    while (line === null && ++attempt < ATTEMPTS) line = await start()
    for (;;) {
      if (line === null) throw new Error(log.text)
      process.stdout.write(`${line}\n`)
      const [event] = await Promise.race([once(input, 'line'), inputEnded, once(server, 'exit')])
      if (event !== 'restart') break
      line = await start()
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  } finally {
    if (server) await end(server, signal)
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    process.stdin.destroy()
  }
}

/** Whether a process has started and runs. */
export function isAlive(server) {
  return server.pid !== undefined && server.exitCode === null && server.signalCode === null
}

/** Returns ports of 127.0.0.1 that are free now, all different. */
export async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(probes.map((probe) => once(probe, 'listening')))
  const ports = probes.map((probe) => probe.address().port)
  for (const probe of probes) probe.close()
  await Promise.all(probes.map((probe) => once(probe, 'close')))
  return ports
}

/** Keeps what a server prints, for the message when it does not start. */
function collect(server, log) {
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (piece) => {
      if (log.text.length < LONGEST_LOG) log.text += piece
    })
  server.once('error', ({ message }) => {
    log.text += message
  })
}

async function end(server, signal) {
  if (!isAlive(server)) return
  server.kill(signal)
  await once(server, 'exit')
}
