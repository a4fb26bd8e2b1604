import { ToolkitError } from '@x/core-model'

/** A table is to be summarized and there is no model to do it. */
export class MissingModelError extends ToolkitError {
  constructor(className: string) {
    super(
      'MissingModelError',
      'missing_model',
      `${className}: a table needs a summary; pass llm, or summarizer: 'headers' to do without a model.`,
    )
  }
}

/** Nodes are to be made of a table that has no summary. */
export class MissingTableOutputError extends ToolkitError {
  readonly elementId: string

  constructor(elementId: string) {
    super(
      'MissingTableOutputError',
      'missing_table_output',
      `Element ${elementId}: no tableOutput; call extractTableSummaries first.`,
    )
    this.elementId = elementId
  }
}

/** An index node refers to a node that is not in the list. */
export class DanglingIndexNodeError extends ToolkitError {
  readonly nodeId: string
  readonly indexId: string

  constructor(nodeId: string, indexId: string) {
    super('DanglingIndexNodeError', 'dangling_index_node', `Index node ${nodeId}: no node ${indexId} in the list.`)
    this.nodeId = nodeId
    this.indexId = indexId
  }
}

/** A model's answer about a table cannot be read; the parser then asks for plain words. */
export class SummaryFormatError extends ToolkitError {
  /** The answer as it came. */
  readonly answer: string

  constructor(answer: string, reason: string) {
    super('SummaryFormatError', 'summary_format', `The summary of a table cannot be read: ${reason}.`)
    this.answer = answer
  }
}
