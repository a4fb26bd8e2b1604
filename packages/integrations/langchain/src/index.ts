/**
 * @module
 * Adapters for components of LangChain.js. They do not import LangChain.
 */
export type { LangChainPiece } from './answer.ts'
export { LangChainEmbedding } from './langchain-embedding.ts'
export { LangChainLLM } from './langchain-llm.ts'
export { LangChainPostprocessor } from './langchain-postprocessor.ts'
export { LangChainRetriever } from './langchain-retriever.ts'
export { langChainTool } from './langchain-tool.ts'
export type {
  LangChainChatModel,
  LangChainCompressor,
  LangChainDocument,
  LangChainEmbeddings,
  LangChainMessage,
  LangChainRetrieverLike,
  LangChainRunnableModel,
  LangChainTool,
  LangChainToolCall,
  LangChainToolCallText,
} from './langchain-types.ts'
