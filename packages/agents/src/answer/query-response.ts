/**
 * @module
 * The answer of a query engine, with the code that reads it.
 */

import { checkGiven } from '@x/core/options'
import { modelReader, type RecordReader, readRecord } from '@x/core/reading'
import { NodeWithScore, type ReadOptions } from '@x/core-model'
import { QueryAnswer } from './query-answer.ts'

/** An answer and the nodes that it is based on. */
export class QueryResponse extends QueryAnswer {
  constructor(options: ConstructorParameters<typeof QueryAnswer>[0]) {
    checkGiven('QueryResponse', { options }, 'an object of options', 'response')
    super(options)
  }

  /** Whether a value is an answer, also one that an agent has made. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === QueryResponse ? value instanceof QueryAnswer : super[Symbol.hasInstance](value)
  }

  /**
   * Reads an answer from its wire form. Missing nodes are read as an empty array.
   * @param options.registry - classes of nodes that are not built in.
   * @throws {ModelValidationError} with an issue for every invalid field.
   */
  static fromDict(data: unknown, options: ReadOptions = {}): QueryResponse {
    const read = (fields: RecordReader) => ({
      response: fields.string('response'),
      sourceNodes: fields.list('source_nodes', modelReader(NodeWithScore, options)),
    })
    return new QueryResponse(readRecord('QueryResponse', data, read))
  }
}
