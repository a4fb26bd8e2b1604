/** What a call throws, for the tests of the packages at the bottom. */
import { isToolkitError, type ValidationIssue } from '@x/core'

/** The issues of the validation error that `make` throws. */
export function issuesOf(make: () => unknown): readonly ValidationIssue[] {
  const error = thrownBy(make)
  if (isToolkitError(error, 'model_validation')) return error.issues
  throw error
}

/** The paths of those issues. */
export const pathsOf = (make: () => unknown): string[] => issuesOf(make).map(({ path }) => path)

/** Returns the error that `make` throws. */
export function thrownBy(make: () => unknown): unknown {
  try {
    make()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** An object with an own key `__proto__`, as `JSON.parse` returns it. */
export const withProto = (value: unknown = { polluted: true }): Record<string, unknown> =>
  JSON.parse(`{"__proto__": ${JSON.stringify(value)}, "constructor": 1, "toString": "text", "hasOwnProperty": null}`)
