/**
 * Runs a parser over the cases of `malformed-react-outputs.json`.
 * @param {(text: string) => unknown} parse - gives a record or throws; may be async.
 * @param {readonly { id: string, kind: string, output: string, expect: Record<string, unknown> }[]} cases
 */
export async function scoreParser(parse, cases) {
  const byKind = {}
  const wrong = []
  for (const { id, kind, output, expect } of cases) {
    let received
    try {
      received = await parse(output)
    } catch (error) {
      received = { kind: 'error', message: String(error?.message ?? error) }
    }
    byKind[kind] ??= { right: 0, total: 0 }
    byKind[kind].total++
    if (fits(received, expect)) byKind[kind].right++
    else wrong.push({ id, output, expected: expect, received })
  }
  return { right: cases.length - wrong.length, total: cases.length, byKind, wrong }
}

function fits(received, expect) {
  if (received?.kind !== expect.kind) return false
  if (expect.kind === 'error') return true
  if (typeof received.thought === 'string' && expect.thought !== undefined && received.thought !== expect.thought)
    return false
  if (expect.kind === 'response') return received.response === expect.response
  return received.action === expect.action && same(received.actionInput, expect.actionInput)
}

function same(one, other) {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  )
}
