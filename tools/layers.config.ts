/** Which folders of a package may import which, and what the packages at the bottom may need, read by `layers.ts`. */

interface Layer {
  folders: readonly string[]
  reason: string
}

/** The packages at the bottom, lowest first. Each may need those before it, and no other package of this repository. */
export const bottom: readonly string[] = ['@x/core', '@x/core-model', '@x/llm']

/** The folders of a package, lowest layer first. A folder may import from lower layers; files of `src` itself are free. */
export const folderLayers: Readonly<Record<string, readonly Layer[]>> = {
  '@x/core': [
    { folders: ['model'], reason: 'what a model is, without any particular one' },
    { folders: ['fields'], reason: 'a way to declare the fields of a model' },
    { folders: ['arguments'], reason: 'checks against JSON Schemas of any origin' },
  ],
  '@x/core-model': [
    { folders: ['template-text'], reason: 'what a template is, without any particular one' },
    { folders: ['nodes', 'callbacks'], reason: 'nodes are models; events know no values' },
    { folders: ['messages'], reason: 'messages may carry nodes' },
    { folders: ['contracts'], reason: 'interfaces use nodes and messages' },
    { folders: ['query-component'], reason: 'a component of a pipeline reports events' },
    { folders: ['embedding'], reason: 'vectors of queries and nodes, without a model' },
    { folders: ['memory'], reason: 'the messages of a conversation that a model receives' },
    { folders: ['testing'], reason: 'stand-ins for the contracts' },
    { folders: ['python'], reason: 'other forms of nodes, messages and tool outputs' },
  ],
  '@x/llm': [
    { folders: ['llm'], reason: 'language models' },
    { folders: ['embedding'], reason: 'their schema shares a field with that of language models' },
    { folders: ['testing'], reason: 'stand-ins for both' },
    { folders: ['server'], reason: 'requests of a model over fetch' },
  ],
  '@x/agents': [
    { folders: ['answer'], reason: 'what comes out, without knowing of tasks' },
    { folders: ['task'], reason: 'a task, its steps, its events and its saved form' },
    { folders: ['tool'], reason: 'a tool may read the task that calls it' },
    { folders: ['loop'], reason: 'one step of a task, and what its features consist of' },
    { folders: ['layers'], reason: 'every feature of a step is a layer around the functions of the loop' },
    { folders: ['worker', 'small'], reason: 'the options of an agent as layers of its loop; loops without a runner' },
    {
      folders: ['pipeline', 'runner'],
      reason: 'steps that run a query pipeline; tasks of many steps, for all workers',
    },
    {
      folders: ['agent'],
      reason: 'an agent is a worker with a runner',
    },
    { folders: ['legacy'], reason: 'old names of the agents above' },
  ],
  '@x/node-parser': [
    { folders: ['markdown'], reason: 'Markdown as blocks' },
    { folders: ['markdown-element'], reason: 'tables and texts consist of blocks' },
  ],
  '@x/postprocessors': [
    { folders: ['keyword', 'windows'], reason: 'ways to look at a text' },
    { folders: ['prev-next'], reason: 'also orders the nodes of a document' },
    {
      folders: [
        'cross-encoder',
        'deduplicate',
        'diversity',
        'document-grouping',
        'explanation',
        'llm-compression',
        'llm-rerank',
        'pii',
        'pipeline',
        'rank-fusion',
        'recency',
        'sentence-embedding-optimizer',
        'token-budget',
      ],
      reason: 'a postprocessor knows no other one',
    },
  ],
}
