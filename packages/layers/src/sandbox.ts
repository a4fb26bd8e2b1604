/**
 * @module
 * Code as a tool, which a sandbox of the application runs.
 */
import type { Layer } from '@x/agents/loop'
import { plainTool } from '@x/agents/protocol'
import {
  callback,
  checkOption,
  checkOptions,
  choice,
  flag,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { kindOf } from '@x/core/values'
import { ConfigurationError } from '@x/core-model'
import { anySignal, raceAbort } from '@x/core-model/async'
import { withTools, word } from './layer-parts.ts'

/** The limits of a run of code. The sandbox enforces that of memory; time and output are limited here too. */
interface SandboxLimits {
  /** How long the code may run, in milliseconds. @defaultValue 30000 */
  timeoutMs: number
  /** The memory of the code, in MiB. @defaultValue 256 */
  memoryMb: number
  /** The characters of the output; the middle of a longer one is left out. @defaultValue 20000 */
  maxOutput: number
}

/** Code to run. */
export interface SandboxRequest extends SandboxLimits {
  code: string
  language: string
  /** Aborted when the time is over or the run is cancelled: end the code then. */
  signal: AbortSignal
  /** The same if the call is repeated after a crash. */
  idempotencyKey: string | undefined
}

/** What code has written. */
export interface SandboxResult {
  output: string
  /** 0 for success. @defaultValue 0 */
  exitCode?: number | undefined
}

/** Options of {@link sandbox}. */
interface SandboxOptions extends Partial<SandboxLimits> {
  /** The languages that the sandbox can run, at least one. @defaultValue ['javascript'] */
  languages?: readonly string[] | undefined
  /** What the model should know: versions, libraries, files, whether there is a network. @defaultValue '' */
  description?: string | undefined
  /** Whether code must be approved before it runs. @defaultValue false */
  needsApproval?: boolean | 'after-untrusted' | undefined
  /** Whether outputs are text from outside. Set it to false for a sandbox without network and foreign files. @defaultValue true */
  untrusted?: boolean | undefined
}

const OPTIONS: OptionTable<SandboxOptions> = {
  timeoutMs: wholeNumber(1),
  memoryMb: wholeNumber(1),
  maxOutput: wholeNumber(1),
  languages: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => one && typeof one === 'string')
      ? undefined
      : 'an array of at least one name',
  description: text,
  needsApproval: choice(true, false, 'after-untrusted'),
  untrusted: flag,
}

/**
 * Adds the tool `run_code`. The code is run by a function of the application, in a container, a worker or a service, never in
 * this process by the package.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function sandbox(run: (request: SandboxRequest) => Promise<SandboxResult>, options: SandboxOptions = {}): Layer {
  checkOption('sandbox', 'run', run, required(callback))
  checkOptions('sandbox', options, OPTIONS)
  const { timeoutMs = 30_000, memoryMb = 256, maxOutput = 20_000, untrusted = true } = options
  const { languages = ['javascript'], description = '', needsApproval = false } = options
  const language = { type: 'string', enum: languages } as const
  const tool = plainTool({
    name: 'run_code',
    description:
      `Runs code and returns what it prints. At most ${timeoutMs} ms and ${memoryMb} MiB. ${description}`.trim(),
    needed: { code: word, ...(languages.length > 1 && { language }) },
    optional: { language },
    needsApproval,
    fn: async ({ code, language = languages[0]! }, { signal: outer, idempotencyKey }) => {
      const late = new AbortController()
      const { signal, release } = anySignal(outer, late.signal)
      const error = new Error(`the code ran longer than ${timeoutMs} ms`)
      const timer = setTimeout(() => late.abort(error), timeoutMs)
      try {
        const request = { code, language, timeoutMs, memoryMb, maxOutput, signal, idempotencyKey }
        // A sandbox that ignores the signal does not hold up the agent.
        const { output, exitCode = 0 } = checkedResult(await raceAbort(run(request), signal))
        const note = exitCode === 0 ? '' : `\n[exit code ${exitCode}]`
        return { content: clipped(output, maxOutput) + note, rawOutput: { exitCode }, untrusted }
      } finally {
        clearTimeout(timer)
        release()
      }
    },
  })
  return withTools('sandbox', [tool])
}

/** @throws {ConfigurationError} for a value that is no result. */
function checkedResult(result: SandboxResult): SandboxResult {
  const { output, exitCode = 0 } = Object(result) as Partial<SandboxResult>
  if (typeof output === 'string' && typeof exitCode === 'number') return result
  const received = kindOf(typeof output === 'string' ? exitCode : (output ?? result))
  throw new ConfigurationError(
    `sandbox.run: expected it to return { output: string, exitCode?: number }, received ${received}.`,
  )
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, most - half)}\n[… ${text.length - most} characters left out …]\n${text.slice(text.length - half)}`
}
