import { providerChecks, providerScore } from '@x/testing'
import { describe, expect, it } from 'vitest'
import { OpenAI } from './openai.ts'

const checks = providerChecks((server) => new OpenAI({ ...server, model: 'm' }))

describe('odd servers', () => {
  for (const { name, run } of checks) it(`reads a server that ${name}`, run)

  it('have a score', async () => {
    expect(await providerScore(checks)).toEqual({
      right: checks.length,
      impossible: 0,
      total: checks.length,
      problems: [],
    })
  })
})
