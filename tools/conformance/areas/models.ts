/** Runs the cases of `models.json` against the built packages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@x/agents'
import * as core from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { runtimeSpec } from '@x/core-model/runtime'
import { anything, component, freeForm, live, nested, nullable, oneOf, record } from '@x/core-model/schemas'
import { RecordingCallbackHandler, TableEmbedding, type TableEntry } from '@x/core-model/testing'
import * as nodeParser from '@x/node-parser'
import * as postprocessors from '@x/postprocessors'
import * as prompts from '@x/prompts'
import * as TypeBox from 'typebox'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'
import { apiKeys } from '../names.ts'
import { messageOf, messagesToPromptOf, modelOf, promptOf } from '../prompt-stand-ins.ts'
import { componentInputs } from './prompts.ts'

const { Model, ChatResponse, CompletionResponse } = core

// biome-ignore lint/suspicious/noExplicitAny: descriptors are free-form JSON
type Given = any
// biome-ignore lint/suspicious/noExplicitAny: any model class
type AnyClass = any

const concrete: Record<string, unknown> = { ...core, ...prompts, ...postprocessors, ...nodeParser, ...agents }

function classNamed(name: string): AnyClass {
  const found = concrete[name]
  if (typeof found !== 'function') throw new Error(`there is no class ${name}`)
  return found
}

/** The model class that a case describes. */
function classOf(definition: Given): AnyClass {
  if (typeof definition === 'string') return classNamed(definition)
  const used: Record<string, AnyClass> = Object.fromEntries(
    (definition.uses ?? []).map((use: Given) => [use.name, classOf(use)]),
  )
  const nestedFields: Record<string, AnyClass[]> = {}
  const fields: Record<string, TypeBox.TSchema> = {}
  for (const field of definition.fields) {
    const bounds = Object.fromEntries(
      Object.entries({ gt: 'exclusiveMinimum', ge: 'minimum', lt: 'exclusiveMaximum', le: 'maximum' }).flatMap(
        ([key, keyword]) => (key in field ? [[keyword, field[key]]] : []),
      ),
    )
    const given = 'default' in field ? { default: field.default } : field.required ? {} : { default: null }
    const annotations = { ...bounds, ...given, wire: field.name }
    if (field.runtime) fields[field.name] = live({ type: 'unknown', wire: field.name, required: field.required })
    else
      fields[field.name] = schemaOf(
        field.type,
        annotations,
        (type) => (nestedFields[field.name] = [used[type] ?? classNamed(type)]),
      )
  }
  const make = definition.base === 'plain' ? record : component
  const spec = runtimeSpec(make(definition.name, '', fields, { className: definition.class_name ?? null }))
  return class extends Model {
    static override spec() {
      return spec
    }
    static override nested() {
      return nestedFields
    }
  }
}

function schemaOf(type: string, annotations: Given, use: (type: string) => void): TypeBox.TSchema {
  const inner = /^(list|optional)\[(.*)\]$/.exec(type)
  if (inner?.[1] === 'list') return TypeBox.Array(schemaOf(inner[2]!, {}, use), annotations)
  if (inner?.[1] === 'optional') return nullable(schemaOf(inner[2]!, {}, use), annotations)
  if (type.startsWith('enum:')) return oneOf(type.slice(5).split('|'), annotations)
  if (type === 'str') return TypeBox.String(annotations)
  if (type === 'int') return TypeBox.Integer(annotations)
  if (type === 'float') return TypeBox.Number(annotations)
  if (type === 'bool') return TypeBox.Boolean(annotations)
  if (type === 'dict') return freeForm(annotations)
  if (type === 'any') return anything(annotations)
  use(type)
  return nested({ type, ...annotations })
}

/** Live objects for required runtime fields of concrete classes. */
const handles: Record<string, unknown> = {
  docstore: { getNode: async () => null },
  serviceContext: { llm: modelOf({}).llm },
  llm: modelOf({}).llm,
}

function valuesOf(modelClass: AnyClass, values: Given = {}): Record<string, unknown> {
  const { fields } = modelClass.spec()
  const byWire = new Map(Object.keys(fields).map((name) => [fields[name].wire ?? name, name]))
  const named = Object.fromEntries(Object.entries(values).map(([key, value]) => [byWire.get(key) ?? key, value]))
  for (const name of Object.keys(fields))
    if (fields[name].runtime && fields[name].required && named[name] === undefined && handles[name])
      named[name] = handles[name]
  return named
}

