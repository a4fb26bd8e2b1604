/** The first program of the README, with a model server that answers as OpenAI does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reportHtml, reportMarkdown } from '@x/evaluate'
import { type RunMatchers, runMatchers } from '@x/evaluate/vitest'
import { afterEach, expect, it, vi } from 'vitest'
import { evaluateDocs } from '../evaluation/evaluate-docs.ts'

const folder = mkdtempSync(join(import.meta.dirname, '..', '.doc-examples-'))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

it('asks the model, calls the tool, and returns the answer', async () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readme)!
  const path = join(folder, 'program.ts')
  writeFileSync(path, program!)
  const load = (query: string) => import(pathToFileURL(path).href + query)
  vi.stubEnv('OPENAI_API_KEY', undefined)
  await expect(load('?without-key')).rejects.toThrow(/OpenAI\.apiKey: expected a key .* check its environment variable/)
  vi.stubEnv('OPENAI_API_KEY', 'secret')
  const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
  const messages = [{ content: null, tool_calls: [call] }, { content: 'It is 18 °C in Paris.' }]
  const requests: { url: string; headers: Headers; body: { messages: unknown[]; tools: unknown[] } }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, headers: new Headers(init.headers), body: JSON.parse(String(init.body)) })
    const message = { role: 'assistant', ...messages[requests.length - 1] }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  })

  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await load('')
  expect(log.mock.calls).toEqual([['It is 18 °C in Paris.']])
  log.mockRestore()
  expect(requests.map(({ url }) => url)).toEqual(Array(2).fill('https://api.openai.com/v1/chat/completions'))
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer secret')
  expect(requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '18 °C in Paris' })
})

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends RunMatchers<R> {}
}
expect.extend(runMatchers)

it('finds the passages of the documentation that answer its questions', async () => {
  const [words, run] = await evaluateDocs()
  // Below what is reached today, 0.496 and 0.73: each new page is one more that a question may find instead.
  expect(run).toReach({ ndcg: 0.48, recall: 0.7 })
  expect(run).toBeNoWorseThan(words!)
  for (const report of [reportMarkdown([words!, run!]), reportHtml([words!, run!])]) expect(report).toContain('default')
})
