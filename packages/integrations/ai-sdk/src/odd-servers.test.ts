import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { providerChecks } from '@x/testing'
import { describe, it } from 'vitest'
import { AiSdkLLM } from './ai-sdk-llm.ts'

/** Why the client below the adapter cannot read a server. */
const impossible: Record<string, string> = {
  'sends one JSON answer instead of a stream':
    '@ai-sdk/provider-utils 5.0.81 reads every streamed answer as server-sent events (createEventSourceResponseHandler in dist/index.js), and drops the text of another form.',
  'ends an answer with calls without a reason':
    '@ai-sdk/openai-compatible 3.0.92 reports "Response stream ended without a finish reason" (dist/index.js:875) and does not say whether [DONE] came before, so that such an answer looks like one that was cut.',
  'repeats the whole call at its end':
    '@ai-sdk/provider-utils 5.0.81 makes another call with a new id of a complete call that comes again (StreamingToolCallTracker in dist/index.js), as of a second call without an id.',
  'streams although no stream was requested':
    '@ai-sdk/provider-utils 5.0.81 parses a whole answer as JSON, and throws "Invalid JSON response" (dist/index.js:4261).',
}

const checks = providerChecks(
  ({ baseUrl: baseURL, apiKey, idleMs }) => {
    const provider = createOpenAICompatible({ name: 'odd', baseURL, apiKey, includeUsage: true })
    return new AiSdkLLM({ model: provider('m'), idleMs })
  },
  { impossible },
)

describe('odd servers', () => {
  for (const { name, impossible: why, run } of checks)
    it(why === null ? `reads a server that ${name}` : `cannot read a server that ${name}. ${why}`, run)
})
