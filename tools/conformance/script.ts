/** Scripts: lists of calls, each with a result or an error of its own. */
import type { Dict } from '@x/core-model'
import { CaseError, isObject, named, object, type Reader } from './reader.ts'
import { thrownBy } from './thrown.ts'

/** One call of a script, ready to run on its subject. */
export type Call<Subject> = (subject: Subject) => unknown

/** Reads the arguments of a call. */
export type CallReader<Subject> = Reader<Call<Subject>>

/** A call with these arguments. */
export function call<Subject, T>(reader: Reader<T>, run: (subject: Subject, given: T) => unknown): CallReader<Subject> {
  return (value, at) => {
    const given = reader(value, at)
    return (subject) => run(subject, given)
  }
}

/** Reads a call whose name stands under `call`. */
export function callReader<Subject>(calls: Readonly<Record<string, CallReader<Subject>>>): Reader<Call<Subject>> {
  return (value, at) => {
    const { call: name, ...given } = object(value, at)
    return named(calls)(name, at.child('call'))(given, at)
  }
}

/**
 * Runs calls in order. The result of each is its value, or the name of its error; where the case accepts any error (`*`), that is
 * what stands there.
 */
export async function runCalls<Subject>(
  calls: readonly Call<Subject>[],
  subject: Subject,
  expected?: unknown,
): Promise<Dict[]> {
  const wanted = isObject(expected) && Array.isArray(expected['results']) ? expected['results'] : []
  const results: Dict[] = []
  for (const [index, run] of calls.entries()) {
    try {
      results.push({ value: (await run(subject)) ?? null })
    } catch (thrown) {
      const error = thrownBy(thrown)
      if (error instanceof CaseError) throw error
      const acceptsAny = isObject(wanted[index]) && wanted[index]['error'] === '*'
      results.push({ throws: true, error: acceptsAny ? '*' : errorName(error) })
    }
  }
  return results
}

export const errorName = (error: unknown): string => (error instanceof Error ? error.name : String(error))
