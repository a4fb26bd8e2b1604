/**
 * Operations of stores in a database that a test kills at random, and what must be there afterwards.
 *
 * Operations have numbers. Four in a row, of which the first has a multiple of 4, belong to one source document: two writes of its nodes,
 * a message and a task.
 */
import { writeSync } from 'node:fs'
import type { JournalEntry } from '@x/agents/store'
import { ChatMessage, type ChatStore, messageText, type TaskStore, TextNode } from '@x/core-model'
import type { KVDocumentStore } from '@x/storage'

/** The stores of a database. */
export interface KilledStores {
  documents: Pick<KVDocumentStore, 'addDocuments' | 'upsert' | 'getNodes' | 'getRefDocInfo'>
  chats: ChatStore
  tasks: TaskStore
}

/** The operations that are missing in the stores. */
export interface Losses {
  /** Acknowledged operations whose effect is missing. */
  lost: number
  /** Operations of which a part is there. */
  halfDone: number
}

/** The entries of each task. */
const journal: readonly JournalEntry[] = [
  { type: 'undo', n: 0, at: 0, changes: {} },
  { type: 'finalized', n: 1, at: 0, changes: {} },
]
const CONVERSATION = 'all'
const partsOf = (source: string) => [`${source}/a`, `${source}/b`]
const sourceOf = (n: number) => `d${n - (n % 4)}`

/** Writes to the stores until the process is killed. Prints the number of each operation as a line when it was acknowledged. */
export async function writeUntilKilled({ documents, chats, tasks }: KilledStores, first: number): Promise<never> {
  for (let n = first; ; n++) {
    const source = sourceOf(n)
    // Their texts name the operation that wrote them.
    const nodes = partsOf(source).map(
      (id) => new TextNode({ id, text: `${n}`, relationships: { 1: { nodeId: source } } }),
    )
    if (n % 4 === 0) await documents.addDocuments(nodes)
    else if (n % 4 === 1) await documents.upsert(nodes)
    else if (n % 4 === 2) await chats.addMessage(CONVERSATION, new ChatMessage({ content: `${n}` }), -1)
    else await tasks.append(source, journal, 0)
    writeSync(1, `${n}\n`)
  }
}

/** Looks for the operations that a writer acknowledged before it was killed, and for parts of the one after them. */
export async function lossesOf(
  { documents, chats, tasks }: KilledStores,
  first: number,
  acknowledged: readonly number[],
): Promise<Losses> {
  const losses: Losses = { lost: 0, halfDone: 0 }
  const messages = new Set((await chats.getMessages(CONVERSATION)).map(messageText))
  const states = new Map<string, readonly string[]>()
  const stateOf = async (source: string) => {
    const { nodeIds } = (await documents.getRefDocInfo(source)) ?? { nodeIds: [] }
    const texts = (await documents.getNodes(partsOf(source), { raiseError: false })).map(({ text }) => text)
    const state = nodeIds.length === texts.length ? texts : [...texts, 'not listed']
    states.set(source, state)
    return state
  }
  const isThere = async (n: number) => {
    if (n % 4 === 2) return messages.has(`${n}`)
    if (n % 4 === 3) return (await tasks.load(sourceOf(n)))?.length === journal.length
    return (await stateOf(sourceOf(n))).filter((text) => Number(text) >= n).length === 2
  }
  for (const n of acknowledged) if (!(await isThere(n))) losses.lost++
  // The operation after the last acknowledged one may have been saved.
  const last = sourceOf((acknowledged.at(-1) ?? first - 1) + 1)
  await stateOf(last)
  if (((await tasks.load(last))?.length ?? journal.length) !== journal.length) losses.halfDone++
  for (const texts of states.values())
    if (texts.length !== 0 && (texts.length !== 2 || texts[0] !== texts[1])) losses.halfDone++
  return losses
}
