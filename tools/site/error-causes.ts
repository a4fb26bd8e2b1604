/** The usual causes of each error code, which `error-causes.md` states. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
