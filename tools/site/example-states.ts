/** States of the playground that show what a recorded example did: each with the same result as the example. */
import { FunctionTool, ReActAgent } from '@x/agents'
import type { NodeWithScore, TextNode } from '@x/core-model'
import type { EvaluationRun, evaluateRetriever } from '@x/evaluate'
import { ScriptedLLM } from '@x/llm/testing'
import type { extractMarkdownElements, MarkdownElementNodeParser } from '@x/node-parser'
import { NodePostprocessor } from '@x/postprocessors'
import { formatWithSources, PromptTemplate } from '@x/prompts'
import { Bm25Retriever } from '@x/retrieval'
import { act, filledIn } from '../../examples/playground/src/agent.ts'
import { formClasses } from '../../examples/playground/src/chain.ts'
import type { Passage } from '../../examples/playground/src/passages.ts'
import { readPython } from '../../examples/playground/src/python.ts'
import {
  type AgentState,
  type ChainStep,
  initial,
  type State,
  type ToolData,
} from '../../examples/playground/src/state.ts'
import { Work } from '../../examples/playground/src/work.ts'
import type { Recording } from './example-recording.ts'

/** A state of the playground, and a string that the page then contains. */
export interface Shown {
  readonly state: State
  /** The element that contains the text. */
  readonly selector: string
  readonly text: string
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether a value is plain data, which an address can contain. */
const isData = (value: unknown): boolean => {
  try {
    return same(structuredClone(value), value)
  } catch {
    return false
  }
}

type Reader = (recording: Recording) => Promise<Shown | null>

/** An agent on a scripted model: the same answer, and the same results of tools. */
const agent: Reader = async ({ calls, failed, made, toolCalls }) => {
  const script = [...made].flatMap(([object, options]) =>
    object instanceof ScriptedLLM ? ((options as { answers?: (string | string[])[] }).answers ?? []) : [],
  )
  const isReAct = calls.some(({ name, self }) => name === 'fromTools' && self === ReActAgent)
  const asked = [...calls, ...failed].find(
    ({ name, self }) => /^(?:chat|createTask|runEvents)$/.test(name) && self instanceof ReActAgent,
  )
  const question: unknown = asked?.args[0]
  if (!isReAct || toolCalls.length === 0 || typeof question !== 'string') return null
  if (!script.every((reply) => [reply].flat().every((part) => typeof part === 'string'))) return null
  const replies = script.map((reply) => [reply].flat().join(''))
  const answers = calls.flatMap(({ name, result }) => (/^(?:chat|runTask)$/.test(name) ? [String(result)] : []))
  const answer = answers.at(-1) ?? /Answer: ([\s\S]*)$/.exec(replies.at(-1)!)?.[1]
  const tools = calls.flatMap(({ name, self, args: [options] }) => {
    const data = name === 'fromDefaults' && self === FunctionTool ? toolOf(options!) : null
    return data === null ? [] : [data]
  })
  const observed = toolCalls.map(({ name, args, result }) => {
    const tool = tools.find((each) => each.name === name)
    return tool !== undefined && filledIn(tool.result, args) === String(result) ? `Observation: ${result}` : null
  })
  const state: AgentState = { ...initial.agent, question, script: replies, tools }
  const found = await answerOf(state)
  if (
    found.answer !== answer ||
    !same(
      found.steps.flatMap((step) => step.match(/^Observation: .*$/gm) ?? []),
      observed,
    )
  )
    return null
  return { state: { ...initial, tab: 'agent', agent: state }, selector: '#answer', text: answer! }
}

/** A tool as data. Its result is what the function returns for the names of its arguments; the answers say whether this was right. */
function toolOf({ name, description = '', schema, needsApproval, fn }: Record<string, unknown>): ToolData | null {
  if (typeof name !== 'string' || typeof description !== 'string' || !isData(schema)) return null
  try {
    const parameters = schema as Record<string, unknown>
    const names = Object.keys(parameters['properties'] ?? {})
    const call = fn as (args: object, context: object) => unknown
    const result = call(Object.fromEntries(names.map((each) => [each, `{${each}}`])), {})
    if (typeof result !== 'string' && typeof result !== 'number') return null
    return { name, description, schema: parameters, needsApproval: Boolean(needsApproval), result: String(result) }
  } catch {
    return null
  }
}

/** Runs the agent of the playground to its end, with every call approved. */
async function answerOf(state: AgentState): Promise<{ answer: string | null; steps: string[] }> {
  let task = state.tasks[0]!
  for (let count = 0; count < 20; count += 1) {
    const { waiting, answer, steps, saved } = await act(state, task, '')
    if (answer !== null) return { answer, steps }
    const [call] = waiting
    task = { ...task, saved }
    try {
      const next = await act(state, task, '', call ? { do: 'approve', callId: call.id } : { do: 'step' })
      task = { ...task, saved: next.saved }
      if (next.answer !== null) return { answer: next.answer, steps: next.steps }
    } catch {
      break
    }
  }
  return { answer: null, steps: [] }
}

/** The passages of nodes: null if one of them is more than its text and metadata. */
function passagesOf(nodes: readonly (readonly [node: TextNode, score: number | null])[]): string | null {
  const passages = nodes.map(([node, score], index): Passage => {
    const { id, text, metadata, refDocId } = node
    return {
      // A random id would make another link each time.
      id: /^[\da-f]{8}-[\da-f-]{27}$/.test(id) ? `passage ${index + 1}` : id,
      text,
      ...(score !== null && { score }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(refDocId && { source: refDocId }),
    }
  })
  return passages.every(isData) ? passages.map((passage) => JSON.stringify(passage)).join('\n') : null
}

/** The steps of a chain; null if a form cannot make one. */
function chainOf(made: Recording['made'], postprocessors: readonly unknown[]): ChainStep[] | null {
  const chain: ChainStep[] = []
  for (const one of postprocessors) {
    const options = made.get(one as object) as Record<string, unknown> | undefined
    const parts = options?.['postprocessors']
    if (Array.isArray(parts)) {
      const inner = chainOf(made, parts)
      if (inner === null) return null
      chain.push(...inner)
      continue
    }
    const name = (one as { constructor: { name: string } }).constructor.name
    const { ner: _, ...fields } = options ?? {}
    if (!(one instanceof NodePostprocessor) || !(name in formClasses) || !isData(fields)) return null
    chain.push({ name, fields })
  }
  return chain
}

const resultsOf = (found: readonly NodeWithScore[]) => found.map(({ node, score }) => [(node as TextNode).text, score])
const shownResults = (results: readonly { text: string; score: number | null }[]) =>
  results.map(({ text, score }) => [text, score])

/** Postprocessors: the same results from the same passages. */
const chain: Reader = async ({ calls, made }) => {
  for (const { name, self, args, result } of calls) {
    if (name !== 'postprocessNodes') continue
    const [nodes, { queryStr, queryBundle } = {} as Record<string, never>] = args as never as [
      NodeWithScore[],
      { queryStr?: string; queryBundle?: { queryStr: string } }?,
    ]
    const steps = chainOf(made, [self])
    const passages = passagesOf(nodes.map(({ node, score }) => [node as TextNode, score]))
    if (steps === null || passages === null || passages === '') continue
    const query = queryStr ?? queryBundle?.queryStr ?? ''
    const found = await new Work().search(query, steps, passages)
    const wanted = resultsOf(result as NodeWithScore[])
    if (!same(shownResults(found.results), wanted)) continue
    const state: State = { ...initial, tab: 'search', query, chain: steps, passages }
    return { state, selector: '#found', text: `${found.found} nodes found, ${wanted.length} left` }
  }
  return null
}

/** The nodes of a retriever that an example made. */
function nodesOf({ calls, made }: Recording, retriever: unknown): TextNode[] {
  const given = (made.get(retriever as object) as { nodes?: TextNode[] } | undefined)?.nodes ?? []
  const added = calls.flatMap(({ name, self, args: [nodes] }) => (name === 'add' && self === retriever ? nodes! : []))
  return [...given, ...added]
}

/** A search by words: the same passages first. */
const search: Reader = async (recording) => {
  const call = recording.calls.find(({ name }) => name === 'retrieve')
  if (call === undefined || !(call.self instanceof Bm25Retriever)) return null
  const [query, ...options] = call.args as unknown as [string, ...unknown[]]
  const made = Object.keys(recording.made.get(call.self) ?? {})
  if (options.length > 0 || !made.every((name) => /^(?:nodes|similarityTopK)$/.test(name))) return null
  const passages = passagesOf(nodesOf(recording, call.self).map((node) => [node, null]))
  const wanted = resultsOf(call.result as NodeWithScore[])
  if (!passages || wanted.length === 0) return null
  const { results, found } = await new Work().search(query, [], passages)
  if (!same(shownResults(results).slice(0, wanted.length), wanted)) return null
  const state: State = { ...initial, tab: 'search', query, chain: [], passages }
  return { state, selector: '#found', text: `${found} nodes found` }
}

/** An evaluation: the same measures. */
const evaluation: Reader = async (recording) => {
  for (const { name, args, result } of recording.calls) {
    if (name !== 'evaluateRetriever') continue
    const [{ retriever, testSet, postprocessors = [] }] = args as never as [Parameters<typeof evaluateRetriever>[0]]
    const steps = chainOf(recording.made, postprocessors)
    const passages = passagesOf(nodesOf(recording, retriever).map((node) => [node, null]))
    if (!passages || steps === null) continue
    const lines = testSet.map((question) => JSON.stringify(question)).join('\n')
    const run = await new Work().evaluate(lines, steps, passages)
    const measuresOf = ({ measures }: EvaluationRun) => [measures.recall.mean, measures.ndcg.mean]
    if (!same(measuresOf(run), measuresOf(result as EvaluationRun))) continue
    const state: State = { ...initial, tab: 'evaluate', chain: steps, passages, testSet: lines }
    return { state, selector: '#measures', text: `recall${run.measures.recall.mean.toFixed(2)}` }
  }
  return null
}

/** Markdown: the same nodes, or the same elements. */
const markdown: Reader = async ({ calls }) => {
  for (const { name, args, result } of calls) {
    let text: string
    let isSame: boolean
    if (name === 'getNodesFromDocuments') {
      const documents = args[0] as never as Parameters<MarkdownElementNodeParser['getNodesFromDocuments']>[0]
      const [document] = documents as unknown as readonly { text: string }[]
      if (documents.length !== 1) continue
      text = document!.text
      const { nodes } = await new Work().parse(text)
      const places = (result as TextNode[]).map((node) => [node.text, node.startCharIdx, node.endCharIdx])
      isSame = same(
        nodes.map((node) => [node.text, node.start, node.end]),
        places,
      )
    } else if (name === 'extractMarkdownElements') {
      text = args[0] as never as string
      const { elements } = await new Work().parse(text)
      const types = (result as ReturnType<typeof extractMarkdownElements>).map(({ type }) => type)
      isSame = same(
        elements.map(({ kind }) => kind),
        types,
      )
    } else continue
    if (!isSame || text === '') continue
    const { counts } = await new Work().parse(text)
    const shown = `elements: ${counts.elements}, tables: ${counts.tables}, nodes: ${counts.nodes}`
    return { state: { ...initial, tab: 'markdown', markdown: text }, selector: '#counts', text: shown }
  }
  return null
}

/** A prompt: the same text. */
const prompt: Reader = async ({ calls }) => {
  for (const { name, self, args, result } of calls) {
    const [template, variables = {}] = (
      name === 'format' ? [self, args[0]] : name === 'formatWithSources' ? args : []
    ) as [unknown, Record<string, string>?]
    if (!(template instanceof PromptTemplate)) continue
    if (!Object.values(variables).every((value) => typeof value === 'string')) continue
    const wanted = typeof result === 'string' ? result : (result as { text: string }).text
    try {
      const { text } = formatWithSources(new PromptTemplate({ template: template.template }), variables)
      if (text !== wanted) continue
    } catch {
      continue
    }
    const state: State = { ...initial, tab: 'prompt', template: template.template, variables }
    return { state, selector: '#filled', text: wanted }
  }
  return null
}

/** JSON of Python: an object that is read and written back without a difference. */
const python: Reader = async ({ calls }) => {
  for (const { name, result } of calls) {
    if (!/^to(?:Dict|Json)$/.test(name) || !isData(result)) continue
    try {
      const text = JSON.stringify(typeof result === 'string' ? JSON.parse(result) : result, null, 2)
      const { className, differences } = readPython(text)
      if (differences.length > 0) continue
      const shown = `${className}: written back, it is the same`
      return { state: { ...initial, tab: 'python', python: text }, selector: '#differences', text: shown }
    } catch {
      // It has no class name, or that of a class which is no part of the page.
    }
  }
  return null
}

/** In this order: the first that fits. */
export const readers: readonly Reader[] = [agent, evaluation, chain, search, markdown, prompt, python]
