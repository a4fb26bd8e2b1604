/**
 * @module
 * Agents in query pipelines.
 */
import { DefinedComponent, type QueryComponent } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/internal'
import type { QueryResponse } from './query-response.ts'

/** Something that answers a question. */
interface Answering {
  query(query: string, options: { signal?: AbortSignal }): Promise<QueryResponse>
}

/** An agent as a part of a query pipeline: takes `input`, gives `output`. */
export function agentComponent(agent: Answering, partial: Record<string, unknown> | undefined): QueryComponent {
  return new DefinedComponent({
    name: 'Agent component',
    inputKeys: () => ({ required: ['input'], optional: [] }),
    outputKeys: ['output'],
    partial,
    run: async ({ input }, { signal }) => {
      const question = await inputTextOrStream(input, 'input')
      return { output: await agent.query(question, signal ? { signal } : {}) }
    },
  })
}
