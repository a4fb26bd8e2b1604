/**
 * @module
 * Reads the answers of OpenAI's Responses interface. Each item of an answer becomes parts of the message, which keep what else the item
 * says, so that it goes back as it came.
 */
import { AnswerBuilder, usageOf } from '@x/core-model'
import { type AnswerReader, ModelCallError, ToolCallPieces } from '@x/llm'
import { type Json, list, object, string } from './values.ts'

/** The name of this interface in parts that only it understands, and the key of its data in other parts. */
export const RESPONSES = 'openai_responses'

/** What a part keeps of its item: the item without its text, and for one of several text parts its entry without the text. */
export interface ItemData {
  item: Json
  /** The field of the item that contains the entry. */
  field?: 'content' | 'summary'
  entry?: Json
}

/** Returns the field of an entry that contains its text. */
export const textField = ({ type }: Json): 'refusal' | 'text' => (type === 'refusal' ? 'refusal' : 'text')

const metadata = (data: ItemData): { [RESPONSES]: ItemData } => ({ [RESPONSES]: data })

/** The statuses of responses that are not an answer; at the end of a stream, the last two. */
const unfinished: readonly string[] = ['queued', 'in_progress', 'cancelled', 'failed']

/** The events that end a stream; the last one is that of OpenRouter. */
const ends: readonly string[] = ['response.completed', 'response.incomplete', 'response.done']

/** Reads an answer, whole or as the events of a stream. */
export class ResponsesReader implements AnswerReader<Json> {
  readonly answer = new AnswerBuilder()
  raw: Json | null = null
  private isRefused = false
  private readonly calls = new ToolCallPieces(this.answer)
  /** The number of characters of each text part so far. */
  private readonly lengths = new Map<string, number>()
  private readonly sources = new Set<string>()
  /** The items that are complete. */
  private readonly done = new Set<string>()
  /** The keys of calls by their ids. */
  private readonly keys = new Map<string, string>()

  addPiece(piece: Json): void {
    this.raw = piece
    const { type, item, delta, item_id, output_index, content_index = 0, summary_index = 0 } = piece
    // Some servers do not number the items.
    const at = output_index ?? item_id ?? object(item)?.['id']
    const text = string(delta)
    this.isRefused ||= type === 'response.refusal.delta'
    if (Array.isArray(piece['output'])) this.addRest(piece, unfinished)
    else if (type === 'response.output_item.added') this.begin(object(item) ?? {}, String(at))
    else if (type === 'response.output_item.done') this.addItem(object(item) ?? {}, String(at))
    else if (type === 'response.output_text.delta' || type === 'response.refusal.delta')
      this.add('addText', `${at}.content.${content_index}`, text)
    else if (type === 'response.reasoning_summary_text.delta')
      this.add('addReasoning', `${at}.summary.${summary_index}`, text)
    else if (type === 'response.reasoning_text.delta') this.add('addReasoning', `${at}.content.${content_index}`, text)
    else if (type === 'response.function_call_arguments.delta') this.calls.add({ index: at, arguments: text })
    else if (type === 'response.function_call_arguments.done') this.addArguments(String(at), piece['arguments'])
    else if (type === 'response.output_text.done')
      this.add(
        'addText',
        `${at}.content.${content_index}`,
        this.restOf(`${at}.content.${content_index}`, piece['text']),
      )
    else if (ends.includes(string(type))) this.addRest(object(piece['response']) ?? {})
  }

  /** Adds what did not arrive piece by piece: all items of a whole answer, and calls that a server sends at the end alone. */
  private addRest(response: Json, refused: readonly string[] = unfinished.slice(2)): void {
    const status = string(response['status'])
    if (refused.includes(status))
      throw new ModelCallError(`The server answered with a response that is ${status}.`, { kind: 'bad_response' })
    const isWhole = this.done.size === 0 && this.lengths.size === 0
    for (const [index, item] of list(response['output']).entries()) {
      const isCall = item['type'] === 'function_call'
      if (isWhole || (isCall && !this.done.has(this.keyOf(item, index)))) this.addItem(item, this.keyOf(item, index))
    }
    this.finish(response)
  }

