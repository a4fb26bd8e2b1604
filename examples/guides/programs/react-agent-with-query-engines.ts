/**
 * The notebook `agent/react_agent_with_query_engine` of LlamaIndex for Python: an agent with one query engine per report.
 */
import { QueryEngineTool, ReActAgent } from '@x/agents'
import type { BaseLLM, Document } from '@x/core-model'
import { SentenceSplitter } from '@x/node-parser'
import { Bm25Retriever } from '@x/retrieval'
import { RetrieverQueryEngine } from '@x/retrieval/answer'

/** @param reports - the text of the report of each company, by its name. */
export async function agentWithQueryEngines(llm: BaseLLM, reports: Readonly<Record<string, Document>>) {
  const tools = await Promise.all(
    Object.entries(reports).map(async ([company, report]) => {
      const nodes = await new SentenceSplitter({ chunkSize: 256 }).getNodesFromDocuments([report])
      const queryEngine = new RetrieverQueryEngine({ retriever: new Bm25Retriever({ nodes, similarityTopK: 3 }), llm })
      return new QueryEngineTool({
        queryEngine,
        name: `${company}_2021`,
        description: `Provides information about the financials of ${company} for 2021. Use a detailed question.`,
      })
    }),
  )
  return ReActAgent.fromTools({ llm, tools })
}
