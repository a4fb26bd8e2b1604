/** The prompt types of LlamaIndex for Python. Any other string is a prompt type too. */
export const promptTypes = [
  'summary',
  'insert',
  'tree_select',
  'tree_select_multiple',
  'text_qa',
  'refine',
  'keyword_extract',
  'query_keyword_extract',
  'schema_extract',
  'text_to_sql',
  'text_to_graph_query',
  'table_context',
  'knowledge_triplet_extract',
  'simple_input',
  'pandas',
  'json_path',
  'single_select',
  'multi_select',
  'vector_store_query',
  'sub_question',
  'sql_response_synthesis',
  'sql_response_synthesis_v2',
  'conversation',
  'decompose',
  'choice_select',
  'custom',
  'rankgpt_rerank',
] as const

/** The type of a prompt: a known one or any string. */
export type PromptType = (typeof promptTypes)[number] | (string & {})
