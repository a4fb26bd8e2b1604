/**
 * The page of all error codes. Each package declares its codes by `interface ToolkitErrors { code: Class }`; the comment of the class says
 * when the error is thrown and what to do, the message what was expected, and `retryable` whether the same call may succeed later.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from '../packages.ts'

export interface ErrorCode {
  readonly code: string
  readonly className: string
  readonly packageName: string
  /** The comment of the class, as one line. */
  readonly comment: string
  /** The message, with `…` for values; empty if it is made elsewhere. */
  readonly message: string
  /** The fields of the class, apart from those of its base class. */
  readonly fields: readonly string[]
  readonly retryable: boolean
}

/** The comments of classes, which name other code by `{@link Name}`. */
const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\* ?/gm, '')
    .split(/^@(?!link)/m)[0]!
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The strings of the call of `super`, in order; a template has `…` for its values. */
function stringsOf(call: string): string[] {
  const found: string[] = []
  for (const [, single, template] of call.matchAll(/'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g))
    found.push((single ?? withoutValues(template!)).replaceAll(/\\(['`])/g, '$1'))
  return found
}

/** Replaces the values of a template, which may contain braces, by `…`. */
function withoutValues(template: string): string {
  let text = ''
  let depth = 0
  for (let index = 0; index < template.length; index += 1) {
    if (depth === 0 && template.startsWith('${', index)) {
      depth = 1
      text += '…'
      index += 1
    } else if (depth > 0) depth += template[index] === '{' ? 1 : template[index] === '}' ? -1 : 0
    else text += template[index]
  }
  return text
}

/** The parts of a class that the page shows. */
function classOf(
  name: string,
  sources: readonly string[],
): (Omit<ErrorCode, 'code' | 'packageName'> & { ownCode: string | undefined }) | null {
  // At the beginning of a line: a glob in a string is no comment.
  const start = new RegExp(
    `(?:^/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\s*)?^export (?:abstract )?class ${name}\\b[^{]*\\{`,
    'm',
  )
  for (const source of sources) {
    const found = start.exec(source)
    if (found === null) continue
    const rest = source.slice(found.index + found[0].length)
    const body = rest.slice(0, rest.search(/^\}/m))
    const [, call = ''] = /super\(([\s\S]*?)\)\n/.exec(body) ?? []
    const texts = stringsOf(call).filter((text) => /[ .]/.test(text.trim()))
    return {
      className: name,
      ownCode: codesIn(`    super(${call}`)[0],
      comment: plain(found[1] ?? ''),
      message: texts.sort((one, other) => other.length - one.length)[0] ?? '',
      fields: [...body.matchAll(/^ {2}(?:declare )?readonly (\w+)/gm)].map(([, field]) => field!),
      retryable: /get retryable\(\): boolean \{\s*return (?!false)/.test(body),
    }
  }
  return null
}

/** The codes of the classes of a source. */
const codesIn = (source: string): string[] =>
  [...source.matchAll(/^ {4}super\(\s*(?:'\w+Error',\s*)?'([a-z]+(?:_[a-z]+)*)'/gm)].map(([, code]) => code!)

/** Returns the codes of all packages, sorted. @throws for a class whose code no package declares. */
export function errorCodes(): ErrorCode[] {
  const folders = packageFolders().map((folder) => {
    const paths = globSync('src/**/*.ts', { cwd: folder, exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts'] })
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name: name as string, sources: paths.map((path) => readFileSync(join(folder, path), 'utf8')) }
  })
  const codes = folders.flatMap(({ name: packageName, sources }) =>
    sources.flatMap((source) =>
      [...source.matchAll(/^ *(?:export )?interface ToolkitErrors \{([^}]*)\}/gm)].flatMap(([, body]) =>
        [...body!.matchAll(/^ *(\w+): (\w+)/gm)].map(([, code, className]) => {
          const found = classOf(className!, sources)
          if (found === null || found.comment === '')
            throw new Error(`${packageName}: the class ${className} of the error ${code} has no comment.`)
          const { ownCode, ...shown } = found
          if (ownCode !== undefined && ownCode !== code)
            throw new Error(`${packageName}: ${className} has the code ${ownCode}, and is declared as ${code}.`)
          return { code: code!, packageName, ...shown }
        }),
      ),
    ),
  )
  const declared = new Set(codes.map(({ code }) => code))
  const missing = folders.flatMap(({ sources }) => sources.flatMap(codesIn)).filter((code) => !declared.has(code))
  if (missing.length > 0) throw new Error(`No interface ToolkitErrors contains ${missing.join(', ')}.`)
  return codes.sort((one, other) => (one.code < other.code ? -1 : 1))
}

/** Whether a message says nothing apart from its values. */
const isEmpty = (message: string): boolean => !/\w\w/.test(message)

/**
 * Returns when an error is thrown, and what to do: the first sentence of the comment, and the others.
 * @throws if neither the comment nor the second part of the message says what to do.
 */
export function adviceOf({ className, comment, message }: Pick<ErrorCode, 'className' | 'comment' | 'message'>): {
  when: string
  advice: string[]
} {
  const [when = '', ...advice] = comment.split(/(?<=[.?])\s+(?=[A-Z`])/)
  // "Task … is running a step; wait for it."
  if (advice.length === 0 && !/[;.] \S/.test(message))
    throw new Error(`${className}: its comment and its message do not say what to do; add a sentence to the comment.`)
  return { when, advice }
}

/** How a program recognizes the error, with what it contains. Also the key of its link to the playground. */
export function sampleOf({ code, fields }: Pick<ErrorCode, 'code' | 'fields'>): string {
  // Agents read `fatal`; a program has nothing to do about it.
  const shown = ['message', ...fields.filter((field) => field !== 'fatal')].map((field) => `error.${field}`).join(', ')
  return `if (isToolkitError(error, '${code}'))\n  console.log(${shown})\n`
}

/** "Thrown when a tool exceeds its time limit." as what happened. */
function happened(when: string): string {
  const text = when.replace(/^Thrown (?:when|while) /, '')
  return text[0]!.toUpperCase() + text.slice(1)
}

/** The section of a code. */
function section(error: ErrorCode, causes: readonly string[]): string {
  const { code, className, packageName, message, retryable } = error
  const { when, advice } = adviceOf(error)
  const todo = [
    ...(advice.length > 0 ? advice : ['Do what the end of the message says.']),
    ...(retryable ? ['The same call may succeed later: `retryable` says so.'] : []),
  ]
  const page = `[${packageName}](/packages/${packageName.split('/')[1]}#errors)`
  const says = isEmpty(message) ? '' : ` Its message: *${message.replaceAll('*', '\\*').replaceAll('\\n', ' ')}*`
  return `## \`${code}\`

${happened(when)} \`${className}\` of ${page}.${says}

Usual causes:

${causes.map((cause) => `- ${cause}`).join('\n')}

**What to do.** ${todo.join(' ')}

\`\`\`ts
${sampleOf(error)}\`\`\`
`
}

/** Returns the page. */
export function errorsPage(): string {
  const codes = errorCodes()
  const causes = errorCauses(codes.map(({ code }) => code))
  const packages = new Set(codes.map(({ packageName }) => packageName))
  const rows = codes.map((error) => {
    const { when } = adviceOf(error)
    return `| [\`${error.code}\`](#${error.code}) | ${happened(when).replaceAll('|', '\\|')} | ${error.packageName} |`
  })
  const sections = codes.map((error) => section(error, causes.get(error.code)!))
  return `---
codes: true
aside: false
pageClass: full-width
---

# Error codes

All ${codes.length} codes of ${packages.size} packages. A code never changes; messages and classes may. Every error of these packages prints the address of its code on this page.
Errors of your own tools and of the file system are thrown unchanged and have no code.

A program recognizes an error by its code; the compiler then knows the fields of its class. The errors of submitted tasks, which \`answer\` of \`@x/durable\` throws,
and those in events were JSON: they have \`name\`, \`code\` and \`message\` alone.

\`\`\`ts
import { isToolkitError } from '@x/core-model'

try {
  await agent.chat('How warm is it in Paris?')
} catch (error) {
  if (!isToolkitError(error, 'tool_timeout')) throw error
  console.log(error.toolName, error.milliseconds)
}
\`\`\`

[[filter]]

| code | what happened | package |
| --- | --- | --- |
${rows.join('\n')}

${sections.join('\n')}`
}

/** The number of causes of each code. */
const CAUSES = 3

/**
 * Returns the causes by code.
 * @throws if a code of the packages has not three of them, or a section names no code.
 */
export function errorCauses(
  codes: readonly string[],
  text = readFileSync(join(import.meta.dirname, 'error-causes.md'), 'utf8'),
): Map<string, string[]> {
  const causes = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [code = '', ...lines] = section.split('\n')
        return [code.trim(), lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))] as const
      }),
  )
  const wrong = codes.filter((code) => causes.get(code)?.length !== CAUSES)
  if (wrong.length > 0) throw new Error(`tools/site/error-causes.md: expected ${CAUSES} causes of ${wrong.join(', ')}.`)
  const unknown = [...causes.keys()].filter((code) => !codes.includes(code))
  if (unknown.length > 0) throw new Error(`tools/site/error-causes.md: no package has the code ${unknown.join(', ')}.`)
  return causes
}
