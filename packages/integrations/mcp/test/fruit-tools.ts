import { FunctionTool, RetrieverTool } from '@x/agents'
import { TextNode, ToolOutput } from '@x/core-model'
import { Bm25Retriever } from '@x/retrieval'

/** Tools that a test server serves. */
export function fruitTools(onAbort: () => void = () => {}) {
  const price = FunctionTool.fromDefaults({
    name: 'price',
    title: 'Price of a fruit',
    description: 'Returns the price.',
    annotations: { readOnlyHint: true },
    schema: {
      type: 'object',
      properties: { fruit: { type: 'string', maxLength: 10 } },
      required: ['fruit'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
    fn: () => ({ euros: 2 }),
  })
  const slow = FunctionTool.fromDefaults({
    name: 'slow',
    description: 'Reports progress, then waits.',
    schema: { type: 'object', properties: { wait: { type: 'boolean' } } },
    fn: async ({ wait }, { onProgress, signal }) => {
      for (const progress of [1, 2, 3]) {
        onProgress?.({ progress, total: 3 })
        // Clients drop progress that arrives together with the result.
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      while (wait) {
        if (signal?.aborted) onAbort()
        signal?.throwIfAborted()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return 'done'
    },
  })
  const picture = FunctionTool.fromDefaults({
    name: 'picture',
    description: 'Returns a picture.',
    schema: { type: 'object', properties: {} },
    fn: () =>
      ToolOutput.fromParts({
        toolName: 'picture',
        parts: [
          { type: 'text', text: 'A pear:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { url: 'data:text/csv;base64,YQ==', media_type: 'text/csv', filename: 'a.csv' } },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      }),
  })
  const broken = FunctionTool.fromDefaults({
    name: 'broken',
    description: 'Fails.',
    schema: { type: 'object', properties: {} },
    fn: () => Promise.reject(new Error('closed on Sundays')),
  })
  const search = RetrieverTool.fromDefaults({
    retriever: new Bm25Retriever({ nodes: [new TextNode({ text: 'A pear is green.' })] }),
    name: 'search',
    description: 'Finds passages.',
  })
  return [price, slow, picture, broken, search]
}
