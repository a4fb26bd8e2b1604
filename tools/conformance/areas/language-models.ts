/** Language and embedding models, and messages. */
import {
  CallbackManager,
  ChatResponse,
  type CompleteOptions,
  CompletionResponse,
  chatToCompletionResponse,
  completionToChatResponse,
  type Dict,
  type EmbedOptions,
  type EventPayload,
  eventTypes,
  LLMMetadata,
  meanAgg,
  messageRoles,
  similarity,
  similarityModes,
  TextNode,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { CustomLLM, type LLMOptions, programModes } from '@x/llm'
import { type ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import type { Operations } from '../case.ts'
import { apiKeys, CaseError, type Json, named } from '../given.ts'
import {
  componentInputs,
  messageOf,
  messagesOf,
  modelOf,
  promptFunctions,
  promptOf,
  requestsOf,
} from '../stand-ins/prompts.ts'

/** Returns what `work` and `rest` return; when `work` fails, `threw` and what `rest` returns. */
async function outcome(work: () => Promise<Dict>, rest: () => Dict): Promise<Dict> {
  try {
    return { ...(await work()), ...rest() }
  } catch (error) {
    if (error instanceof CaseError) throw error
    return { threw: true, ...rest() }
  }
}

// A language model that only completes.

/** Answers `echo:` and the number of calls so far. */
class EchoLLM extends CustomLLM {
  readonly metadata = new LLMMetadata()
  readonly requests: Dict[] = []
  private readonly tail: string

  constructor(options: LLMOptions = {}, tail = '') {
    super(options)
    this.tail = tail
  }

  protected override async completeRequest(prompt: string, { formatted = false }: CompleteOptions) {
    this.requests.push({ prompt, formatted })
    return new CompletionResponse({ text: `echo:${this.requests.length}${this.tail}` })
  }

  protected override async *streamCompleteRequest(prompt: string, options: CompleteOptions) {
    yield await this.completeRequest(prompt, options)
  }
}

export const customModel: Operations = {
  'llm.config': ({ values }) => {
    const { class_name, ...fields } = new EchoLLM(apiKeys(values)).toDict()
    return fields
  },

  'custom_llm.chat': async ({ messages, messagesToPrompt, tail }) => {
    const llm = new EchoLLM(promptFunctions(null, messagesToPrompt), tail)
    const { message } = await llm.chat(messagesOf(messages))
    return { message: message.toDict(), requests: llm.requests }
  },

  'custom_llm.chat_events': async ({ messages }) => {
    const handler = new RecordingCallbackHandler()
    await new EchoLLM({ callbackManager: new CallbackManager([handler]) }).chat(messagesOf(messages))
    return handler.summary()
  },
}

// Embedding models.

const tableOf = (table: Json = {}) =>
  Object.fromEntries(
    Object.entries<Json>(table).map(([text, entry]) => [
      text,
      entry === 'throw' ? new Error('embedding failed') : entry,
    ]),
  )

/** A model without a batch call. */
class OneByOneEmbedding extends TableEmbedding {
  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await this.textRequest(text, options))
    return vectors
  }
}

function embeddingOf({ embed, queryEmbed, embedBatchSize, oneByOne }: Json) {
  const handler = new RecordingCallbackHandler()
  const model = new (oneByOne ? OneByOneEmbedding : TableEmbedding)({
    texts: tableOf(embed),
    queries: tableOf(queryEmbed),
    embedBatchSize,
    callbackManager: new CallbackManager([handler]),
  })
  return { model, handler, requests: model.requests }
}

/** The chunks that each end event lists. */
function chunksOf({ events }: RecordingCallbackHandler): unknown[] {
  return events.flatMap((event) =>
    event.phase === 'end' && event.payload && 'chunks' in event.payload ? [event.payload['chunks']] : [],
  )
}

