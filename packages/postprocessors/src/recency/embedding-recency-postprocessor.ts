/**
 * @module
 * Drops older nodes that are similar to a newer one.
 */
import { type NodeWithScore, similarity } from '@x/core-model'
import { embedQueries } from '@x/core-model/components'
import { fillTemplate, parseTemplate } from '@x/core-model/text'
import { embedTexts } from '../embed.ts'
import { MissingDependencyError } from '../errors.ts'
import { EmbeddingRecencyPostprocessorModel } from '../generated/embedding-recency-postprocessor.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { shortNumber } from '../relevance.ts'
import { newestFirst } from './order-by-date.ts'

/** The maximum number of queries that are embedded with one request. */
const queriesPerRequest = 256

/**
 * Orders nodes by date, newest first, and drops each older node whose similarity to a newer node is greater than
 * `similarityCutoff`. Each node is compared with the next `compareWith` older ones, so that the time is proportional to the number of
 * nodes. The date is part of the embedded text unless its metadata key is excluded. Nodes are embedded with one request, and queries
 * with one request per 256 nodes if the model has `getQueryEmbeddingBatch`.
 * @throws {ModelValidationError} if a field has the wrong type.
 * @example
 * const vectors = { 'v2': [1, 0], 'v1': [0.9, 0.1], 'other': [0, 1] }
 * const latest = new EmbeddingRecencyPostprocessor({ embedModel: new TableEmbedding({ texts: vectors }), queryEmbeddingTmpl: '{context_str}' })
 * const nodes = [['v1', '2020'], ['v2', '2021'], ['other', '2019']].map(
 *   ([text, date]) => new NodeWithScore({ node: new TextNode({ text, metadata: { date }, excludedEmbedMetadataKeys: ['date'] }) }),
 * )
 * ;(await latest.postprocessNodes(nodes)).map(({ text }) => text) // => ['v2', 'other']
 */
export class EmbeddingRecencyPostprocessor extends EmbeddingRecencyPostprocessorModel {
  /**
   * @throws {MissingDependencyError} if `embedModel` is missing.
   * @throws {MissingVariableError} if the template uses a variable other than `context_str`.
   */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { reasons } = run
    const { embedModel, similarityCutoff } = this
    const className = EmbeddingRecencyPostprocessor.className()
    if (!embedModel) throw new MissingDependencyError(className, 'pass embedModel.')
    const ordered = newestFirst(nodes, this, className)
    if (ordered.length === 0) return []
    const template = parseTemplate(this.queryEmbeddingTmpl)
    const contents = ordered.map(({ node }) => node.getContent('embed'))
    const queries = contents.map((text) =>
      fillTemplate(template, (name) => (name === 'context_str' ? text : undefined)),
    )
    const calls = new ModelCalls(this, run, 2)
    const vectors = await embedTexts(calls, embedModel, contents)
    if (reasons) {
      for (const entry of nodes) reasons.set(entry, `no date that can be read in metadata "${this.dateKey}"`)
      for (const [index, entry] of ordered.entries())
        reasons.set(entry, `recency rank ${index + 1}, not similar to a newer node`)
    }
    const dropped = new Set<number>()
    const dropSimilar = (newer: number, queryVector: readonly number[]) => {
      const last = Math.min(newer + this.compareWith, ordered.length - 1)
      for (let older = newer + 1; older <= last; older++) {
        if (dropped.has(older)) continue
        const score = similarity(queryVector, vectors[older]!, this.similarity === 'dot' ? 'dot_product' : 'cosine')
        if (!(score > similarityCutoff)) continue
        dropped.add(older)
        reasons?.set(ordered[older]!, `similar to the newer node "${ordered[newer]!.nodeId}" (${shortNumber(score)})`)
      }
    }
    // A dropped node needs no query, so queries are embedded in groups; one by one if the model cannot embed several at once.
    const most = embedModel.getQueryEmbeddingBatch ? queriesPerRequest : 1
    for (let next = 0; next < ordered.length; ) {
      const turn: number[] = []
      for (; next < ordered.length && turn.length < most; next++) if (!dropped.has(next)) turn.push(next)
      const embedded = await embedQueries(
        embedModel,
        turn.map((newer) => queries[newer]!),
        (work) => calls.run(work),
      )
      for (const [index, newer] of turn.entries()) if (!dropped.has(newer)) dropSimilar(newer, embedded[index]!)
    }
    return ordered.filter((_, index) => !dropped.has(index))
  }
}
