import { FunctionTool, RetrieverTool } from '@x/agents'
import { TextNode, ToolOutput } from '@x/core-model'
import { Bm25Retriever } from '@x/retrieval'
import { expect } from 'vitest'
import { mcpTools } from '../src/mcp-toolset.ts'
import type { McpClient } from '../src/mcp-types.ts'

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

/** Lists and calls `fruitTools` through a client: results, wrong arguments, failures, progress, cancelling. */
export async function useFruitTools(client: McpClient): Promise<void> {
  const toolset = await mcpTools(client, { prefix: 'fruit_' })
  const tool = (which: string) => toolset.tools.find(({ metadata }) => metadata.name === `fruit_${which}`)!
  expect(toolset.tools.map(({ metadata }) => metadata.name)).toEqual(
    ['price', 'slow', 'picture', 'broken', 'search'].map((which) => `fruit_${which}`),
  )
  const { metadata } = tool('price')
  expect(metadata).toMatchObject({ title: 'Price of a fruit', annotations: { readOnlyHint: true } })
  expect(metadata.getParametersDict()).toEqual({
    type: 'object',
    properties: { fruit: { type: 'string', maxLength: 10 } },
    required: ['fruit'],
    additionalProperties: false,
  })
  expect(await tool('price').call({ fruit: 'pear' })).toMatchObject({
    content: '{"euros":2}',
    rawOutput: { euros: 2 },
    toolName: 'fruit_price',
    isError: false,
  })
  await expect(tool('price').call({ fruit: 'a very long name' })).rejects.toMatchObject({
    code: 'tool_input',
    issues: [{ path: 'fruit' }],
  })
  expect(await tool('broken').call({})).toMatchObject({
    isError: true,
    content: expect.stringContaining('closed on Sundays'),
  })
  expect((await tool('search').call({ input: 'pear' })).content).toBe('A pear is green.')
  const picture = await tool('picture').call({})
  expect(picture.parts).toMatchObject([
    { type: 'text', text: 'A pear:' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'file', file: { url: 'data:text/csv;base64,YQ==', filename: 'a.csv' } },
    { type: 'text', text: 'image: https://a.example/b.png' },
  ])
  const progress: unknown[] = []
  expect((await tool('slow').call({}, { onProgress: (one) => progress.push(one) })).content).toBe('done')
  expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3 }])
  const controller = new AbortController()
  const reason = new Error('enough')
  const call = tool('slow').call(
    { wait: true },
    { signal: controller.signal, onProgress: () => controller.abort(reason) },
  )
  await expect(call).rejects.toBe(reason)
}
