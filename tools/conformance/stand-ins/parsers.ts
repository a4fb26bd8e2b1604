/** Node parsers that a case describes, their nodes and elements, and the model that they ask. */
import {
  CompletionResponse,
  type Dict,
  isModel,
  LLMMetadata,
  messageText,
  NodeRelationship,
  type TextNode,
} from '@x/core-model'
import { CustomLLM } from '@x/llm'
import { type Element, type IdFunc, MarkdownElementNodeParser, type TableOutput } from '@x/node-parser'
import type { Expectation } from '../case.ts'
import { expectEqual } from '../compare.ts'
import { apiKeys, CaseError, type Json } from '../given.ts'
import { nodesOf, unchanged } from './nodes.ts'

/** A template in which `{i}` is the number of the node and `{doc}` the id of the input node. */
export function idFunction(template: string): IdFunc {
  return (index, { id }) => template.replaceAll('{i}', String(index)).replaceAll('{doc}', () => id)
}

/** Constructor options of a parser. */
export function parserOptions({ parser, idFunc, ...options }: Json): Dict {
  return { ...apiKeys(parser), ...(idFunc !== undefined && { idFunc: idFunction(idFunc) }), ...options }
}

export const elementParser = (given: Json, more: Dict = {}): MarkdownElementNodeParser =>
  new MarkdownElementNodeParser({ ...parserOptions(given), ...more })

/** Id of the node in a relation, or null. */
export function relatedId({ relationships }: TextNode, code: NodeRelationship): string | null {
  const related = relationships[code]
  return related && !Array.isArray(related) ? related.nodeId : null
}

export function nodeView(node: TextNode): Dict {
  return {
    class_name: node.toDict()['class_name'],
    id_: node.id,
    text: node.text,
    metadata: node.metadata,
    start_char_idx: node.startCharIdx,
    end_char_idx: node.endCharIdx,
    excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
    excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    source: relatedId(node, NodeRelationship.source),
    prev: relatedId(node, NodeRelationship.previous),
    next: relatedId(node, NodeRelationship.next),
    ...('indexId' in node && { index_id: node.indexId }),
  }
}

/** Checks that previous and next records carry the final metadata, hash and type of the neighbours in the list. */
function checkNeighbours(nodes: readonly TextNode[]): void {
  for (const [index, { relationships }] of nodes.entries()) {
    const neighbours = [
      [NodeRelationship.previous, nodes[index - 1]],
      [NodeRelationship.next, nodes[index + 1]],
    ] as const
    for (const [code, neighbour] of neighbours) {
      const record = relationships[code]
      if (isModel(record))
        expectEqual(
          record.toDict(),
          neighbour?.asRelatedNodeInfo().toDict(),
          {},
          `nodes[${index}].relationships[${code}]`,
        )
    }
  }
}

interface Parser {
  getNodesFromDocuments(nodes: TextNode[]): Promise<TextNode[]>
}

/** Parses documents, which must not change, and returns the views of the nodes. */
export async function parseDocuments(documents: readonly Dict[], parser: Parser): Promise<Dict[]> {
  const inputs = nodesOf(documents)
  const nodes = await unchanged(inputs, () => parser.getNodesFromDocuments(inputs))
  checkNeighbours(nodes)
  return nodes.map(nodeView)
}

// Elements of Markdown documents in wire form.

export function elementOf({ table_output: output, ...record }: Json): Element {
  const absent = { titleLevel: null, table: null, startCharIdx: null, endCharIdx: null }
  const tableOutput = output ? tableOutputOf(output) : null
  return Object.assign(absent, apiKeys<Element>(record), { tableOutput })
}

function tableOutputOf({ columns, ...record }: Dict): TableOutput {
  const columnOf = (column: Dict) => Object.assign({ summary: null }, apiKeys<TableOutput['columns'][0]>(column))
  const output = apiKeys<TableOutput>(record)
  return {
    ...output,
    tableTitle: output.tableTitle ?? null,
    tableId: output.tableId ?? null,
    columns: (columns as Dict[]).map(columnOf),
  }
}

