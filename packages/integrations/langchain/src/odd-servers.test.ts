import { ChatOpenAI } from '@langchain/openai'
import { providerChecks } from '@x/testing'
import { describe, it } from 'vitest'
import { LangChainLLM } from './langchain-llm.ts'

/** Why the client below the adapter cannot read a server. */
const impossible: Record<string, string> = {
  'answers with an error and the status 200':
    '@langchain/openai 1.6.0 reads `data?.choices ?? []` (dist/chat_models/completions.js:131) and drops the rest, after which @langchain/core 1.4.0 fails at `generations[0][0].message` (dist/language_models/chat_models.js:84): the error is reported, without its text.',
  'streams although no stream was requested':
    "OpenAI's client returns the text of another media type unread, of which @langchain/openai 1.6.0 reads `data?.choices ?? []` (dist/chat_models/completions.js:131).",
}

const checks = providerChecks(
  ({ baseUrl: baseURL, apiKey, idleMs }) => {
    const model = new ChatOpenAI({ model: 'm', apiKey, maxRetries: 0, configuration: { baseURL } })
    return new LangChainLLM({ model, idleMs })
  },
  { impossible },
)

describe('odd servers', () => {
  for (const { name, impossible: why, run } of checks)
    it(why === null ? `reads a server that ${name}` : `cannot read a server that ${name}. ${why}`, run)
})
