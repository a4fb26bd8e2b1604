/**
 * @module
 * Uses agents in query pipelines.
 */
import { DefinedComponent, type QueryComponent } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import type { QueryResponse } from '../answer/query-response.ts'

/** Answers a question. */
type AnswerQuery = (
  query: string,
  options: { signal?: AbortSignal | undefined; parentId?: string | undefined },
) => Promise<QueryResponse>

/** Returns an agent as a query pipeline component with the input `input` and the output `output`. */
export function agentComponent(answer: AnswerQuery, partial: Record<string, unknown> | undefined): QueryComponent {
  return new DefinedComponent({
    name: 'Agent component',
    inputKeys: () => ({ required: ['input'], optional: [] }),
    outputKeys: ['output'],
    partial,
    run: async ({ input }, { signal, parentId }) => {
      const question = await inputTextOrStream(input, 'input')
      return { output: await answer(question, { signal, parentId }) }
    },
  })
}
