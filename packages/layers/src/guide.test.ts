import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the guide shows the agent that is killed in tests', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')
  const [guide, source] = await Promise.all([
    read('../../../docs/guides/work-for-hours.md'),
    read('../test/long-work.ts'),
  ])
  expect(guide).toContain(source.slice(source.indexOf('export function openWork')).replace('export ', ''))
})