/** An instance of wire-named values; nested plain records are in wire form too. */
function instance(modelClass: AnyClass, values: Given = {}): AnyClass {
  const named = valuesOf(modelClass, values)
  const nestedFields = modelClass.nested()
  for (const [field, of] of Object.entries(nestedFields) as [string, AnyClass][]) {
    const [first] = 'classes' in of ? of.classes : of
    const build = (value: Given): unknown => {
      if (Array.isArray(value)) return value.map(build)
      return isPlainObject(value) && first !== undefined ? instance(first, value) : value
    }
    if (named[field] !== undefined) named[field] = build(named[field])
  }
  return new modelClass(named)
}

function optionsOf(options: Given = {}): Given {
  const { include, exclude, ...rest } = options
  return { ...(include !== undefined && { include }), ...(exclude !== undefined && { exclude }), ...apiKeys(rest) }
}

const setOnly = (model: AnyClass) => model.toDict({ excludeUnset: true })

/** Runs `work`; on failure gives `threw` instead. */
async function caught(work: () => Promise<Given>, rest: () => Given): Promise<Given> {
  try {
    return { ...(await work()), ...rest() }
  } catch {
    return { threw: true, ...rest() }
  }
}

function recordedCalls(calls: readonly Given[]): Given[] {
  return calls.map(({ kind, messages, prompt, formatted }) => ({ kind, messages, prompt, formatted }))
}

function embeddingOf(given: Given) {
  const handler = new RecordingCallbackHandler()
  const entries = (table: Given = {}): Record<string, TableEntry> =>
    Object.fromEntries(
      Object.entries(table).map(([text, vector]) => [
        text,
        vector === 'throw' ? new Error('embedding failed') : (vector as number[]),
      ]),
    )
  const options = {
    texts: entries(given.embed),
    queries: entries(given.query_embed),
    embedBatchSize: given.embed_batch_size,
    callbackManager: new core.CallbackManager([handler]),
  }
  const embedding = given.one_by_one ? new OneByOneEmbedding(options) : new TableEmbedding(options)
  return { embedding, handler, requests: embedding.requests }
}

/** A model without a batch call of its own. */
class OneByOneEmbedding extends TableEmbedding {
  protected override async textsRequest(texts: readonly string[], options: core.EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await this.textRequest(text, options))
    return vectors
  }
}

/** A model that only completes. */
class EchoLLM extends core.CustomLLM {
  readonly metadata = new core.LLMMetadata()
  readonly requests: Given[] = []
  tail = ''
  protected override async completeRequest(prompt: string, { formatted = false }: core.CompleteOptions) {
    this.requests.push({ prompt, formatted })
    return new CompletionResponse({ text: `echo:${this.requests.length}${this.tail}` })
  }
  protected override async *streamCompleteRequest(): AsyncGenerator<core.CompletionResponse, void, undefined> {
    yield* []
    throw new Error('not used')
  }
}