export const embedding: Operations = {
  'embedding.config': ({ values }) => {
    const { class_name, ...fields } = new TableEmbedding(apiKeys(values)).toDict()
    return fields
  },

  'embedding.get_text_embedding_batch': ({ texts, ...given }) => {
    const { model, handler, requests } = embeddingOf(given)
    return outcome(
      async () => ({ embeddings: await model.getTextEmbeddingBatch(texts), chunks: chunksOf(handler) }),
      () => ({ requests, events: handler.summary() }),
    )
  },

  'embedding.get_query_embedding': async ({ query, ...given }) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getQueryEmbedding(query), requests, events: handler.summary() }
  },

  'embedding.get_text_embedding': async ({ text, ...given }) => {
    const { model, handler, requests } = embeddingOf(given)
    return { embedding: await model.getTextEmbedding(text), requests, events: handler.summary() }
  },

  'embedding.get_agg_embedding_from_queries': async ({ queries, ...given }) => {
    const { model, handler, requests } = embeddingOf(given)
    const aggregated = await model.getAggEmbeddingFromQueries(queries)
    return { embedding: aggregated, requests, event_count: handler.events.length }
  },

  'embedding.similarity': ({ a, b, mode }) => similarity(a, b, mode),
  'embedding.mean_agg': ({ embeddings }) => meanAgg(embeddings),

  'embedding.embed_nodes': async ({ nodes: records, ...given }) => {
    const { model, requests } = embeddingOf(given)
    const nodes = records.map((node: Json) => TextNode.fromDict(node))
    const result = await model.transform(nodes)
    return {
      same_list: result === nodes,
      texts: requests.flatMap(([, texts]) => texts),
      embeddings: nodes.map((node: Json) => node.embedding),
    }
  },
}

// Language models that answer from a script.

/** The payload of the first start event, of one type or of any. */
function startPayload({ events }: RecordingCallbackHandler, type?: string): EventPayload | null {
  const start = events.find((event) => event.phase === 'start' && (type === undefined || event.type === type))
  return start?.phase === 'start' ? start.payload : null
}

function templatingOf(handler: RecordingCallbackHandler): Dict {
  const { query_wrapper_prompt, ...payload } = startPayload(handler, 'templating') ?? {}
  return payload
}

/** Runs one request; on failure only the events count. */
function request(record: Json, call: (llm: ScriptedLLM) => Promise<Dict>): Promise<Dict> {
  const { llm, handler } = modelOf(record)
  return outcome(
    async () => ({
      ...(await call(llm)),
      calls: requestsOf(llm),
      additional_kwargs: startPayload(handler)?.['additional_kwargs'],
    }),
    () => ({ events: handler.summary() }),
  )
}

export const languageModel: Operations = {
  'llm.predict': ({ llm: record, prompt, vars }) => {
    const { llm, handler } = modelOf(record)
    return outcome(
      async () => {
        const output = await llm.predict(promptOf(prompt), vars)
        return { output, templating: templatingOf(handler) }
      },
      () => ({ calls: requestsOf(llm), events: handler.summary() }),
    )
  },

  'llm.stream': ({ llm: record, prompt, vars, stopAfter }) => {
    const { llm, handler } = modelOf(record)
    const tokens: string[] = []
    return outcome(
      async () => {
        for await (const token of llm.stream(promptOf(prompt), vars)) {
          tokens.push(token)
          if (tokens.length === stopAfter) break
        }
        return {}
      },
      () => ({ tokens, calls: requestsOf(llm), events: handler.summary() }),
    )
  },

  'llm.chat': ({ llm, messages, kwargs }) =>
    request(llm, async (model) => ({ message: (await model.chat(messagesOf(messages), kwargs)).message.toDict() })),

  'llm.complete': ({ llm, prompt, kwargs }) =>
    request(llm, async (model) => ({ text: (await model.complete(prompt, kwargs)).text })),

  'llm.query_component': async ({ llm: record, partial, input }) => {
    const { llm } = modelOf(record)
    const component = llm.asQueryComponent({ partial: partial && componentInputs(partial) })
    const { output } = await component.runComponent(componentInputs(input))
    return { input_keys: [...component.inputKeys.required], output: String(output), calls: requestsOf(llm) }
  },
}

// Messages, responses, and the values of enumerations.

const enumerations: Readonly<Record<string, readonly string[]>> = {
  MessageRole: messageRoles,
  PydanticProgramMode: programModes,
  EventType: eventTypes,
  SimilarityMode: similarityModes,
}

export const messages: Operations = {
  'ChatMessage.str': ({ values }) => String(messageOf(values)),

  'llms.completion_response_to_chat_response': ({ response }) =>
    completionToChatResponse(CompletionResponse.fromDict(response)).toDict(),

  'llms.chat_response_to_completion_response': ({ response }) =>
    chatToCompletionResponse(ChatResponse.fromDict(response)).toDict(),

  'enum.values': (given) => [...named(enumerations, given.enum)],
}
