/**
 * Counts the requests of adapters that equal those of the provider's own client, by client and provider.
 *
 * @example npm run wire
 */
import { join } from 'node:path'
import { testResults } from './test-results.ts'

const root = join(import.meta.dirname, '..')
const counts = new Map<string, { equal: number; all: number }>()
for (const name of ['openai', 'ai-sdk', 'langchain']) {
  const results = testResults(join(root, 'packages/integrations', name), ['src/equal-requests.test.ts'])
  for (const { group: title, name: turn, passed } of results) {
    if (!title.startsWith('requests equal')) continue
    const place = `@x/${name}: ${title}`
    const count = counts.get(place) ?? { equal: 0, all: 0 }
    counts.set(place, count)
    count.all++
    if (passed) count.equal++
    else console.log(`  differs: ${place}: ${turn}`)
  }
}
for (const [place, { equal, all }] of counts) console.log(`${place}: ${equal} of ${all}`)
const sum = (of: 'equal' | 'all') => [...counts.values()].reduce((total, count) => total + count[of], 0)
console.log(`${sum('equal')} of ${sum('all')} equal`)
process.exitCode = sum('equal') === sum('all') && counts.size > 0 ? 0 : 1