export function elementForm({ id, type, element, startCharIdx, endCharIdx, table }: Element): Dict {
  return {
    id,
    type,
    element,
    start_char_idx: startCharIdx,
    end_char_idx: endCharIdx,
    ...(type === 'table' && { table: { columns: table?.columns, rows: table?.rows, align: table?.align } }),
  }
}

export function tableOutputForm(output: TableOutput | null): Dict | null {
  return (
    output && {
      summary: output.summary,
      table_title: output.tableTitle,
      table_id: output.tableId,
      columns: output.columns.map(({ colName, colType, summary }) => ({
        col_name: colName,
        col_type: colType,
        summary,
      })),
    }
  )
}

// A completion model that answers from the script of a case, and checks of its prompts.

/** Calls `answer` for every prompt; the prompt of a chat is the content of its messages, one after the other. */
export class MockModel extends CustomLLM {
  static override className(): string {
    return 'MockModel'
  }

  readonly metadata = new LLMMetadata({ isChatModel: false, contextWindow: 1_000_000 })
  readonly prompts: string[] = []
  private readonly answer: (prompt: string) => string | Promise<string>

  constructor(answer: (prompt: string) => string | Promise<string>) {
    super({ messagesToPrompt: (messages) => messages.map(messageText).join('\n') })
    this.answer = answer
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    this.prompts.push(prompt)
    return new CompletionResponse({ text: await this.answer(prompt) })
  }

  protected override async *streamCompleteRequest(prompt: string) {
    yield await this.completeRequest(prompt)
  }
}

function checkPrompts(prompts: readonly string[], wanted: readonly Json[]): void {
  expectEqual(prompts.length, wanted.length, {}, 'number of prompts')
  for (const [index, { contains = [], not_contains: excluded = [] }] of wanted.entries()) {
    const prompt = prompts[index] ?? ''
    const isWrong = (text: string) => prompt.includes(text) === excluded.includes(text)
    for (const text of [...contains, ...excluded].filter(isWrong))
      throw new CaseError(
        `prompt ${index}: ${JSON.stringify(text)} ${contains.includes(text) ? 'is missing' : 'is there'}`,
      )
  }
}

/** The answers of a script, used up in order; those for a matching prompt first. */
class Answers {
  private readonly inOrder: Json
  private readonly matching: Json[]
  private beyond = 0

  constructor({ responses = [], match = [] }: Json) {
    this.inOrder = [...responses]
    this.matching = match.map((entry: Json) => ({ contains: entry.contains, responses: [...entry.responses] }))
  }

  next(prompt: string): string {
    const match = this.matching.find(({ contains, responses }) => prompt.includes(contains) && responses.length > 0)
    const answer = (match?.responses ?? this.inOrder).shift()
    if (answer === undefined) {
      this.beyond += 1
      throw new Error('the model was asked for more answers than the case contains')
    }
    if (typeof answer === 'string') return answer
    throw new Error(answer.error)
  }

  checkNotBeyond(): void {
    if (this.beyond > 0)
      throw new CaseError(`the model was asked for ${this.beyond} more answers than the case contains`)
  }

  checkUsedUp(): void {
    const left = [this.inOrder, ...this.matching.map(({ responses }) => responses)].flat().length
    if (left > 0) throw new CaseError(`${left} answers of the model were not asked for`)
  }
}

/** Runs with a scripted model, and checks that the case contains exactly the answers asked for, and the prompts. */
export async function withModel<T>(
  llm: Json,
  { prompts }: Expectation,
  run: (llm: MockModel) => Promise<T>,
): Promise<T> {
  const answers = new Answers(llm ?? {})
  const model = new MockModel((prompt) => answers.next(prompt))
  try {
    const result = await run(model)
    answers.checkUsedUp()
    return result
  } finally {
    answers.checkNotBeyond()
    if (prompts !== undefined) checkPrompts(model.prompts, prompts as Json[])
  }
}
