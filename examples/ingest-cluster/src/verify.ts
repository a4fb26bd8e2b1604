/**
 * Compares the stored nodes with those of the same documents parsed in this process.
 */
import type { Document, TextNode } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import type { PostgresDocumentStore } from '@x/postgres'
import { splitting } from './documents.ts'
import { summaryOf } from './model-server.ts'

/** The faults of the store; all numbers are 0 when it is correct. */
export interface Verdict {
  /** The expected number of nodes. */
  nodes: number
  missing: number
  /** Nodes whose text or metadata are different. */
  different: number
  /** Nodes that do not belong to any document. */
  surplus: number
  /** Documents with a wrong list of nodes or a wrong hash. */
  brokenSources: number
}

/** Parses without the cluster, with the same summaries as the model server. */
const parser = new MarkdownElementNodeParser({
  ...splitting,
  summarizer: ({ element }) => ({ summary: summaryOf(element.element), tableTitle: null, tableId: null, columns: [] }),
})

/** Verifies every node of the store. */
export async function verify(store: PostgresDocumentStore, documents: Iterable<Document>): Promise<Verdict> {
  const verdict: Verdict = { nodes: 0, missing: 0, different: 0, surplus: 0, brokenSources: 0 }
  const seen = new Set<string>()
  for (const document of documents) {
    const expected = await parser.transform([document])
    const ids = expected.map(({ id }) => id)
    const stored = new Map((await store.getNodes(ids, { raiseError: false })).map((node) => [node.id, node]))
    verdict.nodes += ids.length
    for (const node of expected) {
      seen.add(node.id)
      const found: TextNode | undefined = stored.get(node.id)
      if (!found) verdict.missing++
      else if (found.hash !== node.hash) verdict.different++
    }
    const source = await store.getRefDocInfo(document.id)
    const isWhole = JSON.stringify(source?.nodeIds.toSorted()) === JSON.stringify(ids.toSorted())
    if (!isWhole || (await store.getDocumentHash(document.id)) !== document.hash) verdict.brokenSources++
  }
  for await (const { id } of store.nodes()) if (!seen.has(id)) verdict.surplus++
  return verdict
}

/** Whether the store is correct. */
export function isRight({ missing, different, surplus, brokenSources }: Verdict): boolean {
  return missing + different + surplus + brokenSources === 0
}
