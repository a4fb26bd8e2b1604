import { CallbackManager } from '@x/core-model'
import { ScriptedLLM } from '@x/core-model/testing'
import { describeRoundTrips } from '../../../tools/arbitrary-model.ts'
import * as nodeParser from './index.ts'

// The overlap has to be below the size, and not every text is a pattern.
const adjust = (options: Record<string, unknown>) => ({
  ...options,
  chunkSize: 100,
  chunkOverlap: 99,
  pageBreak: '^-+$',
})

describeRoundTrips(nodeParser, {
  '': { live: { callbackManager: new CallbackManager(), llm: new ScriptedLLM(), idFunc: () => 'id' } },
  MarkdownElementNodeParser: { adjust },
  MarkdownNodeParser: { adjust },
})