const operations: Record<string, (given: Given) => unknown> = {
  'model.class_name': ({ model }) => classOf(model).className(),
  'model.new': ({ model, values }) => instance(classOf(model), values).toDict(),
  'model.to_dict': ({ model, values, options }) => instance(classOf(model), values).toDict(optionsOf(options)),
  'model.dict': ({ model, values, options }) => instance(classOf(model), values).dict(optionsOf(options)),
  'model.json': ({ model, values, options }) => JSON.parse(instance(classOf(model), values).json(optionsOf(options))),
  'model.json_text': ({ model, values, options }) => instance(classOf(model), values).toJson(optionsOf(options)),
  'model.json_nan': ({ model, values, field, number }) => {
    const object = instance(classOf(model), values)
    object[field] = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }[number as string]
    return object.json()
  },
  'model.from_dict': ({ model, data, overrides }) => {
    const modelClass = classOf(model)
    const dict = modelClass.fromDict(data, valuesOf(modelClass, overrides)).toDict()
    return { dict, data_after: data }
  },
  'model.from_json': ({ model, text, overrides }) => {
    const modelClass = classOf(model)
    return modelClass.fromJson(text, valuesOf(modelClass, overrides)).toDict()
  },
  'model.parse_obj': ({ model, value }) => classOf(model).parseObj(value).toDict(),
  'model.validate': ({ model, value }) => classOf(model).validate(value).toDict(),
  'model.validate_instance': ({ model, values, set }) => {
    const modelClass = classOf(model)
    const original = instance(modelClass, values)
    const result = modelClass.validate(original)
    result[set.field] = set.value
    return { same_object: result === original, original: original.toDict(), result: result.toDict() }
  },
  'model.parse_raw': ({ model, text, base64, content_type: contentType, encoding, proto }) => {
    const raw = base64 === undefined ? text : new Uint8Array(Buffer.from(base64, 'base64'))
    return classOf(model).parseRaw(raw, { contentType, encoding, proto }).toDict()
  },
  'model.parse_file': async ({ model, file, encoding }) => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    try {
      const path = join(folder, file.name)
      if (!file.absent) writeFileSync(path, file.base64 === undefined ? file.text : Buffer.from(file.base64, 'base64'))
      return (await classOf(model).parseFile(path, { encoding })).toDict()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  'model.from_orm': ({ model, object }) => classOf(model).fromOrm(object).toDict(),
  'model.construct': ({ model, values, fields_set }) => {
    const modelClass = classOf(model)
    const object = modelClass.construct(valuesOf(modelClass, values), fields_set)
    return { dict: object.toDict(), set_only: setOnly(object) }
  },
  'model.copy': ({ model, values, include, exclude, update, deep }) => {
    const original = instance(classOf(model), values)
    const copy = original.copy({ include, exclude, update, deep })
    return { copy: copy.toDict(), set_only: setOnly(copy), original: original.toDict() }
  },
  'model.copy_isolation': ({ model, values, deep, path, value }) => {
    const original = instance(classOf(model), values)
    const copy = original.copy({ deep })
    const target = path.slice(0, -1).reduce((object: Given, key: string | number) => object[key], copy)
    target[path.at(-1)] = value
    return { copy: copy.toDict(), original: original.toDict() }
  },
  'model.copy_runtime': ({ model, values, deep, fields }) => {
    const original = instance(classOf(model), values)
    const copy = original.copy({ deep })
    return fields.every((field: string) => copy[field] === original[field])
  },
  'model.default_isolation': ({ model, field, append }) => {
    const modelClass = classOf(model)
    new modelClass()[field].push(append)
    return new modelClass().toDict()
  },
  'model.roundtrip': ({ model, values }) => {
    const modelClass = classOf(model)
    const text = instance(modelClass, values).toJson()
    const again = modelClass.fromJson(text)
    if (again.toJson() !== text) throw new Error('the JSON text changed')
    return again.toDict()
  },
  'model.schema_json': ({ model }) => Object.keys(JSON.parse(classOf(model).schemaJson()).properties).sort(),
  'model.schema_isolation': ({ model, drop }) => {
    const modelClass = classOf(model)
    delete modelClass.schema().properties[drop]
    return Object.keys(modelClass.schema().properties).sort()
  },
  'model.update_forward_refs': ({ model }) => classOf(model).updateForwardRefs(),
  'ChatMessage.str': ({ values }) => String(messageOf(values)),
  'llms.completion_response_to_chat_response': ({ response }) =>
    core.completionToChatResponse(CompletionResponse.fromDict(response)).toDict(),
  'llms.chat_response_to_completion_response': ({ response }) =>
    core.chatToCompletionResponse(ChatResponse.fromDict(response)).toDict(),
  'enum.values': ({ enum: name }) => [
    ...(
      { MessageRole: core.messageRoles, PydanticProgramMode: core.programModes, EventType: core.eventTypes } as Given
    )[name],
  ],
  'llm.config': ({ values }) => {
    const { class_name, ...fields } = new EchoLLM(apiKeys(values)).toDict()
    return fields
  },
  'embedding.config': ({ values }) => {
    const { class_name, ...fields } = new TableEmbedding(apiKeys(values)).toDict()
    return fields
  },
  'embedding.get_text_embedding_batch': (given) => {
    const { embedding, handler, requests } = embeddingOf(given)
    const chunks = () =>
      handler.events.flatMap((event) =>
        event.phase === 'end' && event.payload && 'chunks' in event.payload ? [event.payload['chunks']] : [],
      )
    return caught(
      async () => ({ embeddings: await embedding.getTextEmbeddingBatch(given.texts), chunks: chunks() }),
      () => ({ requests, events: handler.summary() }),
    )
  },
  'embedding.get_query_embedding': async (given) => {
    const { embedding, handler, requests } = embeddingOf(given)
    return { embedding: await embedding.getQueryEmbedding(given.query), requests, events: handler.summary() }
  },
  'embedding.get_text_embedding': async (given) => {
    const { embedding, handler, requests } = embeddingOf(given)
    return { embedding: await embedding.getTextEmbedding(given.text), requests, events: handler.summary() }
  },
  'embedding.get_agg_embedding_from_queries': async (given) => {
    const { embedding, handler, requests } = embeddingOf(given)
    return {
      embedding: await embedding.getAggEmbeddingFromQueries(given.queries),
      requests,
      event_count: handler.events.length,
    }
  },
  'embedding.similarity': ({ a, b, mode }) => core.similarity(a, b, mode),
  'embedding.mean_agg': ({ embeddings }) => core.meanAgg(embeddings),
  'embedding.embed_nodes': async (given) => {
    const { embedding, requests } = embeddingOf(given)
    const nodes = given.nodes.map((node: Given) => core.TextNode.fromDict(node))
    const result = await embedding.transform(nodes)
    return {
      same_list: result === nodes,
      texts: requests.flatMap(([, texts]) => texts),
      embeddings: nodes.map((node: core.TextNode) => node.embedding),
    }
  },
  'llm.predict': (given) => {
    const { llm, handler } = modelOf(given.llm)
    const templating = () => {
      const start = handler.events.find((event) => event.phase === 'start' && event.type === 'templating')
      const { query_wrapper_prompt, ...payload } = (start as { payload: Given }).payload
      return payload
    }
    return caught(
      async () => ({ output: await llm.predict(promptOf(given.prompt), given.vars), templating: templating() }),
      () => ({ calls: recordedCalls(llm.calls), events: handler.summary() }),
    )
  },
  'llm.stream': (given) => {
    const { llm, handler } = modelOf(given.llm)
    const tokens: string[] = []
    return caught(
      async () => {
        for await (const token of llm.stream(promptOf(given.prompt), given.vars)) {
          tokens.push(token)
          if (tokens.length === given.stop_after) break
        }
        return {}
      },
      () => ({ tokens, calls: recordedCalls(llm.calls), events: handler.summary() }),
    )
  },
  'llm.chat': (given) =>
    request(given, async (llm) => ({
      message: (await llm.chat(given.messages.map(messageOf), given.kwargs)).message.toDict(),
    })),
  'llm.complete': (given) =>
    request(given, async (llm) => ({ text: (await llm.complete(given.prompt, given.kwargs)).text })),
  'custom_llm.chat': async ({ messages, messages_to_prompt, tail = '' }) => {
    const llm = new EchoLLM({ messagesToPrompt: messagesToPromptOf(messages_to_prompt) })
    llm.tail = tail
    const { message } = await llm.chat(messages.map(messageOf))
    return { message: message.toDict(), requests: llm.requests }
  },
  'custom_llm.chat_events': async ({ messages }) => {
    const handler = new RecordingCallbackHandler()
    await new EchoLLM({ callbackManager: new core.CallbackManager([handler]) }).chat(messages.map(messageOf))
    return handler.summary()
  },
  'llm.query_component': async ({ llm: descriptor, partial, input }) => {
    const { llm } = modelOf(descriptor)
    const step = llm.asQueryComponent({ partial: componentInputs(partial) })
    const { output } = await step.runComponent(componentInputs(input))
    return { input_keys: [...step.inputKeys.required], output: String(output), calls: recordedCalls(llm.calls) }
  },
}

