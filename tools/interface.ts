/**
 * Refuses a `docs/interface.md` that is not true of the built packages: it runs every row. A call is evaluated and its result compared; a
 * field is read from a new instance, is written under its wire name, and refuses values of other types.
 *
 * @example node tools/interface.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CallbackManager, type Dict } from '@x/core-model'
import { classesOf, classNamed, exported, required, type Scope, sample, scopeOf } from './interface-objects.ts'

interface Row {
  heading: string
  cells: string[]
}

/** Returns the rows of all tables, with the heading above them. */
function rowsOf(text: string): Row[] {
  let heading = ''
  return text.split('\n').flatMap((line) => {
    heading = /^### (.*)/.exec(line)?.[1] ?? heading
    if (!line.startsWith('| `')) return []
    const cells = line.slice(2, -2).split(/ (?<!\\)\| /)
    return [{ heading, cells: cells.map((cell) => cell.replace(/^`(.*)`$/, '$1').replaceAll('\\|', '|')) }]
  })
}

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<unknown>

function evaluate(code: string, scope: Scope): Promise<unknown> {
  return new AsyncFunction(...Object.keys(scope), `return ${code}`)(...Object.values(scope))
}

/** Whether a value is what a cell states: a type, the name of a class, an array of one, or a string. */
function fits(value: unknown, stated: string, scope: Scope): boolean {
  if (stated.startsWith("'")) return value === stated.slice(1, -1)
  if (stated.endsWith('[]'))
    return Array.isArray(value) && value.every((item) => fits(item, stated.slice(0, -2), scope))
  if (stated.startsWith('{')) {
    const keys = stated.slice(1, -1).split(',')
    return keys.every((key) => key.trim() in Object(value))
  }
  if (stated === 'null') return value === null
  if (stated === 'object') return typeof value === 'object' && value !== null
  // biome-ignore lint/complexity/noBannedTypes: any class
  const known = (scope[stated] ?? exported[stated]) as Function | undefined
  return known ? value instanceof known : typeof value === stated
}

/** Returns why the call of a row is not as stated, or null. */
async function callFault({ heading, cells }: Row): Promise<string | null> {
  const [, code = '', stated = ''] = cells
  for (const name of classesOf(heading)) {
    const scope = await scopeOf(name)
    const value = await evaluate(code, scope)
    if (!fits(value, stated, scope))
      return `${name}: expected ${stated}, received ${Object.prototype.toString.call(value)}`
  }
  return null
}

/** A value that no field of a type accepts. */
const wrongFor = (type: string): unknown => (/string|object|array|\[\]|^[A-Z]/.test(type) ? 1 : 'wrong')

/** Returns why a field or an option is not as stated, or null. */
function fieldFault({ heading, cells }: Row): string | null {
  const [kind, className = ''] = heading.split(' of ')
  const [interfaceName, name = '', type = '', stated = ''] = cells
  const made = classNamed(className)
  if (typeof made !== 'function') return 'there is no such class'
  const others = Object.fromEntries(Object.entries(required(className)).filter(([key]) => key !== name))
  const [first = ''] = type.split(/ or |, /)
  const usual = required(className)[name] ?? sample(first)
  if (kind === 'Fields') {
    const field = made.spec().fields[name]
    if (field === undefined) return 'there is no such field'
    const wire = field.wire ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (wire !== interfaceName) return `its wire name is ${wire}`
    if (!/^any$|not checked/.test(type) && !isRefused(() => new made({ ...others, [name]: wrongFor(type) })))
      return `${JSON.stringify(wrongFor(type))} is accepted`
  } else if (usual !== undefined) new made({ ...others, [name]: usual })
  if (/or null/.test(type)) new made({ ...others, [name]: null })
  if (stated === 'required') return isRefused(() => new made(others)) ? null : 'it is not required'
  const value = (new made(required(className)) as Dict)[name]
  return isDefault(value, stated, kind === 'Options') ? null : `the default is ${JSON.stringify(value)}`
}

function isDefault(value: unknown, stated: string, isOption: boolean): boolean {
  if (value === undefined && stated === 'null') return true
  // A class may show an option elsewhere, or not at all.
  if (isOption && (value === undefined || stated === 'null')) return true
  switch (stated) {
    case 'a new one':
      return value instanceof CallbackManager && value.handlers.length === 0
    case 'that of the pipeline':
      return value instanceof CallbackManager
    case 'an empty one':
      return value instanceof Map && value.size === 0
    case 'a prompt':
      return typeof value === 'string' ? value.length > 40 : typeof Object(value).getTemplate === 'function'
    case 'a new id':
      return typeof value === 'string' && value !== ''
    case 'required by its type':
    case 'any':
    case 'computed':
      return value !== undefined
    default:
      return JSON.stringify(value).replaceAll('"', "'") === stated
  }
}

function isRefused(make: () => unknown): boolean {
  try {
    make()
    return false
  } catch (error) {
    return typeof (error as { code?: unknown }).code === 'string'
  }
}

const rows = rowsOf(readFileSync(join(import.meta.dirname, '..', 'docs', 'interface.md'), 'utf8'))
let failed = 0
for (const row of rows) {
  let reason: string | null
  try {
    reason = row.cells.length === 4 ? fieldFault(row) : await callFault(row)
  } catch (error) {
    reason = String(error)
  }
  if (reason === null) continue
  failed += 1
  console.log(`  ${row.heading}: ${row.cells[1]}: ${reason}`)
}
console.log(`interface: ${rows.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && rows.length > 0 ? 0 : 1
