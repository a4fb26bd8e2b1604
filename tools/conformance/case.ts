/** One case, the operation that runs it, and its outcome. */
import { type CompareOptions, type Difference, expectEqual, expectThrows, Mismatch, thrownBy } from './compare.ts'
import { CaseError, didYouMean, givenOf, type Json, type JsonObject } from './given.ts'

/** The expected outcome of a case. */
export interface Expectation {
  value?: unknown
  throws?: boolean
  /** Name of the wanted error; `*` accepts any. */
  error?: string
  prompts?: unknown
  holds?: unknown
}

/** One case of a conformance file. */
export interface Case {
  id: string
  op: string
  /** The line of LlamaIndex for Python, for operations that write one. */
  line?: string
  given: JsonObject
  expect: Expectation
}

/** Receives the input of a case under API names, and the case. Returns the value that the case expects, or throws. */
export type Operation = (given: Json, testCase: Case) => unknown

/** The operations of one area. */
export interface Area {
  /** Names of the operations; of operations that several classes have, the part behind the class name. */
  readonly names: readonly string[]
  find(op: string): Operation | undefined
  readonly options: AreaOptions
}

/** The options of an area. */
export interface AreaOptions extends CompareOptions {
  /** Whether every case also checks that its inputs do not change. @defaultValue false */
  inputsStay?: boolean
}

/** Operations by name. */
export type Operations = Readonly<Record<string, Operation>>

/** An area of operations in several groups. */
export function defineArea(groups: readonly Operations[], options: AreaOptions = {}): Area {
  const operations = new Map(groups.flatMap((group) => Object.entries(group)))
  const names = groups.flatMap((group) => Object.keys(group))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`the operation ${twice} is defined twice`)
  return { names, find: (op) => operations.get(op), options }
}

/** The failure of a case. */
export interface Failure {
  message: string
  differences: readonly Difference[]
}

/** The outcome of a case. */
export interface Outcome {
  /** Null when the case passed. */
  failure: Failure | null
  /** Keys of the case that the operation did not read, though it passed. */
  unread: readonly string[]
}

/** Runs a case. Keys that are read too late, because the case throws, are not reported. */
export async function runCase(area: Area, testCase: Case): Promise<Outcome> {
  const unread = new Set<string>()
  try {
    await checkCase(area, testCase, unread)
    return { failure: null, unread: testCase.expect.throws ? [] : [...unread] }
  } catch (thrown) {
    const error = thrownBy(thrown)
    const differences = error instanceof Mismatch ? error.differences : []
    return { failure: { message: messageOf(error), differences }, unread: [] }
  }
}

async function checkCase(area: Area, testCase: Case, unread: Set<string>): Promise<void> {
  const { op, expect } = testCase
  const found = area.find(op)
  if (found === undefined) throw new CaseError(`unknown operation ${op}${didYouMean(op, area.names)}`)
  const before = structuredClone(testCase.given)
  // A case may expect that building its input throws.
  await checkOutcome(() => found(givenOf(testCase, unread), testCase), expect, area.options)
  if (area.options.inputsStay) expectEqual(testCase.given, before, {}, 'given, after the call')
}

async function checkOutcome(run: () => unknown, expect: Expectation, options: AreaOptions): Promise<void> {
  if (expect.throws) return expectThrows(run, expect.error)
  const value = await run()
  if ('value' in expect) expectEqual(value, expect.value, options)
  else if (!('holds' in expect)) throw new CaseError('expect: expected a value, throws or holds')
}

function messageOf(error: unknown): string {
  if (error instanceof CaseError) return error.message
  return error instanceof Error ? `threw ${error.name}: ${error.message}` : `threw ${String(error)}`
}

/** Parts of a case for a report. */
export function summaryOf({ given }: Case, length = 240): string {
  const json = JSON.stringify(given)
  return json.length > length ? `${json.slice(0, length)}…` : json
}
