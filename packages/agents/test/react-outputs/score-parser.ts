/**
 * Scores parsers of ReAct outputs on the cases of `conformance/react-outputs/malformed-react-outputs.json`.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** The result of a parser for an output. */
interface Parsed {
  kind: string
  thought?: unknown
  [field: string]: unknown
}

export interface ReactOutputCase {
  id: string
  /** The kind of mistake that the model made. */
  kind: string
  output: string
  expect: Parsed
}

interface Score {
  right: number
  total: number
}

export interface ParserScore extends Score {
  byKind: Record<string, Score>
  wrong: { id: string; output: string; expected: Parsed; received: unknown }[]
}

/** The cases of the collection. */
function reactOutputCases(): ReactOutputCase[] {
  const file = new URL('../../../../conformance/react-outputs/malformed-react-outputs.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).cases
}

/** Runs a parser, which may be asynchronous and throws for outputs that it cannot read, over the cases. */
export async function scoreParser(
  parse: (text: string) => unknown,
  cases: readonly ReactOutputCase[] = reactOutputCases(),
): Promise<ParserScore> {
  const byKind: Record<string, Score> = {}
  const wrong: ParserScore['wrong'] = []
  for (const { id, kind, output, expect: expected } of cases) {
    let received: unknown
    try {
      received = await parse(output)
    } catch (error) {
      received = { kind: 'error', message: String(error) }
    }
    const score = (byKind[kind] ??= { right: 0, total: 0 })
    score.total++
    if (fits(received, expected)) score.right++
    else wrong.push({ id, output, expected, received })
  }
  return { right: cases.length - wrong.length, total: cases.length, byKind, wrong }
}

/** Whether a record is the expected one. A thought is compared only when the parser returns one. */
function fits(received: unknown, expected: Parsed): boolean {
  const { kind, thought, action, actionInput, response } = Object(received) as Parsed
  if (kind !== expected.kind) return false
  if (kind === 'error') return true
  if (typeof thought === 'string' && expected.thought !== undefined && thought !== expected.thought) return false
  if (kind === 'response') return response === expected['response']
  return action === expected['action'] && isDeepStrictEqual(actionInput, expected['actionInput'])
}
