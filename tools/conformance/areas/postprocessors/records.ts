/** Queries and nodes with a score. */
import { type Dict, type MetadataMode, QueryBundle } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, optional, shape } from '../../reader.ts'
import { entryOf, nodeRecord } from './node-record.ts'
import { Workbench } from './workbench.ts'

const queryInput = shape({ query_bundle: argument<Dict>() })

export const records: Operations = {
  'QueryBundle.embedding_strs': operation(
    queryInput,
    (given) => QueryBundle.fromDict(given.query_bundle).embeddingStrs,
  ),

  'QueryBundle.to_dict': operation(queryInput, (given) => QueryBundle.fromDict(given.query_bundle).toDict()),

  'NodeWithScore.get_score': operation(
    shape({ node: nodeRecord, args: optional(shape({ raise_error: argument<boolean | undefined>() })) }),
    ({ node, args }) => Workbench.run((bench) => bench.watch(entryOf(node)).getScore(args?.raise_error)),
  ),

  'NodeWithScore.to_dict': operation(shape({ node: nodeRecord }), ({ node }) => entryOf(node).toDict()),

  'NodeWithScore.get_content': operation(
    shape({ node: nodeRecord, metadata_mode: argument<MetadataMode | undefined>() }),
    ({ node, metadata_mode: mode }) => Workbench.run((bench) => bench.watch(entryOf(node)).getContent(mode)),
  ),
}
