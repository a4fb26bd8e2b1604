import { ToolkitError } from '@x/core-model'

/** Thrown when a table needs a summary, and no model is configured. */
export class MissingModelError extends ToolkitError {
  constructor(className: string) {
    super(
      'MissingModelError',
      'missing_model',
      `${className}: a table needs a summary; pass llm, or summarizer: 'headers' to summarize without a model.`,
    )
  }
}

/** Thrown when nodes are created from a table without a summary. */
export class MissingTableOutputError extends ToolkitError {
  readonly elementId: string

  constructor(elementId: string) {
    super(
      'MissingTableOutputError',
      'missing_table_output',
      `Element ${elementId}: tableOutput is missing; call extractTableSummaries first.`,
    )
    this.elementId = elementId
  }
}

/** Thrown when an index node refers to a node that is not in the list. Pass all nodes that the parser returned, tables too. */
export class DanglingIndexNodeError extends ToolkitError {
  readonly nodeId: string
  readonly indexId: string

  constructor(nodeId: string, indexId: string) {
    super('DanglingIndexNodeError', 'dangling_index_node', `Index node ${nodeId}: node ${indexId} is not in the list.`)
    this.nodeId = nodeId
    this.indexId = indexId
  }
}

/** Thrown when a model's answer about a table cannot be parsed. The parser handles this error: it asks for a plain-text summary. */
export class SummaryFormatError extends ToolkitError {
  /** The answer of the model. */
  readonly answer: string

  constructor(answer: string, reason: string) {
    super('SummaryFormatError', 'summary_format', `The summary of a table cannot be parsed: ${reason}.`)
    this.answer = answer
  }
}

/** Thrown when the metadata of a document leaves no room for text in a chunk. */
export class MetadataTooLongError extends ToolkitError {
  /** The size of the metadata, in tokens. */
  readonly metadataTokens: number
  readonly chunkSize: number

  /** @param option - the name of the option that limits the size. */
  constructor(className: string, metadataTokens: number, chunkSize: number, option = 'chunkSize') {
    super(
      'MetadataTooLongError',
      'metadata_too_long',
      `${className}: expected metadata of less than ${option} (${chunkSize}) tokens, received ${metadataTokens}; increase ${option}, or name keys in excludedEmbedMetadataKeys and excludedLlmMetadataKeys.`,
    )
    this.metadataTokens = metadataTokens
    this.chunkSize = chunkSize
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    dangling_index_node: DanglingIndexNodeError
    metadata_too_long: MetadataTooLongError
    missing_model: MissingModelError
    missing_table_output: MissingTableOutputError
    summary_format: SummaryFormatError
  }
}
