/**
 * Runs the cases of the node parsers; conformance/FORMAT-node-parser.md says what their keys mean.
 */
import {
  CallbackManager,
  CompletionResponse,
  CustomLLM,
  isNode,
  LLMMetadata,
  type ModelClass,
  NodeRelationship,
  nodeClasses,
  type RelatedNodeInfo,
  type TextNode,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import {
  buildNodesFromSplits,
  type Element,
  MarkdownElementNodeParser,
  MarkdownNodeParser,
  type TableFilter,
  type TableOutput,
  TextSplitter,
} from '@x/node-parser'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'

type Json = Record<string, unknown>

/** A model that answers by script: lists of answers for prompts that hold a text, then answers in order. */
class MockModel extends CustomLLM {
  static override className(): string {
    return 'MockModel'
  }

  readonly metadata = new LLMMetadata({ isChatModel: false, contextWindow: 1_000_000 })
  readonly prompts: string[] = []
  private readonly answer: (prompt: string) => Promise<string>

  constructor(answer: (prompt: string) => Promise<string>) {
    super({})
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

interface Script {
  responses?: unknown[]
  match?: { contains: string; responses: unknown[] }[]
}

function scripted(script: Script | undefined): { llm: MockModel; assertDone(): void } {
  const responses = [...(script?.responses ?? [])]
  const matches = (script?.match ?? []).map(({ contains, responses: own }) => ({ contains, responses: [...own] }))
  const llm = new MockModel(async (prompt) => {
    const match = matches.find((entry) => prompt.includes(entry.contains) && entry.responses.length > 0)
    const queue = match?.responses ?? responses
    if (queue.length === 0) throw new Error('the model was asked for more answers than the case gives')
    const answer = queue.shift()
    if (typeof answer === 'string') return answer
    throw new Error((answer as { error: string }).error)
  })
  return {
    llm,
    assertDone() {
      const left = responses.length + matches.reduce((sum, match) => sum + match.responses.length, 0)
      if (left > 0) throw new Error(`${left} answers were not asked for`)
    },
  }
}

function readNode(record: Json): TextNode {
  const modelClass = nodeClasses().classes.find((known) => known.className() === record['class_name'])
  if (modelClass === undefined) throw new Error(`no node class ${String(record['class_name'])}`)
  const data = { ...record }
  const inner = data['obj']
  if (typeof inner === 'object' && inner !== null && 'class_name' in inner) delete data['obj']
  const node = (modelClass as ModelClass<TextNode>).fromDict(data)
  return inner !== data['obj'] ? node.copy({ update: { obj: readNode(inner as Json) } as object }) : node
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Options in API names. */
function options(fields: Json | undefined): Json {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [camel(name), value]))
}

function idFunc(template: string | undefined) {
  if (template === undefined) return {}
  return {
    idFunc: (index: number, node: TextNode) => template.replaceAll('{i}', String(index)).replaceAll('{doc}', node.id),
  }
}

function readTableOutput(data: Json | null | undefined): TableOutput | null {
  if (data === null || data === undefined) return null
  const columns = (data['columns'] as Json[]).map((column) => ({
    colName: column['col_name'] as string,
    colType: column['col_type'] as string,
    summary: (column['summary'] as string | null | undefined) ?? null,
  }))
  return {
    summary: data['summary'] as string,
    tableTitle: (data['table_title'] as string | null | undefined) ?? null,
    tableId: (data['table_id'] as string | null | undefined) ?? null,
    columns,
  }
}

function writeTableOutput(output: TableOutput | null): Json | null {
  if (output === null) return null
  return {
    summary: output.summary,
    table_title: output.tableTitle,
    table_id: output.tableId,
    columns: output.columns.map(({ colName, colType, summary }) => ({ col_name: colName, col_type: colType, summary })),
  }
}

function readElement(data: Json): Element {
  return {
    id: data['id'] as string,
    type: data['type'] as Element['type'],
    element: data['element'] as string,
    titleLevel: null,
    tableOutput: readTableOutput(data['table_output'] as Json | undefined),
    table: (data['table'] as Element['table'] | undefined) ?? null,
    startCharIdx: (data['start_char_idx'] as number | undefined) ?? null,
    endCharIdx: (data['end_char_idx'] as number | undefined) ?? null,
  }
}

function writeElement({ id, type, element, startCharIdx, endCharIdx, table }: Element): Json {
  return {
    id,
    type,
    element,
    start_char_idx: startCharIdx,
    end_char_idx: endCharIdx,
    ...(type === 'table' && { table: { columns: table?.columns, rows: table?.rows, align: table?.align } }),
  }
}

const related = (node: TextNode, code: NodeRelationship) =>
  (node.relationships[code] as RelatedNodeInfo | undefined)?.nodeId ?? null

function view(node: TextNode): Json {
  return {
    class_name: (node.constructor as ModelClass).className(),
    id_: node.id,
    text: node.text,
    metadata: node.metadata,
    start_char_idx: node.startCharIdx,
    end_char_idx: node.endCharIdx,
    excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
    excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    source: related(node, NodeRelationship.source),
    prev: related(node, NodeRelationship.previous),
    next: related(node, NodeRelationship.next),
    ...('indexId' in node && { index_id: node.indexId }),
  }
}

/** Previous and next records say what is final of the neighbours in the list. */
function checkNeighbours(nodes: readonly TextNode[]): void {
  nodes.forEach((node, index) => {
    for (const [code, neighbour] of [
      [NodeRelationship.previous, nodes[index - 1]],
      [NodeRelationship.next, nodes[index + 1]],
    ] as const) {
      const record = node.relationships[code] as RelatedNodeInfo | undefined
      if (record !== undefined) expectEqual(record.toDict(), neighbour?.asRelatedNodeInfo().toDict())
    }
  })
}

function checkUnchanged(nodes: readonly TextNode[], before: readonly string[]): void {
  expectEqual(
    nodes.map((node) => node.toJson()),
    before,
  )
}

const filters: Record<string, (parser: MarkdownElementNodeParser) => TableFilter[]> = {
  default: (parser) => [(table) => parser.filterTable(table)],
  none: () => [],
  reject_all: () => [() => false],
  min_3_rows: (parser) => [(table) => parser.filterTable(table), (table) => (table.table?.rows.length ?? 0) >= 3],
}

/** A splitter that cuts at a text. */
class TestSplitter extends TextSplitter {
  declare splitOn: string

  static override spec() {
    return { ...MarkdownNodeParser.spec(), name: 'TestSplitter', className: 'TestSplitter' }
  }

  override splitText(text: string): string[] {
    if (text.includes('BOOM')) throw new Error('BOOM')
    return text.split(this.splitOn)
  }
}

function testSplitter(given: Case['given'], more: Json = {}): TestSplitter {
  const splitter = new TestSplitter({ ...options(given['parser']), ...idFunc(given['id_func']), ...more })
  splitter.splitOn = given['split_on'] as string
  return splitter
}

function elementParser(given: Case['given'], more: Json = {}): MarkdownElementNodeParser {
  const { num_workers, summary_query_str } = given
  return new MarkdownElementNodeParser({
    ...options(given['parser']),
    ...(num_workers !== undefined && { numWorkers: num_workers }),
    ...(summary_query_str !== undefined && { summaryQueryStr: summary_query_str }),
    ...idFunc(given['id_func']),
    ...more,
  })
}

/** Runs with a scripted model, then checks the prompts and that no answer is left. */
async function withModel(testCase: Case, run: (llm: MockModel) => Promise<unknown>): Promise<unknown> {
  const { llm, assertDone } = scripted(testCase.given['llm'])
  const result = await run(llm)
  assertDone()
  const prompts = testCase.expect['prompts'] as { contains?: string[]; not_contains?: string[] }[] | undefined
  if (prompts === undefined) return result
  expectEqual(llm.prompts.length, prompts.length)
  prompts.forEach(({ contains = [], not_contains: refused = [] }, index) => {
    const prompt = llm.prompts[index] as string
    for (const text of contains) if (!prompt.includes(text)) throw new Error(`prompt ${index} lacks ${text}`)
    for (const text of refused) if (prompt.includes(text)) throw new Error(`prompt ${index} holds ${text}`)
  })
  return result
}

async function parsed(given: Case['given'], parser: { getNodesFromDocuments(nodes: TextNode[]): Promise<TextNode[]> }) {
  const documents = (given['documents'] as Json[]).map(readNode)
  const before = documents.map((node) => node.toJson())
  const nodes = await parser.getNodesFromDocuments(documents)
  checkUnchanged(documents, before)
  checkNeighbours(nodes)
  return nodes.map(view)
}

const operations: Record<string, (testCase: Case) => Promise<unknown>> = {
  async 'MarkdownElementNodeParser.extract_elements'({ given }) {
    const parser = new MarkdownElementNodeParser()
    const tableFilters = filters[(given['table_filters'] as string | undefined) ?? 'default']?.(parser)
    return parser
      .extractElements(given['text'] as string, { nodeId: given['node_id'] as string | null, tableFilters })
      .map(writeElement)
  },
  async 'MarkdownElementNodeParser.filter_table'({ given }) {
    const candidate = given['table_element'] as Json
    return new MarkdownElementNodeParser().filterTable(
      (typeof candidate === 'object' && candidate !== null ? readElement(candidate) : candidate) as Element,
    )
  },
  'MarkdownElementNodeParser.extract_table_summaries': (testCase) =>
    withModel(testCase, async (llm) => {
      const elements = (testCase.given['elements'] as Json[]).map(readElement)
      await elementParser(testCase.given, { llm }).extractTableSummaries(elements)
      return { outputs: elements.map(({ tableOutput }) => writeTableOutput(tableOutput)) }
    }),
  async 'MarkdownElementNodeParser.get_nodes_from_elements'({ given }) {
    const elements = (given['elements'] as Json[]).map(readElement)
    const node = given['node'] === null || given['node'] === undefined ? null : readNode(given['node'])
    const before = JSON.stringify(elements)
    const nodes = await elementParser(given).getNodesFromElements(elements, { node })
    expectEqual(JSON.stringify(elements), before)
    return nodes.map(view)
  },
  'MarkdownElementNodeParser.get_nodes_from_documents': (testCase) =>
    withModel(testCase, (llm) => parsed(testCase.given, elementParser(testCase.given, { llm }))),
  async 'MarkdownElementNodeParser.get_base_nodes_and_mappings'({ given }) {
    const nodes = (given['nodes'] as Json[]).map(readNode)
    const before = nodes.map((node) => node.toJson())
    const { baseNodes, nodeMappings } = new MarkdownElementNodeParser().getBaseNodesAndMappings(nodes)
    checkUnchanged(nodes, before)
    return {
      base: baseNodes.map(({ id }) => id),
      mappings: Object.fromEntries(Object.entries(nodeMappings).map(([key, node]) => [key, node.id])),
    }
  },
  async 'MarkdownElementNodeParser.get_nodes_and_objects'({ given }) {
    const all = (given['nodes'] as Json[]).map(readNode)
    const before = all.map((node) => node.toJson())
    const { nodes, objects } = new MarkdownElementNodeParser().getNodesAndObjects(all)
    checkUnchanged(all, before)
    return {
      nodes: nodes.map(({ id }) => id),
      objects: objects.map(({ id, obj }) => ({ id_: id, obj: isNode(obj) ? obj.id : null })),
    }
  },
  async 'MarkdownElementNodeParser.to_dict'({ given, expect }) {
    const dict = elementParser(given).toDict()
    if (!('summary_query_str' in (expect.value as Json))) delete dict['summary_query_str']
    return dict
  },
  async 'MarkdownElementNodeParser.construct'({ given }) {
    return new MarkdownElementNodeParser(options(given['parser'])).toDict()
  },
  async 'MarkdownElementNodeParser.concurrency'({ given }) {
    const delays = given['delays_ms'] as number[]
    let calls = 0
    let inFlight = 0
    let most = 0
    const llm = new MockModel(async (prompt) => {
      const delay = delays[calls++]
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setTimeout(resolve, delay))
      inFlight--
      return JSON.stringify({ summary: `S${/\| t(\d+) \|/.exec(prompt)?.[1]}`, columns: [] })
    })
    const elements = Array.from({ length: given['tables'] as number }, (_, index) =>
      readElement({ id: `e${index}`, type: 'table_text', element: `| t${index} |` }),
    )
    await elementParser(given, { llm }).extractTableSummaries(elements)
    return { max_in_flight: most, summaries: elements.map(({ tableOutput }) => tableOutput?.summary) }
  },
  async 'MarkdownNodeParser.get_nodes_from_documents'({ given }) {
    return parsed(given, new MarkdownNodeParser({ ...options(given['parser']), ...idFunc(given['id_func']) }))
  },
  async 'TextSplitter.get_nodes_from_documents'({ given }) {
    return parsed(given, testSplitter(given))
  },
  async 'TextSplitter.events'({ given }) {
    const handler = new RecordingCallbackHandler()
    const splitter = testSplitter(given, { callbackManager: new CallbackManager([handler]) })
    let throws = false
    try {
      await splitter.getNodesFromDocuments((given['documents'] as Json[]).map(readNode))
    } catch {
      throws = true
    }
    const events = handler.summary().map(([event, type, keys]) => ({ event, type, payload_keys: keys }))
    return { events, throws }
  },
  async build_nodes_from_splits({ given }) {
    const refDoc = given['ref_doc'] === undefined ? null : readNode(given['ref_doc'])
    return buildNodesFromSplits(given['splits'] as string[], readNode(given['document']), {
      refDoc,
      ...idFunc(given['id_func']),
    }).map((node) => node.toDict())
  },
}

type Invariant = (nodes: TextNode[], text: string, parser: MarkdownElementNodeParser) => string | null

const words = (text: string) => text.split(/\s+/).filter(Boolean)
const isTable = (nodes: readonly TextNode[], index: number) =>
  index > 0 && (nodes[index - 1] as { indexId?: string }).indexId === nodes[index]?.id
const isIndex = (node: TextNode) => 'indexId' in node

const invariants: Record<string, Invariant> = {
  slices: (nodes, text) => {
    const bad = nodes.find(
      (node, index) =>
        !isIndex(node) &&
        !isTable(nodes, index) &&
        text.slice(node.startCharIdx ?? -1, node.endCharIdx ?? -1) !== node.text,
    )
    return bad ? `${JSON.stringify(bad.text)} is no slice` : null
  },
  covers: (nodes, text) => {
    const covered = new Uint8Array(text.length)
    for (const { startCharIdx, endCharIdx } of nodes) covered.fill(1, startCharIdx ?? 0, endCharIdx ?? 0)
    nodes.forEach((node, index) => {
      // Marks in front of a table's own first line belong to nothing.
      if (!isTable(nodes, index)) return
      const start = node.startCharIdx ?? 0
      const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1
      if (/^[\s>*+\-\d.)]*$/.test(text.slice(line, start))) covered.fill(1, line, start)
    })
    for (const { index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
      if (covered[index] === 0)
        return `offset ${index} (${JSON.stringify(text.slice(index, index + 20))}) is in no node`
    }
    return null
  },
  ordered: (nodes, _text, parser) => {
    for (let index = 1; index < nodes.length; index++) {
      const [before, node] = [nodes[index - 1] as TextNode, nodes[index] as TextNode]
      if ((node.startCharIdx ?? 0) < (before.startCharIdx ?? 0)) return `${node.id} starts before the node before it`
      if (isTable(nodes, index)) continue
      if (before.startCharIdx === node.startCharIdx && before.endCharIdx === node.endCharIdx)
        return `${node.id} shares its range`
      const sameText = !isIndex(node) && !isTable(nodes, index - 1)
      if (!(sameText && (parser.chunkOverlap as number) > 0) && (node.startCharIdx ?? 0) < (before.endCharIdx ?? 0))
        return `${node.id} overlaps the node before it`
    }
    return null
  },
  source: (nodes) =>
    nodes.every((node) => related(node, NodeRelationship.source) === 'D') ? null : 'a source is not D',
  chain: (nodes) => {
    const holds = nodes.every(
      (node, index) =>
        related(node, NodeRelationship.previous) === (nodes[index - 1]?.id ?? null) &&
        related(node, NodeRelationship.next) === (nodes[index + 1]?.id ?? null),
    )
    return holds ? null : 'the chain is broken'
  },
  pairs: (nodes) =>
    nodes.every((node, index) => !isIndex(node) || isTable(nodes, index + 1)) ? null : 'an index node lacks its table',
  chunk_limit: (nodes, text, parser) => {
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as TextNode
      if (isIndex(node) || isTable(nodes, index)) continue
      if (words(node.text).length > (parser.chunkSize ?? Number.POSITIVE_INFINITY)) return `${node.id} is too long`
      const before = nodes[index - 1]
      if (before === undefined || isTable(nodes, index - 1)) continue
      const shared = text.slice(node.startCharIdx ?? 0, Math.max(node.startCharIdx ?? 0, before.endCharIdx ?? 0))
      if (words(shared).length > (parser.chunkOverlap as number)) return `${node.id} overlaps too much`
    }
    return null
  },
}

async function checkInvariants({ given, expect }: Case): Promise<void> {
  const llm = new MockModel(async () => JSON.stringify({ summary: 'S', columns: [] }))
  const parser = elementParser(given, { llm, tokenizer: words })
  const text = given['text'] as string
  const nodes = await parser.getNodesFromDocuments([readNode({ class_name: 'Document', id_: 'D', text })])
  for (const name of expect['holds'] as string[]) {
    const invariant = invariants[name]
    const fault = invariant === undefined ? 'unknown' : invariant(nodes, text, parser)
    if (fault !== null) throw new Error(`${name}: ${fault}`)
  }
}

export const area: Area = {
  async check(testCase) {
    if (testCase.op === 'MarkdownElementNodeParser.invariants') return checkInvariants(testCase)
    const operation = operations[testCase.op]
    if (operation === undefined) throw new Error(`unknown operation ${testCase.op}`)
    if (testCase.expect.throws) return expectThrows(() => operation(testCase))
    expectEqual(await operation(testCase), testCase.expect.value)
  },
}
