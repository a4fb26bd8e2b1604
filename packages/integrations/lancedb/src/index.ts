/**
 * @module
 * Keyword and vector search in LanceDB.
 */
export { LanceKeywordRetriever } from './lance-keyword-retriever.ts'
export { LanceVectorRetriever } from './lance-vector-retriever.ts'
