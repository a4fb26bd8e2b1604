/** Projects of templates inside of this package, whose installed packages and sources they use. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeProject } from '../src/make-project.ts'
import type { TemplateName } from '../src/templates.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.projects')

/** Makes the project of a template. */
export function projectOf(template: TemplateName): string {
  mkdirSync(folder, { recursive: true })
  const project = mkdtempSync(join(folder, `${template}-`))
  makeProject({ folder: project, template, model: 'none', manager: 'npm' })
  return project
}

export const deleteProject = (project: string): void => rmSync(project, { recursive: true, force: true })

/** Runs an installed program in a project, and returns what it printed. @throws if it fails. */
export function runIn(project: string, bin: string, ...args: string[]): string {
  const path = join(root, 'node_modules', bin)
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`${bin} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Builds the page of a project. */
export const buildPage = (project: string): string => runIn(project, 'vite/bin/vite.js', 'build', '--logLevel', 'warn')

export interface Started {
  url: string
  /** Ends the server, without a signal as a crash does. Returns its exit code. */
  kill(signal?: NodeJS.Signals): Promise<unknown>
}

/** Starts the server of a project from the sources of the packages. @param port - 0 for any */
export async function startServer(project: string, port = 0): Promise<Started> {
  const env = { ...process.env, PORT: String(port), MODEL: 'none' }
  const args = ['--conditions=@x/source', '--no-warnings', 'server/server.ts']
  const server = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await addressOf(server)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    server.kill(signal)
    return ended
  }
  return { url, kill }
}

async function addressOf(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) if (line.startsWith('http')) return line
  throw new Error('The server ended before it printed its address.')
}
