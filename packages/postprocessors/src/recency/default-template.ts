/** The default template of the query that finds older versions of a node; variable `context_str`. */
export const defaultQueryEmbeddingTmpl = `This is the current version of a document:

{context_str}

Older documents that say much the same are wanted.`