function request(given: Given, call: (llm: ReturnType<typeof modelOf>['llm']) => Promise<Given>): Promise<Given> {
  const { llm, handler } = modelOf(given.llm)
  const start = () => handler.events.find((event) => event.phase === 'start') as { payload: Given } | undefined
  return caught(
    async () => ({
      ...(await call(llm)),
      calls: recordedCalls(llm.calls),
      additional_kwargs: start()?.payload.additional_kwargs,
    }),
    () => ({ events: handler.summary() }),
  )
}

/** Property names and required ones as sets; every listed attribute of a listed property must be there. */
function checkSchema(given: Given, expected: Given): void {
  const { properties, required = [] } = classOf(given.model).schema()
  expectEqual(Object.keys(properties).sort(), expected.property_names)
  expectEqual([...required].sort(), [...expected.required].sort())
  for (const [name, attributes] of Object.entries(expected.properties)) {
    for (const [attribute, value] of Object.entries(attributes as Given))
      expectEqual(properties[name][attribute], value)
  }
}

export const area: Area = {
  async check({ op, given, expect }: Case) {
    if (op === 'model.schema') return checkSchema(given, expect.value)
    const operation = operations[op]
    if (operation === undefined) throw new Error(`unknown operation ${op}`)
    if (expect.throws) await expectThrows(async () => operation(given), expect)
    else expectEqual(await operation(given), expect.value)
  },
}
