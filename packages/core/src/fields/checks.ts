/**
 * @module
 * Checks fields by JSON Schema keywords that the core does not check.
 */
import { type Keywords, type KeywordTest, testsOf } from '@x/core/json-schema'
import type { Check } from '../model/check-value.ts'
import type { JsonSchema } from '../model/json-schema.ts'
import type { FieldSpec } from '../model/model-spec.ts'

/**
 * Returns a check by the core and then by `keywords`; `part` checks items and entries. Undefined if the check of the core is
 * sufficient.
 */
export function checkBy(schema: JsonSchema, keywords: Keywords, part?: FieldSpec): FieldSpec['check'] {
  const used = Object.keys(keywords).filter((keyword) => keyword in schema)
  const checkPart = part?.check
  if (used.length === 0 && !checkPart) return undefined
  return (whole, checkOf) => {
    const inner = checkPart && ((item: JsonSchema) => checkPart(item, checkOf))
    return inOrder(checkOf(whole, inner), testsOf(whole, keywords))
  }
}

/** Returns a check that runs the core's check and then the tests, and stops after the first that reports an issue. */
export function inOrder(core: Check | undefined, tests: readonly KeywordTest[]): Check {
  return (value, report) => {
    const before = report.issues.length
    core?.(value, report)
    for (const [keyword, test] of tests) {
      if (report.issues.length > before) return
      const expected = test(value)
      if (expected !== undefined) report.add(expected, value, keyword)
    }
  }
}
