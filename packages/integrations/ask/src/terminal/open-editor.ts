/**
 * @module
 * Opens a file at a line in the editor of the user.
 */
import { spawn } from 'node:child_process'
import { basename } from 'node:path'

/** Returns the program and the arguments that open a file at a line; null if the environment names no editor. */
export function editorCommand(
  env: Readonly<Record<string, string | undefined>>,
  file: string,
  line: number,
): [string, ...string[]] | null {
  const [program, ...args] = (env['VISUAL'] || env['EDITOR'] || '').split(/\s+/).filter((part) => part !== '')
  if (program === undefined) return null
  const name = basename(program).replace(/\.(?:exe|cmd)$/i, '')
  if (/^(?:code|codium|cursor|windsurf)/.test(name)) return [program, ...args, '--goto', `${file}:${line}`]
  if (/^(?:subl|zed|hx|helix)/.test(name)) return [program, ...args, `${file}:${line}`]
  if (/^(?:idea|webstorm|phpstorm|pycharm)/.test(name)) return [program, ...args, '--line', String(line), file]
  return [program, ...args, `+${line}`, file]
}

/** Runs an editor in this terminal until it ends. Returns why it did not start; null if it did. */
export function runEditor([program, ...args]: [string, ...string[]]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    child.once('error', (error: NodeJS.ErrnoException) => resolve(`${program}: ${error.code ?? error.message}`))
    child.once('exit', () => resolve(null))
  })
}
