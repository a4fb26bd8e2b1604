/**
 * @module
 * The program: reads the arguments, asks for what is missing, makes the project, and prints what to do next.
 */

import { relative, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Arguments, HELP, ProgramError, readArguments } from './arguments.ts'
import { lowestNode, type Manager, makeProject, ownVersion, type ProjectChoice } from './make-project.ts'
import { type ModelName, models, type Template, templates } from './templates.ts'

/** The environment of the program. */
interface CreateContext {
  stdin: Readable & { isTTY?: boolean | undefined }
  stdout: Writable & { isTTY?: boolean | undefined }
  stderr: Writable
  /** Read for the package manager, in `npm_config_user_agent`. */
  env: Readonly<Record<string, string | undefined>>
  /** The folder of relative paths. */
  cwd: string
  /** The version of Node that will run the project, such as `22.18.0`. @defaultValue the one that runs this program */
  node?: string | undefined
}

/**
 * Runs the program, and returns its exit code.
 * @param argv - the arguments of the command line.
 */
export async function createProject(argv: readonly string[], context: CreateContext): Promise<number> {
  const { stdout, stderr } = context
  try {
    const args = readArguments(argv)
    if (args === 'help') stdout.write(HELP)
    else if (args === 'version') stdout.write(`${ownVersion()}\n`)
    else {
      checkNode(context.node ?? process.versions.node)
      const choice = await complete(args, context)
      makeProject(choice)
      stdout.write(nextSteps(choice, context))
    }
    return 0
  } catch (error) {
    if (error instanceof StoppedError) return 130
    if (!(error instanceof ProgramError)) throw error
    stderr.write(`${error.message}\n`)
    return error.exitCode
  }
}

/** Refuses a Node that cannot run the projects, before anything is written. @throws {ProgramError} for an older one. */
function checkNode(version: string): void {
  const lowest = lowestNode()
  const [has, needs] = [version, lowest].map((text) => text.split('.').map(Number))
  const isOlder = has![0]! < needs![0]! || (has![0] === needs![0] && has![1]! < needs![1]!)
  if (isOlder)
    throw new ProgramError(1, `The project needs Node ${lowest} or newer, and this is ${version}. Nothing was written.`)
}

/** Asks for what is missing. @throws {ProgramError} without a terminal. */
async function complete({ folder, template, model }: Arguments, context: CreateContext): Promise<ProjectChoice> {
  const { stdin: input, stdout: output, cwd } = context
  const manager = managerOf(context)
  if (folder !== null && template !== null && (model !== null || !isTerminal(context)))
    return { folder: resolve(cwd, folder), template, model: model ?? standardModel, manager }
  if (!isTerminal(context)) {
    const missing = [folder === null && 'FOLDER', template === null && '--template'].filter(Boolean).join(' and ')
    throw new ProgramError(2, `${missing}: missing; without a terminal, pass it as an argument.\n\n${HELP}`)
  }
  const questions: Questions = askUser({ input, output })
  try {
    return {
      folder: resolve(cwd, folder ?? (await questions.line('Folder?', 'my-app'))),
      template: template ?? (await questions.choice('What do you build?', templates)),
      model: model ?? (await questions.choice('Which model?', models)),
      manager,
    }
  } finally {
    questions.close()
  }
}

const standardModel: ModelName = 'openai'

const isTerminal = ({ stdin, stdout }: CreateContext): boolean => stdin.isTTY === true && stdout.isTTY === true

/** The package manager says its name first: `pnpm/10.1.0 npm/? node/v24`. */
function managerOf({ env }: CreateContext): Manager {
  const [name] = (env['npm_config_user_agent'] ?? '').split('/')
  return (['pnpm', 'yarn', 'bun'] as const).find((manager) => manager === name) ?? 'npm'
}

function nextSteps({ folder, template, model, manager }: ProjectChoice, { cwd }: CreateContext): string {
  const { title }: Template = templates[template]
  const place = relative(cwd, folder)
  const path = /\s/.test(place) ? `"${place}"` : place
  const steps = [
    ...(place === '' ? [] : [`cd ${path}`]),
    `${manager} install`,
    manager === 'bun' ? 'bun run start' : `${manager} start`,
  ]
  return `\nMade ${path || 'the project'}: ${title[0]!.toLowerCase()}${title.slice(1)}.

${steps.map((step) => `  ${step}\n`).join('')}
The model: ${models[model].title}. README.md says how to change it.
`
}

/** Where a user is asked. */
interface Terminal {
  input: Readable
  output: Writable
}

/** Asks one question after the other. */
interface Questions {
  /** Returns a line; `byDefault` for an empty one. */
  line(question: string, byDefault: string): Promise<string>
  /** Returns the name of a choice, which the user writes or counts. An empty line is the first one. */
  choice<Name extends string>(question: string, choices: Readonly<Record<Name, { title: string }>>): Promise<Name>
  close(): void
}

/** The user ended the questions. */
class StoppedError extends Error {}

/** Begins to ask. @throws {StoppedError} from a question, when the user ends the input or presses Ctrl-C. */
function askUser({ input, output }: Terminal): Questions {
  const lines = createInterface({ input, output })
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  // Keeps what is typed or pasted before its question.
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    lines.setPrompt(question)
    if (isOpen) lines.prompt()
    const { done, value } = await typed.next()
    if (done) throw new StoppedError()
    return value.trim()
  }
  return {
    line: async (question, byDefault) => (await ask(`${question} (${byDefault}) `)) || byDefault,
    async choice<Name extends string>(question: string, choices: Readonly<Record<Name, { title: string }>>) {
      const names = Object.keys(choices) as Name[]
      const rows = names.map((name, index) => `  ${index + 1}  ${name.padEnd(11)}${choices[name].title}\n`)
      output.write(`${question}\n${rows.join('')}`)
      for (;;) {
        const said = (await ask('(1) ')) || '1'
        const found = names.find((name, index) => said === name || said === String(index + 1))
        if (found !== undefined) return found
        output.write(`Expected a number from 1 to ${names.length}, or a name.\n`)
      }
    },
    close: () => lines.close(),
  }
}
