/** Tools that are found by their description. */
import type { Tool } from '@x/agents'
import { TableEmbedding } from '@x/llm/testing'
import { ObjectIndex, ToolNodeMapping } from '@x/retrieval'
import type { Operations } from '../../case.ts'
import { type ToolRecord, toolOf, toolsOf } from '../../stand-ins/tools.ts'

type Vectors = Record<string, number[]>

interface Input {
  tools: ToolRecord[]
  insert?: ToolRecord[]
  similarityTopK?: number
  queries: string[]
  embed: { tools: Vectors; queries: Vectors }
}

/** Looks vectors of tools up by name. */
function embeddingOf({ embed }: Input, tools: readonly Tool[], mapping: ToolNodeMapping<Tool>) {
  const texts = tools.map((each) => [mapping.toNode(each).getContent('embed'), embed.tools[each.metadata.getName()]])
  return new TableEmbedding({ texts: Object.fromEntries(texts), queries: embed.queries })
}

export const retrieval: Operations = {
  'ToolNodeMapping.to_node': ({ tool }: { tool: ToolRecord }) => {
    const node = new ToolNodeMapping().toNode(toolOf(tool))
    const [head = ''] = node.text.split('Tool schema: ')
    return {
      text_head: head,
      has_schema: node.text !== head,
      metadata: node.metadata,
      excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
      excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    }
  },

  'ObjectIndex.retrieve': async (given: Input) => {
    const mapping = new ToolNodeMapping<Tool>()
    const tools = toolsOf(given.tools)
    const inserted = toolsOf(given.insert)
    const embedModel = embeddingOf(given, [...tools, ...inserted], mapping)
    const index = await ObjectIndex.fromObjects(tools, mapping, { embedModel })
    for (const each of inserted) await index.insertObject(each)
    const { similarityTopK } = given
    const retriever = index.asRetriever({ ...(similarityTopK !== undefined && { similarityTopK }) })
    const found: string[][] = []
    for (const query of given.queries)
      found.push((await retriever.retrieve(query)).map(({ metadata }) => metadata.getName()))
    return found
  },
}
