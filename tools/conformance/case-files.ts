/** The files of cases in a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Case } from './case.ts'
import { isObject } from './given.ts'

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
