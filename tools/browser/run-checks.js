/**
 * Runs checks and reports each of them to the server of the page: its name, and what went wrong if anything did.
 * @param {string} place - where they run.
 * @param {Record<string, () => unknown>} checks - each returns what must equal the value in `expected`.
 * @param {Record<string, unknown>} expected
 * @param {readonly (readonly [string, () => unknown])[]} others - checks that throw when they fail.
 */
export async function report(place, checks, expected, others = []) {
  const compared = Object.entries(checks).map(([name, check]) => [
    name,
    async () => {
      const value = JSON.stringify(await check())
      const wanted = JSON.stringify(expected[name])
      return value === wanted ? null : `expected ${wanted}, received ${value}`
    },
  ])
  const thrown = others.map(([name, run]) => [name, async () => void (await run())])
  const lines = []
  for (const [name, problemOf] of [...compared, ...thrown]) {
    try {
      lines.push({ name, problem: (await problemOf()) ?? null })
    } catch (error) {
      lines.push({ name, problem: String(error?.stack ?? error) })
    }
  }
  await fetch(`/report/${place}`, { method: 'POST', body: JSON.stringify(lines) })
}
