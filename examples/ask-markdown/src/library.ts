/**
 * @module
 * The documents: parsed into nodes, stored and indexed.
 */
import { type Document, NodeWithScore, type TextNode } from '@x/core-model'
import { MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'
import { LongContextReorder, SimilarityPostprocessor } from '@x/postprocessors'
import { Bm25Retriever, IndexNodeFollower } from '@x/retrieval'
import { SimpleDocumentStore } from '@x/storage'
import { headingOf } from './place.ts'
import { isTableNode, readTable, type Table } from './table.ts'
import { Vocabulary } from './vocabulary.ts'
import { stemsOf } from './words.ts'

/** The size of text nodes in tokens: small enough for precise line numbers. */
const CHUNK_SIZE = 150
/** The number of nodes that a search retrieves, and the maximum number that it returns. */
const CANDIDATES = 100
const RESULTS = 10
/** The maximum number of results of each kind, so that many similar tables do not displace all texts, or the reverse. */
const RESULTS_OF_A_KIND = 6
/** The lowest score of a result, relative to the best score. */
const CUTOFF = 0.35

/** Puts first the nodes whose section is called like the query: "Node" for "node". They get the best score. */
function calledLike(query: string, found: readonly NodeWithScore[]): NodeWithScore[] {
  const asked = new Set(stemsOf(query))
  const best = found[0]?.score ?? 1
  const isCalledLike = ({ node }: NodeWithScore) => {
    const own = stemsOf(headingOf(node).split(' > ').at(-1) ?? '')
    return own.length === asked.size && own.every((word) => asked.has(word))
  }
  const first = found.filter(isCalledLike).map(({ node }) => new NodeWithScore({ node, score: best }))
  return [...first, ...found.filter((entry) => !isCalledLike(entry))]
}

/** Parsed documents. */
export class Library {
  readonly files: string[] = []
  readonly nodes: TextNode[] = []
  /** The words of all nodes. */
  readonly vocabulary = new Vocabulary()
  private readonly store = new SimpleDocumentStore()
  private readonly retriever = new Bm25Retriever({ similarityTopK: CANDIDATES, tokenize: stemsOf })
  /** Replaces index nodes by their tables. */
  private readonly follower = new IndexNodeFollower({ store: this.store })
  private readonly postprocessors = [
    new SimilarityPostprocessor({ similarityCutoff: CUTOFF }),
    new LongContextReorder(),
  ]
  private readonly parser = new MarkdownElementNodeParser({
    summarizer: 'headers',
    htmlTables: 'table',
    headerPath: true,
    lineNumbers: true,
    // Text is split at headings, so that each node belongs to one section.
    nestedNodeParser: new MarkdownNodeParser({ chunkSize: CHUNK_SIZE, includeMetadata: false }),
    idFunc: (index, document) => `${document.id}#${index}`,
  })

  /** Parses a document into text nodes, table nodes and their index nodes, and adds them. */
  async add(document: Document): Promise<void> {
    const nodes = await this.parser.getNodesFromDocuments([document])
    await this.store.addDocuments(nodes)
    this.retriever.add(nodes)
    this.nodes.push(...nodes)
    for (const node of nodes) this.vocabulary.add(`${node.text} ${headingOf(node)} ${document.id}`)
    this.files.push(document.id)
  }

  /** Returns the numbers of files, texts and tables. */
  counts(): { files: number; texts: number; tables: number } {
    const tables = this.nodes.filter(isTableNode).length
    // Each table consists of two nodes: an index node and a table node.
    return { files: this.files.length, texts: this.nodes.length - 2 * tables, tables }
  }

  /** Returns the texts and tables that match a query. The best ones are first and last. */
  async search(query: string, signal?: AbortSignal): Promise<NodeWithScore[]> {
    const found = calledLike(
      query,
      await this.follower.postprocessNodes(await this.retriever.retrieve(query, { signal }), { signal }),
    )
    const best = found[0]?.score ?? 1
    const kinds = [found.filter(({ node }) => isTableNode(node)), found.filter(({ node }) => !isTableNode(node))]
    const chosen = new Set(kinds.flatMap((kind) => kind.slice(0, RESULTS_OF_A_KIND)))
    let results = found
      .filter((entry) => chosen.has(entry))
      .slice(0, RESULTS)
      .map(({ node, score }) => new NodeWithScore({ node, score: (score ?? 0) / best }))
    for (const postprocessor of this.postprocessors) {
      results = await postprocessor.postprocessNodes(results, { queryStr: query, signal })
    }
    return results
  }

  /** Returns the table with this id, or null. */
  async table(id: string): Promise<Table | null> {
    const node = await this.store.getNode(id, { raiseError: false })
    return node && isTableNode(node) ? readTable(node) : null
  }
}
