/**
 * The notebook `query_engine/pdf_tables/recursive_retriever` of LlamaIndex for Python: a question about a table finds its summary, which leads
 * to the table.
 */
import type { BaseLLM, Document } from '@x/core-model'
import { MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever, RecursiveRetriever } from '@x/retrieval'
import { RetrieverQueryEngine } from '@x/retrieval/answer'

export async function engineOverTables(llm: BaseLLM, document: Document) {
  const parser = new MarkdownElementNodeParser({
    llm,
    nestedNodeParser: new MarkdownNodeParser({ chunkSize: 256, minChunkSize: 64, headerPath: true }),
    headerPath: true,
  })
  const { baseNodes, nodeMappings } = parser.getBaseNodesAndMappings(await parser.getNodesFromDocuments([document]))
  const retriever = new RecursiveRetriever({
    retriever: new Bm25Retriever({ nodes: baseNodes, similarityTopK: 2 }),
    targets: nodeMappings,
  })
  return new RetrieverQueryEngine({ retriever, llm })
}
