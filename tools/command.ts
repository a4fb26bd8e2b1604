/**
 * Starts the programs of this repository, also on Windows, where commands of npm packages are `.cmd` files that only a shell starts. No
 * other tool starts a program by its name; `command.test.ts` refuses it.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'

export interface CommandOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Whether the output is returned instead of printed. */
  quiet?: boolean
  /** The text that the program reads. */
  input?: string
}

export interface CommandResult {
  /** 0 for success; also 1 if the program could not be started or was killed. */
  status: number
  /** The standard output, empty unless `quiet`. */
  stdout: string
  /** What the program printed, errors too, and why it could not be started; empty unless `quiet`. */
  output: string
}

/** The arguments of `spawn` on a platform. A shell gets arguments with blanks in quotation marks. */
export function spawnArguments(command: string, args: readonly string[], platform: NodeJS.Platform = process.platform) {
  const shell = platform === 'win32' && !/[\\/]/.test(command)
  const quoted = (argument: string) => (/[\s"&|<>^]/.test(argument) ? `"${argument.replaceAll('"', '\\"')}"` : argument)
  return { command, args: shell ? args.map(quoted) : [...args], shell }
}

/** Runs a program to its end. An error of starting it is printed or part of the output. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): CommandResult {
  const { cwd, env, quiet = false, input } = options
  const start = spawnArguments(command, args)
  const { status, stdout, stderr, error }: SpawnSyncReturns<string> = spawnSync(start.command, start.args, {
    cwd,
    env,
    input,
    shell: start.shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: quiet || input !== undefined ? 'pipe' : 'inherit',
  })
  const reason = error === undefined ? '' : `${command}: ${error.message}\n`
  if (!quiet && reason !== '') console.error(reason.trimEnd())
  if (!quiet) return { status: status ?? 1, stdout: '', output: '' }
  return { status: status ?? 1, stdout: stdout ?? '', output: `${stdout ?? ''}${stderr ?? ''}${reason}` }
}

/** Runs a program to its end, while others run. Its output is returned. */
export function runBeside(
  command: string,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const start = spawnArguments(command, args)
  const child = spawn(start.command, start.args, { cwd, env, shell: start.shell })
  let stdout = ''
  let output = ''
  child.stdout.on('data', (data) => (stdout += data))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ status: 1, stdout, output: `${output}${command}: ${message}\n` }))
    child.on('close', (status) => resolve({ status: status ?? 1, stdout, output }))
  })
}

/** Runs a program to its end, which must be a success. Returns its output. */
export async function mustRun(
  command: string,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  const { status, output } = await runBeside(command, args, cwd, env)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}