  /** Returns the key of an item: that of the call with its id, because some servers number items in another way at the end. */
  private keyOf({ call_id: id }: Json, index: unknown): string {
    return this.keys.get(string(id)) ?? String(index)
  }

  /** A call is reported as soon as it begins. */
  private begin({ type, call_id, name }: Json, key: string): void {
    if (type !== 'function_call') return
    if (string(call_id) !== '') this.keys.set(string(call_id), key)
    this.calls.add({ index: key, id: call_id, name })
  }

  /** Adds a whole item, without what already arrived in pieces. */
  private addItem(item: Json, key: string): void {
    const { type } = item
    this.done.add(key)
    if (type === 'message') this.addEntries(item, 'content', key)
    else if (type === 'reasoning') this.addReasoningItem(item, key)
    else if (type === 'function_call') this.addCall(item, this.keyOf(item, key))
    else if (type === 'image_generation_call' && string(item['result']) !== '') this.addImage(item)
    else this.answer.addPart({ type: 'provider', adapter: RESPONSES, data: item })
  }

  private addReasoningItem(item: Json, key: string): void {
    // Models that show their reasoning write it into the content instead of a summary.
    const fields = ['summary', 'content'] as const
    for (const field of fields) this.addEntries(item, field, key)
    if (fields.every((field) => list(item[field]).length === 0)) this.answer.addReasoning('', key, metadata({ item }))
  }

  private addEntries(item: Json, field: 'content' | 'summary', key: string): void {
    const isReasoning = item['type'] === 'reasoning'
    const bare = { ...item }
    for (const name of ['content', 'summary']) if (Array.isArray(item[name])) bare[name] = []
    const given = item[field]
    const entries = typeof given === 'string' && !isReasoning ? [{ type: 'output_text', text: given }] : list(given)
    for (const [index, entry] of entries.entries()) {
      const name = textField(entry)
      const place = `${key}.${field}.${index}`
      const rest = this.restOf(place, entry[name])
      const data = metadata({ item: bare, field, entry: { ...entry, [name]: '' } })
      this.add(isReasoning ? 'addReasoning' : 'addText', place, rest, data)
      this.isRefused ||= name === 'refusal'
      for (const annotation of list(entry['annotations'])) this.addSource(annotation)
    }
  }

  /** Returns the text of a part that did not arrive in pieces. */
  private restOf(place: string, text: unknown): string {
    return string(text).slice(this.lengths.get(place) ?? 0)
  }

  private add(kind: 'addText' | 'addReasoning', place: string, delta: string, data?: object): void {
    this.lengths.set(place, (this.lengths.get(place) ?? 0) + delta.length)
    this.answer[kind](delta, place, data)
  }

  private addCall(item: Json, key: string): void {
    const { call_id: id, name } = item
    this.addArguments(key, item['arguments'])
    this.calls.add({
      index: key,
      id,
      name,
      metadata: metadata({ item: { ...item, call_id: '', name: '', arguments: '' } }),
    })
  }

  /** Replaces the arguments that arrived in pieces, unless the server does not repeat them. */
  private addArguments(index: string, given: unknown): void {
    if (given !== '') this.calls.add({ index, arguments: given, isWhole: true })
  }

  private addImage(item: Json): void {
    const { result, output_format: format = 'png' } = item
    const url = `data:image/${format};base64,${result}`
    const own = { provider_metadata: metadata({ item: { ...item, result: '' } }) as object as Record<string, unknown> }
    this.answer.addPart({ type: 'image_url', image_url: { url }, ...own })
  }

  /** Adds a source that the model cites, once. */
  private addSource({ url, title, file_id: id, filename }: Json): void {
    const source = Object.entries({ id, url, title, filename }).filter(([, value]) => string(value) !== '')
    const name = string(url ?? id)
    if (name === '' || this.sources.has(name)) return
    this.sources.add(name)
    this.answer.addPart({ type: 'source', source: Object.fromEntries(source) })
  }

  private finish(response: Json): void {
    this.answer.setUsage(usageOf({ raw: response, additionalKwargs: {} }))
    const cut = string(object(response['incomplete_details'])?.['reason'])
    const end = response['status'] === 'incomplete' ? 'length' : this.calls.count > 0 ? 'tool_calls' : 'stop'
    this.answer.finish(this.isRefused ? 'content_filter' : cut || end)
  }
}
