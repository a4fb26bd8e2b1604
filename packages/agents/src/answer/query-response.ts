/**
 * @module
 * The answer of a query engine.
 */
import { type Dict, NodeWithScore, type ReadOptions } from '@x/core-model'
import { modelReader, type RecordReader, readRecord } from '../record-reader.ts'

/** An answer and the nodes that it is based on. */
export class QueryResponse {
  readonly response: string
  readonly sourceNodes: NodeWithScore[]

  constructor(options: { response: string; sourceNodes?: readonly NodeWithScore[] }) {
    this.response = options.response
    this.sourceNodes = [...(options.sourceNodes ?? [])]
  }

  /** The name in saved tasks. */
  static className(): string {
    return 'Answer'
  }

  toString(): string {
    return this.response
  }

  /** Returns the wire form. */
  toDict(): { response: string; source_nodes: Dict[]; metadata: null } {
    return { response: this.response, source_nodes: this.sourceNodes.map((node) => node.toDict()), metadata: null }
  }

  /** Returns the parts of the answer for a saved task, unchanged. */
  toParts(): Dict {
    return { response: this.response, source_nodes: this.sourceNodes }
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): Dict {
    return this.toDict()
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
