import { ChatMessage } from '@x/core-model'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { modelOr } from '../templates/model.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What answers in an environment: the request that was sent, if any, and what was printed. */
async function answerIn(env: Readonly<Record<string, string | undefined>>) {
  for (const name of ['MODEL', 'MODEL_URL', 'OPENAI_API_KEY']) vi.stubEnv(name, env[name])
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const sent: { url: string; key: string | null; model: string }[] = []
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    sent.push({ url, key: new Headers(headers).get('authorization'), model: JSON.parse(String(body)).model })
    return Response.json({
      choices: [{ index: 0, message: { role: 'assistant', content: 'real' }, finish_reason: 'stop' }],
    })
  })
  const { message } = await modelOr(['scripted']).chat([new ChatMessage({ content: 'Hello' })])
  return { content: message.content, sent, printed: log.mock.calls.flat().join('\n') }
}

describe('modelOr', () => {
  it.each([
    {},
    { OPENAI_API_KEY: '' },
    { MODEL: 'gpt-5-mini' },
    { MODEL: 'none', OPENAI_API_KEY: 'sk-1', MODEL_URL: 'http://a.example/v1' },
  ])('is the script for %j, and says so', async (env) => {
    const { content, printed, sent } = await answerIn(env)
    expect(content).toBe('scripted')
    expect(printed).toContain('the answers are scripted')
    expect(sent).toEqual([])
  })

  it.each([
    [{ OPENAI_API_KEY: 'sk-1' }, 'https://api.openai.com/v1', 'gpt-5-mini', 'Bearer sk-1'],
    [{ OPENAI_API_KEY: 'sk-1', MODEL: 'gpt-5' }, 'https://api.openai.com/v1', 'gpt-5', 'Bearer sk-1'],
    [{ MODEL_URL: 'http://localhost:11434/v1' }, 'http://localhost:11434/v1', 'qwen3', null],
    // The key of OpenAI is for OpenAI.
    [{ MODEL_URL: 'http://a.example/v1', MODEL: 'any', OPENAI_API_KEY: 'sk-1' }, 'http://a.example/v1', 'any', null],
  ])('is a real model for %j', async (env, server, model, key) => {
    const { content, printed, sent } = await answerIn(env)
    expect(sent).toEqual([{ url: `${server}/chat/completions`, key, model }])
    expect({ content, printed }).toEqual({ content: 'real', printed: '' })
  })
})
