/**
 * @module
 * Keyword and vector search in LanceDB.
 */
export { LanceKeywordRetriever, type LanceKeywordRetrieverOptions } from './lance-keyword-retriever.ts'
export { LanceVectorRetriever, type LanceVectorRetrieverOptions } from './lance-vector-retriever.ts'
