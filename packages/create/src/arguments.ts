/**
 * @module
 * Parses the command line.
 */
import { parseArgs } from 'node:util'
import { isToolkitError } from '@x/core'
import { checkOptions, flag, text } from '@x/core/options'
import { type ModelName, models, type TemplateName, templates } from './templates.ts'

/**
 * @module
 * The errors that end the program.
 */

/** An error that the user can resolve. Only its message is shown. */
export class ProgramError extends Error {
  /** 1: the project cannot be written; 2: wrong arguments. */
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.name = 'ProgramError'
    this.exitCode = exitCode
  }
}

const rows = (choices: Readonly<Record<string, { title: string }>>): string =>
  Object.entries(choices)
    .map(([name, { title }]) => `              ${name.padEnd(11)}${title}`)
    .join('\n')

export const HELP = `Usage: npm create @x FOLDER -- --template TEMPLATE [--model MODEL]

Makes a project that runs, without a key too: TypeScript, a page, a server, a README.

  FOLDER      a new or empty folder; "." is the current one
  --template  what is made:
${rows(templates)}
  --model     the model that the project begins with; openai by default:
${rows(models)}
  --version
  --help

In a terminal, what is missing is asked. npm needs the "--"; pnpm, Yarn and Bun do not: pnpm create @x FOLDER --template chat.
Exit codes: 0 made; 1 the folder is not empty or cannot be written, or Node is too old; 2 wrong or missing arguments; 130 stopped by Ctrl-C.
`

/** The parsed command line; null for what was not named. */
export interface Arguments {
  folder: string | null
  template: TemplateName | null
  model: ModelName | null
}

/** Parses the command line. @throws {ProgramError} when it is wrong. */
export function readArguments(argv: readonly string[]): Arguments | 'help' | 'version' {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    strict: false,
    options: {
      template: { type: 'string' },
      // What some documentation calls it.
      door: { type: 'string' },
      model: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  })
  checkNames(values)
  if (values['help']) return 'help'
  if (values['version']) return 'version'
  const [folder = null, ...others] = positionals
  // npm takes options before its "--" for its own, and passes their values on.
  if (others.length > 0)
    throw new ProgramError(
      2,
      `Expected one folder, received ${positionals.join(' ')}. With npm, options come after "--": npm create @x FOLDER -- --template TEMPLATE`,
    )
  if (folder === '') throw new ProgramError(2, 'FOLDER: expected a path, received an empty string.')
  const template = chosen('--template', templates, values['template'] ?? values['door'])
  return { folder, template, model: chosen('--model', models, values['model']) }
}

/** Refuses options that do not exist, with the most similar one. */
function checkNames(values: Readonly<Record<string, unknown>>): void {
  try {
    checkOptions('create', values, { template: text, door: text, model: text, help: flag, version: flag })
  } catch (error) {
    if (!isToolkitError(error, 'model_validation')) throw error
    const lines = error.issues.map(({ path, message }) => `--${path}: ${message.replace('did you mean ', '$&--')}`)
    throw new ProgramError(2, `${lines.join('\n')}\nSee --help.`)
  }
}

function chosen<Name extends string>(
  option: string,
  choices: Readonly<Record<Name, unknown>>,
  value: unknown,
): Name | null {
  if (value === undefined) return null
  const names = Object.keys(choices) as Name[]
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw new ProgramError(2, `${option}: expected ${names.join(', ')}; received "${value}".`)
}
