/** Scripts: lists of calls, each with a result or an error of its own. */
import type { Dict } from '@x/core-model'
import { thrownBy } from './compare.ts'
import { apiKeys, CaseError, isObject, type Json, named } from './given.ts'

/** The calls of a script by name. Each receives the subject and the arguments of the case under API names. */
export type Calls<Subject> = Readonly<Record<string, (subject: Subject, given: Json) => unknown>>

/** A call of a case: its name under `call`, and its arguments. */
export type CallRecord = { call: string } & Dict

/** Runs one call. */
export function runCall<Subject>(calls: Calls<Subject>, { call, ...given }: CallRecord, subject: Subject): unknown {
  return named(calls, call)(subject, apiKeys(given))
}

/**
 * Runs calls in order. The result of each is its value, or the name of its error; where the case accepts any error (`*`), that is
 * what stands there.
 */
export async function runCalls<Subject>(
  calls: Calls<Subject>,
  script: readonly CallRecord[],
  subject: Subject,
  expected?: unknown,
): Promise<Dict[]> {
  const wanted = isObject(expected) && Array.isArray(expected['results']) ? expected['results'] : []
  const results: Dict[] = []
  for (const [index, record] of script.entries()) {
    try {
      results.push({ value: (await runCall(calls, record, subject)) ?? null })
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
