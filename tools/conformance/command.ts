/** The files of cases in a folder. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Area, type Case, type Failure, runCase, summaryOf } from './case.ts'
import { showDifferences } from './compare.ts'
import { didYouMean, isObject } from './given.ts'

/** The content of a file of cases. */
export interface CaseFile {
  file: string
  area: string
  cases: Case[]
  /** The reasons why the file or some of its cases cannot be read. Each counts as a failure. */
  faults: string[]
}

/** Reads every JSON file of a folder, in the order of their names. */
export function readCaseFiles(folder: string): CaseFile[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((file) => readCaseFile(file, readFileSync(join(folder, file), 'utf8')))
}

function readCaseFile(file: string, text: string): CaseFile {
  const result: CaseFile = { file, area: basename(file, '.json'), cases: [], faults: [] }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    result.faults.push(`${file}: not JSON (${error instanceof Error ? error.message : error})`)
    return result
  }
  if (!isObject(content) || !Array.isArray(content['cases'])) {
    result.faults.push(`${file}: expected an object with a list "cases"`)
    return result
  }
  if (typeof content['area'] === 'string') result.area = content['area']
  for (const [index, item] of content['cases'].entries()) {
    const fault = faultOf(item)
    if (fault === null) result.cases.push(item)
    else result.faults.push(`${file}: cases[${index}]${fault}`)
  }
  return result
}

/** Returns what is wrong with a case, or null. */
function faultOf(item: unknown): string | null {
  if (!isObject(item)) return `: expected an object, received ${JSON.stringify(item)}`
  const isText = (value: unknown) => typeof value === 'string'
  const parts = { id: isText, op: isText, given: isObject, expect: isObject }
  const wrong = Object.entries(parts).find(([key, fits]) => !fits(item[key]))
  if (wrong === undefined) return null
  const [key, fits] = wrong
  return `.${key}: expected ${fits === isText ? 'a string' : 'an object'}, received ${JSON.stringify(item[key])}`
}

// The command `npm run conformance`: which cases run, what is printed, and the exit code.

const usage = `Usage: npm run conformance -- [DIR] [--area NAME]... [--case ID]...

Runs the cases of every JSON file in DIR (default: conformance/) against the built packages.

  --area NAME  only the cases of this area
  --case ID    only the case with this id
  --help       this text

Prints every failing case with its input and a short diff, then "N passed, N failed, N skipped".
A file, an area or an operation without an adapter counts as failed; nothing is skipped.
Exit code: 0 when all cases passed, 1 when one failed or none ran, 2 when the command line is wrong.`

/** The surroundings of the command. */
export interface Environment {
  /** Folder of the cases when none is named. */
  defaultFolder: string
  /** Folder that relative paths start from. */
  cwd: string
  /** Returns the adapter of an area, or null when it does not exist. */
  loadArea(name: string): Promise<Area | null>
  print(line: string): void
  printError(line: string): void
}

class UsageError extends Error {}

interface Count {
  passed: number
  failed: number
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<number> {
  try {
    const options = readOptions(args)
    if (options.help) {
      environment.print(usage)
      return 0
    }
    const files = selectCases(folderOf(options.folder, environment), options)
    return await runFiles(files, environment)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    environment.printError(error.message)
    return 2
  }
}

interface Options {
  folder: string | undefined
  areas: string[]
  ids: string[]
  help: boolean
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        area: { type: 'string', multiple: true, default: [] },
        case: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    if (positionals.length > 1) throw new Error(`expected one folder, received ${positionals.join(', ')}`)
    return { folder: positionals[0], areas: values.area, ids: values.case, help: values.help }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

function folderOf(folder: string | undefined, { cwd, defaultFolder }: Environment): string {
  const path = folder === undefined ? defaultFolder : resolve(cwd, folder)
  if (!existsSync(path) || !statSync(path).isDirectory()) throw new UsageError(`${path}: no such folder`)
  return path
}

/** Returns the files with only the cases that the options ask for. */
function selectCases(folder: string, { areas, ids }: Options): CaseFile[] {
  const all = readCaseFiles(folder)
  const names = [...new Set(all.map(({ area }) => area))]
  for (const area of areas) {
    if (!names.includes(area))
      throw new UsageError(`--area ${area}: no such area in ${folder}${didYouMean(area, names)}`)
  }
  const files = areas.length > 0 ? all.filter(({ area }) => areas.includes(area)) : all
  if (ids.length === 0) return files
  const known = files.flatMap(({ cases }) => cases.map(({ id }) => id))
  for (const id of ids) {
    if (!known.includes(id)) throw new UsageError(`--case ${id}: no such case in ${folder}${didYouMean(id, known)}`)
  }
  return files
    .map((file) => ({ ...file, faults: [], cases: file.cases.filter(({ id }) => ids.includes(id)) }))
    .filter(({ cases }) => cases.length > 0)
}

async function runFiles(files: readonly CaseFile[], environment: Environment): Promise<number> {
  const total: Count = { passed: 0, failed: 0 }
  for (const file of files) {
    const count = await runFile(file, environment)
    total.passed += count.passed
    total.failed += count.failed
    environment.print(`${file.area}: ${counts(count)}`)
  }
  environment.print(counts(total))
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}

const counts = ({ passed, failed }: Count) => `${passed} passed, ${failed} failed, 0 skipped`

async function runFile({ area: name, cases, faults }: CaseFile, environment: Environment): Promise<Count> {
  for (const fault of faults) environment.print(`✗ ${fault}`)
  const count: Count = { passed: 0, failed: faults.length }
  const area = await environment.loadArea(name)
  if (area === null) {
    if (cases.length > 0) environment.print(`✗ area ${name}: there is no adapter; its cases count as failed`)
    return { passed: 0, failed: faults.length + cases.length }
  }
  for (const testCase of cases) {
    const { failure, unread } = await runCase(area, testCase)
    count[failure === null ? 'passed' : 'failed'] += 1
    for (const line of failure ? showFailure(testCase, failure) : []) environment.print(line)
    // An unknown key may be a variation that is not tested.
    if (unread.length > 0) environment.print(`! ${testCase.id}: ${testCase.op} does not read ${unread.join(', ')}`)
  }
  return count
}

function showFailure(testCase: Case, { message, differences }: Failure): string[] {
  const lines = [`given ${summaryOf(testCase)}`, ...message.split('\n').slice(0, 8), ...showDifferences(differences)]
  return [`✗ ${testCase.id} (${testCase.op})`, ...lines.map((line) => `    ${line}`)]
}
