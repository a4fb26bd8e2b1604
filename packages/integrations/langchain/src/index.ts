/**
 * @module
 * Adapters for components of LangChain.js. They do not import LangChain.
 */
export { LangChainEmbedding } from './langchain-embedding.ts'
export { LangChainLLM } from './langchain-llm.ts'
export { LangChainPostprocessor, LangChainRetriever } from './langchain-retrieval.ts'
export { langChainTool } from './langchain-tool.ts'
export type { LangChainCompressor } from './langchain-types.ts'
